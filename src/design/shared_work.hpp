// When a loop over X is worth sharing between threads, and how it is cut.
#pragma once

#include <algorithm>
#include <functional>

#include "base/scratch.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

/// Multiply-adds (some microseconds) below which handing work to another thread costs more than it saves.
inline constexpr double least_shared_work = 20'000;

/// The loop of tamis/base/parallel.hpp over [0, count) in pieces of `grain`, or body(0, count) at once when there is
/// little to do.
template <class Body>
void parallel_for(Index count, Index grain, double work, const Body& body) {
  if (work < least_shared_work || count <= grain) {
    body(Index{0}, count);
  } else {
    parallel_for(count, grain, body);
  }
}

/// Columns per piece, a multiple of 16 to fill tiles: about 32,000 multiply-adds, or more where there are many pieces,
/// for long runs of X stream better.
inline Index column_grain(Index count, double work_per_column) {
  constexpr double many = 128;
  const double columns = std::max(32768 / std::max(1.0, work_per_column), static_cast<double>(count) / many);
  return (static_cast<Index>(columns) + 15) / 16 * 16;
}

/// multiply(k, part) and then visit(k, part) for parts of `count` columns by m right-hand sides: small enough for the
/// cache and for threads to end together, large enough to stream X.
template <class Multiply>
void visit_parts(Index count, Index m, double work_per_column, const std::function<void(Index, MatrixView)>& visit,
                 const Multiply& multiply) {
  // A fraction of a millisecond of work, and 64 kB of results, which the visitor reads from the second-level cache.
  constexpr double work_of_part = 1 << 20, largest_part = 1 << 13;  // multiply-adds; numbers
  const double columns = std::min(work_of_part / std::max(1.0, work_per_column * static_cast<double>(m)),
                                  largest_part / static_cast<double>(m));
  const Index grain = (static_cast<Index>(columns) / 16 + 1) * 16;
  parallel_for(count, grain, [&](Index begin, Index end) {
    const Scratch memory((end - begin) * m);
    const MatrixView part(memory.data(), end - begin, m);
    multiply(begin, part);
    visit(begin, part);
  });
}

}  // namespace tamis
