// Threads. There is no global setting: a fit runs inside with_threads(), and every parallel_for below it uses
// that many. Work is cut into the same pieces whatever the number of threads, so results are bit-identical.
#pragma once

#include <functional>

#include "tamis/base/index.hpp"

namespace tamis {

/// Runs `work` with at most `threads` threads (0: all cores) for every parallel_for inside it.
/// BLAS is held to one thread meanwhile: tamis parallelizes above it.
void with_threads(int threads, const std::function<void()>& work);

/// Threads that a parallel_for at this place would use.
int available_threads();

/// Calls body(begin, end) for consecutive pieces of `grain` (the last one shorter) that cover [0, count).
/// The cut depends on `grain` alone. Exceptions propagate.
void parallel_for(Index count, Index grain, const std::function<void(Index, Index)>& body);

}  // namespace tamis
