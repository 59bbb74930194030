// Entries of X that no method can work with: NaN, too large for sums of their squares, or so small that their squares
// underflow and the column would be taken for a constant one.
#pragma once

#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Entries lie between these in size, or are 0; of every column one at least. With y up to 1e150 coefficients, their
/// squares in units of y and sums of 1e8 squares stay far from the ends of double precision.
constexpr double largest_feature = 1e100;
constexpr double smallest_feature = 1e-100;

/// Throws InvalidInput with row, column and remedy. `moments` are those of the columns under the problem's weights:
/// they say which columns must be read; no other is read again.
void check_features(const Problem& problem, const ColumnMoments& moments);

}  // namespace tamis
