#include "base/thread_pool.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/cpu_relax.hpp"

namespace tamis {
namespace {

// Someone who looks for work: awake for a millisecond, then asleep. It does not yield its core meanwhile: where other
// programs wait for one, they would keep it for several milliseconds, and a loop that began would stand still.
class SpinThenSleep {
 public:
  void wait(const std::atomic<std::uint32_t>& events, std::uint32_t seen) {
    cpu_relax();
    constexpr unsigned spins_per_clock_read = 64;
    if (++spins_ % spins_per_clock_read != 0) return;
    const auto now = Clock::now();
    if (spins_ == spins_per_clock_read) began_ = now;
    if (now - began_ > std::chrono::milliseconds(1)) events.wait(seen, std::memory_order_acquire);
  }
  void reset() { spins_ = 0; }

 private:
  using Clock = std::chrono::steady_clock;
  unsigned spins_ = 0;
  Clock::time_point began_;
};

}  // namespace

void SpinLock::lock() {
  while (held_.test_and_set(std::memory_order_acquire)) cpu_relax();
}

// It lives on the stack of the thread that shares it. Others reach it through open_ only, under the latch, and after
// their last piece is counted as done nobody touches it again.
struct ThreadPool::Loop {
  const std::function<void(Index)>& body;
  const Index pieces;
  Index first = 0, last = pieces;      // what nobody took yet; guarded by the latch
  std::exception_ptr error = nullptr;  // guarded by the latch
  std::atomic<bool> failed{false};
  std::atomic<Index> done{0};
};

void ThreadPool::notify() {
  events_.fetch_add(1, std::memory_order_release);
  events_.notify_all();
}

void ThreadPool::run(Loop& loop, Index piece) {
  const Index pieces = loop.pieces;
  try {
    if (!loop.failed.load(std::memory_order_relaxed)) loop.body(piece);
  } catch (...) {
    const std::lock_guard lock(lock_);
    if (!loop.error) loop.error = std::current_exception();
    loop.failed.store(true, std::memory_order_relaxed);
  }
  if (loop.done.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces) notify();
}

// Who waits for the end of its own loop takes that one's pieces first, which are about what it has in its cache, then
// those of the newest loop; who helps begins with the oldest, whose pieces are the largest. One takes them from the
// front and the other from the back: so each streams through memory of its own, which is a tenth faster than taking
// turns.
bool ThreadPool::take_piece(Loop* own) {
  if (open_count_.load(std::memory_order_acquire) == 0) return false;
  Loop* loop = nullptr;
  Index piece = 0;
  {
    const std::lock_guard lock(lock_);
    if (open_.empty()) return false;
    loop = own == nullptr ? open_.front() : own->first < own->last ? own : open_.back();
    piece = own == nullptr ? --loop->last : loop->first++;
    if (loop->first == loop->last) {
      open_.erase(std::ranges::find(open_, loop));
      open_count_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  run(*loop, piece);
  return true;
}

// What has happened is read before looking for work: a loop that opens in between ends the sleep at once.
template <class Over>
void ThreadPool::work_until(Loop* own, const Over& finished) {
  SpinThenSleep backoff;
  while (true) {
    const std::uint32_t seen = events_.load(std::memory_order_acquire);
    if (finished()) return;
    if (take_piece(own)) {
      backoff.reset();
    } else {
      backoff.wait(events_, seen);
    }
  }
}

// Nobody can wait in a circle: what a thread takes while it waits ends before its wait does.
void ThreadPool::parallel_for(Index pieces, const std::function<void(Index)>& body) {
  if (pieces <= 0) return;
  // The first piece is ours before anybody knows: both would reach for the latch at once.
  Loop loop{.body = body, .pieces = pieces, .first = 1};
  if (pieces > 1) {
    const std::lock_guard lock(lock_);
    open_.push_back(&loop);
    open_count_.fetch_add(1, std::memory_order_release);
  }
  if (pieces > 1) notify();
  run(loop, 0);
  work_until(&loop, [&] { return loop.done.load(std::memory_order_acquire) == pieces; });
  if (loop.error) std::rethrow_exception(loop.error);
}

void ThreadPool::help() {
  work_until(nullptr, [this] { return closed_.load(std::memory_order_acquire); });
}

void ThreadPool::close() {
  closed_.store(true, std::memory_order_release);
  notify();
}

}  // namespace tamis
