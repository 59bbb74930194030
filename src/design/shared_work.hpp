// When a loop over X is worth sharing between threads, and how it is cut.
#pragma once

#include <algorithm>

#include "tamis/base/parallel.hpp"

namespace tamis {

/// Multiply-adds, some microseconds, below which telling another thread costs more than it saves.
inline constexpr double least_shared_work = 20'000;

/// parallel_for over [0, count) in pieces of `grain`, or body(0, count) at once when there is little to do.
template <class Body>
void share(Index count, Index grain, double work, const Body& body) {
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

}  // namespace tamis
