// A Cholesky factor by several threads: blocks of columns, each followed by an update of what is right of it.
#pragma once

#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// As cholesky() of linalg/symmetric.hpp, shared between threads. The cut into blocks, and so every bit, depends on the
/// size alone.
bool shared_cholesky(Matrix& A);

/// The diagonal of the inverse of A, given its lower Cholesky factor; shared and cut likewise.
std::vector<double> inverse_diagonal(const Matrix& factor);

}  // namespace tamis
