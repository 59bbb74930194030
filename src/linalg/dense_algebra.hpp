// Products and triangular systems of dense matrices, through BLAS. Single-threaded, as all BLAS below a fit is.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// A B and A' B.
Matrix multiply(ConstMatrixView A, ConstMatrixView B);
Matrix multiply_transposed(ConstMatrixView A, ConstMatrixView B);
/// A' v.
std::vector<double> multiply_transposed(ConstMatrixView A, std::span<const double> v);

/// out += A v.
void add_multiply(ConstMatrixView A, std::span<const double> v, std::span<double> out);

/// Solves L x = b (or L' x = b) in place for the lower triangle L of `factor`, for every column of b.
void solve_lower(ConstMatrixView factor, MatrixView b, bool transposed = false);
/// Solves X L' = b in place: every row of b by L.
void solve_lower_right(ConstMatrixView factor, MatrixView b);
/// Solves A x = b in place, given the lower Cholesky factor of A.
void solve_positive(ConstMatrixView factor, MatrixView b);
/// log |A|, given the lower Cholesky factor of A.
double log_determinant(const Matrix& factor);

/// K += A A', both triangles.
void add_outer_product(const Matrix& A, Matrix& K);
/// K += A'A, lower triangle only.
void add_inner_product(const Matrix& A, Matrix& K);

/// (I + A A')^-1 and its determinant, through the smaller of the two Gram matrices of A.
class LowRank {
 public:
  explicit LowRank(const Matrix& A);
  double log_determinant() const;
  /// (I + A A')^-1 v.
  std::vector<double> solve(std::span<const double> v) const;
  /// The diagonal of (I + A A')^-1.
  std::vector<double> inverse_diagonal() const;

 private:
  const Matrix& A_;
  bool thin_;  // more rows than columns: the factor is that of I + A'A
  Matrix factor_;
};

}  // namespace tamis
