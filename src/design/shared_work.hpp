// When a loop over X is worth sharing between threads, and how it is cut.
#pragma once

#include <algorithm>

#include "tamis/base/parallel.hpp"

namespace tamis {

/// Multiply-adds below which waking a thread costs more than it saves.
inline constexpr double least_shared_work = 100'000;

/// parallel_for over [0, count) in pieces of `grain`, or body(0, count) at once when there is little to do.
template <class Body>
void share(Index count, Index grain, double work, const Body& body) {
  if (work < least_shared_work || count <= grain) {
    body(Index{0}, count);
  } else {
    parallel_for(count, grain, body);
  }
}

/// Columns per piece such that a piece is about 64,000 multiply-adds, a multiple of 16 to fill tiles.
inline Index column_grain(double work_per_column) {
  const double columns = std::clamp(65536 / std::max(1.0, work_per_column), 1.0, 65536.0);
  return (static_cast<Index>(columns) + 15) / 16 * 16;
}

}  // namespace tamis
