#include "tamis/base/parallel.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "base/handover.hpp"
#include "base/single_threaded_blas.hpp"

namespace tamis {

void with_threads(int threads, const std::function<void()>& work) {
  const SingleThreadedBlas guard;
  // Never more than there are cores: it would not be faster, and TBB would print a warning about it.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : cores);
  // The arena may run it on a thread of its own.
  Handover handover;
  handover.give();
  arena.execute([&] {
    handover.take();
    work();
    handover.give();
  });
  handover.take();
}

int available_threads() { return tbb::this_task_arena::max_concurrency(); }

void parallel_for(Index count, Index grain, const std::function<void(Index, Index)>& body) {
  if (count <= 0) return;
  grain = std::max<Index>(1, grain);
  const Index pieces = (count + grain - 1) / grain;
  const auto piece = [&](Index k) { body(k * grain, std::min(count, (k + 1) * grain)); };
  if (pieces == 1 || available_threads() == 1) {
    for (Index k = 0; k < pieces; ++k) piece(k);
    return;
  }
  Handover handover;
  handover.give();
  tbb::parallel_for(Index{0}, pieces, [&](Index k) {
    handover.take();
    piece(k);
    handover.give();
  });
  handover.take();
}

}  // namespace tamis
