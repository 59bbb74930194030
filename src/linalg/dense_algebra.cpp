// Dense products and triangular solves: thin wrappers of BLAS on views, which are column-major with a stride.
//
// Every function accepts empty matrices, which BLAS refuses or warns about. BLAS runs on one thread (see
// base/single_threaded_blas.hpp): its own threads would compete with ours, and results would depend on their number.
//
// LowRank    (I + A A')^-1 by the smaller Gram matrix. With more rows than columns the Woodbury identity
//              (I + A A')^-1 = I - A (I + A'A)^-1 A',   |I + A A'| = |I + A'A| (Sylvester)
//            costs n k^2 instead of n^3. Hazard: the diagonal is 1 minus a sum; entries near 0 lose as many digits as
//            they are smaller than 1.
#include "linalg/dense_algebra.hpp"

#include <cblas.h>

#include <cmath>

#include "base/numerical_failure.hpp"
#include "linalg/gram.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

int narrow(Index k) { return static_cast<int>(k); }

}  // namespace

Matrix multiply(ConstMatrixView A, ConstMatrixView B) {
  Matrix out(A.rows, B.cols);
  if (A.rows == 0 || B.cols == 0 || A.cols == 0) return out;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, narrow(A.rows), narrow(B.cols), narrow(A.cols), 1.0, A.data,
              narrow(A.stride), B.data, narrow(B.stride), 0.0, out.col(0), narrow(A.rows));
  return out;
}

Matrix multiply_transposed(ConstMatrixView A, ConstMatrixView B) {
  Matrix out(A.cols, B.cols);
  if (A.cols == 0 || B.cols == 0 || A.rows == 0) return out;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(A.cols), narrow(B.cols), narrow(A.rows), 1.0, A.data,
              narrow(A.stride), B.data, narrow(B.stride), 0.0, out.col(0), narrow(A.cols));
  return out;
}

std::vector<double> multiply_transposed(ConstMatrixView A, std::span<const double> v) {
  std::vector<double> out(A.cols, 0.0);
  if (A.cols == 0 || A.rows == 0) return out;
  cblas_dgemv(CblasColMajor, CblasTrans, narrow(A.rows), narrow(A.cols), 1.0, A.data, narrow(A.stride), v.data(), 1,
              0.0, out.data(), 1);
  return out;
}

void add_multiply(ConstMatrixView A, std::span<const double> v, std::span<double> out) {
  if (A.cols == 0 || A.rows == 0) return;
  cblas_dgemv(CblasColMajor, CblasNoTrans, narrow(A.rows), narrow(A.cols), 1.0, A.data, narrow(A.stride), v.data(), 1,
              1.0, out.data(), 1);
}

void add_outer_product(const Matrix& A, Matrix& K) {
  if (A.cols() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, narrow(A.rows()), narrow(A.cols()), 1.0, A.col(0),
              narrow(A.rows()), 1.0, K.col(0), narrow(K.rows()));
  mirror_lower(K);
}

void add_inner_product(const Matrix& A, Matrix& K) {
  if (A.rows() == 0 || A.cols() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, narrow(A.cols()), narrow(A.rows()), 1.0, A.col(0),
              narrow(A.rows()), 1.0, K.col(0), narrow(K.rows()));
}

void solve_lower(ConstMatrixView factor, MatrixView b, bool transposed) {
  if (b.rows == 0 || b.cols == 0) return;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
              narrow(b.rows), narrow(b.cols), 1.0, factor.data, narrow(factor.stride), b.data, narrow(b.stride));
}

void solve_lower_right(ConstMatrixView factor, MatrixView b) {
  if (b.rows == 0 || b.cols == 0) return;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(b.rows), narrow(b.cols), 1.0,
              factor.data, narrow(factor.stride), b.data, narrow(b.stride));
}

void solve_positive(ConstMatrixView factor, MatrixView b) {
  solve_lower(factor, b);
  solve_lower(factor, b, /*transposed=*/true);
}

double log_determinant(const Matrix& factor) {
  double sum = 0;
  for (Index k = 0; k < factor.rows(); ++k) sum += 2 * std::log(factor(k, k));
  return sum;
}

LowRank::LowRank(const Matrix& A) : A_(A), thin_(A.cols() <= A.rows()) {
  const Index size = thin_ ? A.cols() : A.rows();
  factor_ = Matrix(size, size);
  for (Index k = 0; k < size; ++k) factor_(k, k) = 1;
  cblas_dsyrk(CblasColMajor, CblasLower, thin_ ? CblasTrans : CblasNoTrans, narrow(size),
              narrow(thin_ ? A.rows() : A.cols()), 1.0, A.col(0), narrow(A.rows()), 1.0, factor_.col(0), narrow(size));
  if (!cholesky(factor_)) throw NumericalFailure("the covariance matrix of the rows is not finite");
}

double LowRank::log_determinant() const { return tamis::log_determinant(factor_); }

std::vector<double> LowRank::solve(std::span<const double> v) const {
  std::vector<double> out(v.begin(), v.end());
  if (!thin_) {
    solve_positive(factor_, std::span(out));
    return out;
  }
  std::vector<double> along = multiply_transposed(A_, v);
  solve_positive(factor_, std::span(along));
  cblas_dgemv(CblasColMajor, CblasNoTrans, narrow(A_.rows()), narrow(A_.cols()), -1.0, A_.col(0), narrow(A_.rows()),
              along.data(), 1, 1.0, out.data(), 1);
  return out;
}

// Thin: 1 minus the squared norms of the rows of A L'^-1, where I + A'A = LL'. Otherwise I + AA' = LL', and entry i is
// the squared norm of column i of L^-1.
std::vector<double> LowRank::inverse_diagonal() const {
  std::vector<double> out(A_.rows(), thin_ ? 1.0 : 0.0);
  Matrix half = thin_ ? A_ : Matrix(A_.rows(), A_.rows());
  if (thin_) {
    solve_lower_right(factor_, half);
  } else {
    for (Index i = 0; i < half.rows(); ++i) half(i, i) = 1;
    solve_lower(factor_, half, /*transposed=*/true);
  }
  for (Index k = 0; k < half.cols(); ++k) {
    const double* h = half.col(k);
    for (Index i = 0; i < std::ssize(out); ++i) out[i] += (thin_ ? -1 : 1) * h[i] * h[i];
  }
  return out;
}

}  // namespace tamis
