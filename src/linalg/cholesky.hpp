// Cholesky factors in tiles that threads share. The cut into tiles, and so every bit, depends on the size alone.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// As cholesky() of linalg/symmetric.hpp, shared between threads.
bool shared_cholesky(MatrixView A);

/// The diagonal of the inverse of A, given its lower Cholesky factor; shared likewise.
std::vector<double> inverse_diagonal(ConstMatrixView factor);

/// Replaces the lower triangle of a positive definite A (column-major, `size` rows) by its factor, shared likewise.
/// False if it is not one.
bool shared_cholesky(std::span<float> A, Index size);

/// Solves A x = b in place for every column of `size` entries in b, given the factor.
void solve_by_factor(std::span<const float> factor, Index size, std::span<float> b);

}  // namespace tamis
