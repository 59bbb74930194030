// X R X' for a diagonal R: the Gram matrix of the rows, for methods that work in the space of rows (p > n).
#pragma once

#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

/// X_c diag(scale) X_c', rows x rows, both triangles; `scale` has an entry >= 0 per column of c, empty: ones. Shared
/// between threads, the same bits on any number of them. Sparse columns stay sparse where that is cheaper.
Matrix row_gram(const Design& X, Columns c, std::span<const double> scale = {});
/// Its diagonal without scale: the squared length of every row.
std::vector<double> row_gram_diagonal(const Design& X, Columns c);

}  // namespace tamis
