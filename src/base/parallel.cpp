// The threads come from TBB, which keeps them between fits; what they do is up to the workshop.
#include "tamis/base/parallel.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

#include "base/handover.hpp"
#include "base/single_threaded_blas.hpp"
#include "base/workshop.hpp"

namespace tamis {
namespace {

// Where this thread's loops are shared: nowhere outside with_threads, or inside one of a single thread.
struct Place {
  Workshop* workshop = nullptr;
  int threads = 0;  // 0: outside
};

thread_local Place here;

class Stay {
 public:
  explicit Stay(Place place) : before_(here) { here = place; }
  ~Stay() { here = before_; }
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;

 private:
  Place before_;
};

class Opening {
 public:
  explicit Opening(Workshop& workshop) : workshop_(workshop) {}
  ~Opening() { workshop_.close(); }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  Workshop& workshop_;
};

}  // namespace

void with_threads(int threads, const std::function<void()>& work) {
  const SingleThreadedBlas guard;
  // Never more than there are cores: it would not be faster, and TBB would print a warning about it.
  const int cores = tbb::info::default_concurrency();
  threads = threads > 0 ? std::min(threads, cores) : cores;
  if (threads == 1) {
    const Stay stay({.workshop = nullptr, .threads = 1});
    work();
    return;
  }
  const auto workshop = std::make_shared<Workshop>(threads);
  const auto handover = std::make_shared<Handover>();
  handover->give();
  tbb::task_arena arena(threads);
  for (int helper = 1; helper < threads; ++helper) {
    arena.enqueue([workshop, handover] {
      handover->take();
      const Stay stay({.workshop = workshop.get(), .threads = workshop->threads()});
      workshop->help();
    });
  }
  const Stay stay({.workshop = workshop.get(), .threads = threads});
  const Opening opening(*workshop);
  work();
}

int available_threads() { return here.threads > 0 ? here.threads : tbb::info::default_concurrency(); }

void parallel_for(Index count, Index grain, const std::function<void(Index, Index)>& body) {
  if (count <= 0) return;
  grain = std::max<Index>(1, grain);
  const Index pieces = (count + grain - 1) / grain;
  const auto piece = [&](Index k) { body(k * grain, std::min(count, (k + 1) * grain)); };
  if (pieces == 1 || available_threads() == 1) {
    for (Index k = 0; k < pieces; ++k) piece(k);
  } else if (here.workshop != nullptr) {
    here.workshop->share(pieces, piece);
  } else {
    with_threads(0, [&] { parallel_for(count, grain, body); });
  }
}

}  // namespace tamis
