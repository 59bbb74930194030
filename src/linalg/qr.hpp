// Least squares by orthogonal transformations, through LAPACK.
#pragma once

#include "tamis/base/matrix.hpp"

namespace tamis {

/// With A = Q R, Q orthogonal: A (at least as many rows as columns) becomes the square upper triangle R, and B the same
/// rows of Q'B. Returns the sum of squares of the rows of Q'B that are dropped, the part of B outside the range of A.
double reduce_orthogonally(Matrix& A, Matrix& B);

}  // namespace tamis
