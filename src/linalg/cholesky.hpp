// Cholesky factors in tiles that threads share. The cut into tiles, and so every bit, depends on the size alone.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// As cholesky() of linalg/symmetric.hpp, shared between threads.
bool shared_cholesky(Matrix& A);

/// The diagonal of the inverse of A, given its lower Cholesky factor; shared likewise.
std::vector<double> inverse_diagonal(const Matrix& factor);

/// Solves A x = b in place for a symmetric positive definite A, given by its lower triangle (column-major, as many rows
/// as x has entries), which is overwritten by its factor. False, with x untouched, when A is not positive definite.
bool cholesky_solve(std::span<float> A, std::span<float> x);

}  // namespace tamis
