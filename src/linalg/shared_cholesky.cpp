#include "linalg/shared_cholesky.hpp"

#include <algorithm>

#include "tamis/base/parallel.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace tamis {
namespace {

constexpr Index block = 96;

// Rows of the block's columns below its triangle: B = B L^-T.
void solve_rows(Matrix& A, Index j, Index width, Index first, Index last) {
  const auto rows = static_cast<int>(last - first), columns = static_cast<int>(width);
  const auto stride = static_cast<int>(A.rows());
  const double one = 1;
  dtrsm_("R", "L", "T", "N", &rows, &columns, &one, A.col(j) + j, &stride, A.col(j) + first, &stride);
}

// Columns c, ..., c + count - 1 from their diagonal down, less what the block explains of them.
void update_columns(Matrix& A, Index j, Index width, Index c, Index count) {
  const auto rows = static_cast<int>(A.rows() - c), columns = static_cast<int>(count), inner = static_cast<int>(width);
  const auto stride = static_cast<int>(A.rows());
  const double minus = -1, one = 1;
  const double* from = A.col(j) + c;
  dgemm_("N", "T", &rows, &columns, &inner, &minus, from, &stride, from, &stride, &one, A.col(c) + c, &stride);
}

}  // namespace

bool shared_cholesky(Matrix& A) {
  const Index n = A.rows();
  const auto stride = static_cast<int>(n);
  for (Index j = 0; j < n; j += block) {
    const Index width = std::min(block, n - j), below = j + width;
    const auto size = static_cast<int>(width);
    int info = 0;
    dpotrf_("L", &size, A.col(j) + j, &stride, &info);
    if (info != 0) return false;
    parallel_for(n - below, block,
                 [&](Index begin, Index end) { solve_rows(A, j, width, below + begin, below + end); });
    parallel_for(n - below, block / 2,
                 [&](Index begin, Index end) { update_columns(A, j, width, below + begin, end - begin); });
  }
  return true;
}

// Entry k is the square of column k of the factor's inverse, which begins at its diagonal.
std::vector<double> inverse_diagonal(const Matrix& factor) {
  const Index n = factor.rows();
  std::vector<double> diagonal(static_cast<std::size_t>(n));
  parallel_for(n, block, [&](Index begin, Index end) {
    Matrix columns(n - begin, end - begin);
    for (Index k = 0; k < columns.cols(); ++k) columns(k, k) = 1;
    const auto rows = static_cast<int>(columns.rows()), count = static_cast<int>(columns.cols());
    const auto stride = static_cast<int>(n);
    const double one = 1;
    dtrsm_("L", "L", "N", "N", &rows, &count, &one, factor.col(begin) + begin, &stride, columns.col(0), &rows);
    for (Index k = begin; k < end; ++k) {
      for (const double value : columns.column(k - begin)) diagonal[static_cast<std::size_t>(k)] += value * value;
    }
  });
  return diagonal;
}

}  // namespace tamis
