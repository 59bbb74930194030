// Cholesky solves through LAPACK and BLAS, in tiles that threads share.
#pragma once

#include <span>

namespace tamis {

/// Solves A x = b in place for a symmetric positive definite A, given by its lower triangle (column-major, as many rows
/// as x has entries), which is overwritten by its factor. False, with x untouched, when A is not positive definite.
bool cholesky_solve(std::span<float> A, std::span<float> x);

}  // namespace tamis
