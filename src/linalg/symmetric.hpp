// Dense symmetric matrices through LAPACK: eigenvectors and inverses. Single-threaded, as all BLAS below a fit is.
#pragma once

#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// Eigenvalues of a symmetric matrix in rising order; `A` (lower triangle read) becomes the eigenvectors, column by
/// column. Throws NumericalFailure if LAPACK does not converge, which finite matrices do not cause.
std::vector<double> symmetric_eigen(Matrix& A);

/// Replaces a positive definite A (lower triangle read) by its inverse, both triangles. False if it is not one.
bool invert_positive(Matrix& A);

/// Replaces the lower Cholesky factor of A by the inverse of A, both triangles.
void invert_factored(Matrix& factor);

/// Replaces a positive definite A (lower triangle read) by its lower Cholesky factor; the strict upper triangle is left
/// alone. False if it is not one.
bool cholesky(Matrix& A);

}  // namespace tamis
