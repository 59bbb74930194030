#include "base/crew.hpp"

#include <thread>

#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr std::uint64_t pieces_left = 0xffffffffU;

// A short wait stays on the core; a long one lets others have it, for machines are shared.
class Patience {
 public:
  void wait() {
    constexpr int short_wait = 4000;
    if (++waited_ > short_wait) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  void renew() { waited_ = 0; }

 private:
  int waited_ = 0;
};

}  // namespace

// The first thread to arrive does the work, whichever it is: were the roles dealt out beforehand, a helper that runs
// first on the only free thread would wait for ever.
void Crew::gather(const std::function<void(Crew&)>& work) {
  Crew crew;
  parallel_for(available_threads(), 1, [&](Index, Index) {
    if (crew.led_.exchange(true)) {
      crew.help();
      return;
    }
    work(crew);
    crew.over_.store(true, std::memory_order_release);
  });
}

void Crew::help() {
  Patience patience;
  while (!over_.load(std::memory_order_acquire)) {
    if (take_piece()) {
      patience.renew();
    } else {
      patience.wait();
    }
  }
}

// A piece that was taken belongs to the present loop, for the next one begins only when all are done.
bool Crew::take_piece() {
  std::uint64_t seen = ticket_.load(std::memory_order_acquire);
  while ((seen & pieces_left) != 0) {
    if (!ticket_.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
    (*body_)(static_cast<Index>((seen & pieces_left) - 1));
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }
  return false;
}

void Crew::share(Index pieces, const std::function<void(Index)>& body) {
  const auto count = static_cast<std::uint64_t>(pieces);
  body_ = &body;
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t loop = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
  ticket_.store(loop << 32 | count, std::memory_order_release);
  while (take_piece()) {
  }
  Patience patience;
  while (done_.load(std::memory_order_acquire) < count) patience.wait();
}

}  // namespace tamis
