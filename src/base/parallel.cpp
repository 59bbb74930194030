// Where parallel loops run: a pool per top-level with_threads(), its helpers borrowed from TBB.
//
// Each thread has a slot that names the pool its loops are shared in. with_threads() opens a pool, asks TBB for helpers
// and sets the slot; parallel_for() inside it runs on that pool, and outside any it opens one for itself. Helpers may
// arrive late or never: work() does not wait for them, and one that finds its pool closed returns at once.
//
// Results must not depend on the number of threads. That is the promise of the loop bodies, which cut work by size
// alone; this file only promises that every piece runs exactly once.
#include "tamis/base/parallel.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

#include "base/single_threaded_blas.hpp"
#include "base/tbb_threads.hpp"
#include "base/thread_pool.hpp"

namespace tamis {
namespace {

// The pool that this thread's loops run on: none outside with_threads(), nor inside one of a single thread.
struct PoolSlot {
  ThreadPool* pool = nullptr;
  int threads = 0;  // 0: outside
};

thread_local PoolSlot current_slot;

class PoolUse {
 public:
  explicit PoolUse(PoolSlot slot) : before_(current_slot) { current_slot = slot; }
  ~PoolUse() { current_slot = before_; }
  PoolUse(const PoolUse&) = delete;
  PoolUse& operator=(const PoolUse&) = delete;

 private:
  PoolSlot before_;
};

class OpenPool {
 public:
  explicit OpenPool(ThreadPool& pool) : pool_(pool) {}
  ~OpenPool() { pool_.close(); }
  OpenPool(const OpenPool&) = delete;
  OpenPool& operator=(const OpenPool&) = delete;

 private:
  ThreadPool& pool_;
};

// Pools that wait for a borrowed thread: one entry per thread that TBB was asked for. TBB hands over no data (see
// tbb_threads.hpp), so a thread learns here which pool it is for; which of them gets which does not matter.
class PoolQueue {
 public:
  void push(const std::shared_ptr<ThreadPool>& pool, int helpers) {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), helpers, pool);
  }
  std::shared_ptr<ThreadPool> pop() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<ThreadPool> next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

 private:
  std::mutex mutex_;
  std::deque<std::shared_ptr<ThreadPool>> waiting_;
};

// Never destroyed: a TBB thread may arrive after static destructors have begun.
PoolQueue& pool_queue() {
  static PoolQueue& only = *std::make_unique<PoolQueue>().release();
  return only;
}

}  // namespace

void with_threads(int threads, const std::function<void()>& work) {
  const SingleThreadedBlas guard;
  // Never more than there are cores: it would not be faster, and TBB would print a warning about it.
  threads = threads > 0 ? std::min(threads, core_count()) : core_count();
  if (threads == 1) {
    const PoolUse use({.pool = nullptr, .threads = 1});
    work();
    return;
  }
  const auto pool = std::make_shared<ThreadPool>(threads);
  pool_queue().push(pool, threads - 1);
  borrow_threads(threads - 1, [] {
    const std::shared_ptr<ThreadPool> borrowed = pool_queue().pop();
    const PoolUse use({.pool = borrowed.get(), .threads = borrowed->threads()});
    borrowed->help();
  });
  const PoolUse use({.pool = pool.get(), .threads = threads});
  const OpenPool closes_at_end(*pool);
  work();
}

int available_threads() { return current_slot.threads > 0 ? current_slot.threads : core_count(); }

void parallel_for(Index count, Index grain, const std::function<void(Index, Index)>& body) {
  if (count <= 0) return;
  grain = std::max<Index>(1, grain);
  const Index pieces = (count + grain - 1) / grain;
  const auto piece = [&](Index k) { body(k * grain, std::min(count, (k + 1) * grain)); };
  if (pieces == 1 || available_threads() == 1) {
    for (Index k = 0; k < pieces; ++k) piece(k);
  } else if (current_slot.pool != nullptr) {
    current_slot.pool->parallel_for(pieces, piece);
  } else {
    with_threads(0, [&] { parallel_for(count, grain, body); });
  }
}

}  // namespace tamis
