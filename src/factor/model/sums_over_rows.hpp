// Sums over the rows of a table, in parallel and in an order that does not depend on threads.
#pragma once

#include <algorithm>
#include <vector>

#include "tamis/base/parallel.hpp"

namespace tamis::factor {

/// `size` numbers to which add(first, last, sums) adds what the rows [first, last) contribute. The rows are cut into at
/// most 16 parts, by their number alone, which bounds the memory of partial sums; more threads than that find no work.
template <class Add>
std::vector<double> sums_over_rows(Index rows, Index size, const Add& add) {
  constexpr Index most_parts = 16, fewest_rows = 256;
  const Index rows_per_part = std::max(fewest_rows, (rows + most_parts - 1) / most_parts);
  const Index parts = (rows + rows_per_part - 1) / rows_per_part;
  std::vector<std::vector<double>> partial(parts);
  parallel_for(rows, rows_per_part, [&](Index first, Index last) {
    std::vector<double>& sums = partial[first / rows_per_part];
    sums.assign(size, 0.0);
    add(first, last, sums.data());
  });
  constexpr Index numbers_per_task = 4096;
  parallel_for(size, numbers_per_task, [&](Index first, Index last) {
    for (Index p = 1; p < std::ssize(partial); ++p) {
      for (Index i = first; i < last; ++i) {
        partial[0][i] += partial[p][i];
      }
    }
  });
  return std::move(partial[0]);
}

}  // namespace tamis::factor
