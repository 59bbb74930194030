#include "linalg/qr.hpp"

#include <algorithm>
#include <vector>

extern "C" {
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const double* a,
             const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork, int* info);
}

namespace tamis {

double reduce_orthogonally(Matrix& A, Matrix& B) {
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), t = static_cast<int>(B.cols());
  if (n > 0) {
    constexpr int block = 64;
    std::vector<double> tau(n), work(Index{block} * std::max(n, std::max(1, t)));
    const auto length = static_cast<int>(work.size());
    int info = 0;
    dgeqrf_(&m, &n, A.col(0), &m, tau.data(), work.data(), &length, &info);
    if (t > 0) dormqr_("L", "T", &m, &t, &n, A.col(0), &m, tau.data(), B.col(0), &m, work.data(), &length, &info);
  }
  double outside = 0;
  Matrix triangle(n, n), top(n, t);
  for (Index j = 0; j < n; ++j) std::copy_n(A.col(j), j + 1, triangle.col(j));
  for (Index l = 0; l < t; ++l) {
    std::copy_n(B.col(l), n, top.col(l));
    for (Index i = n; i < m; ++i) outside += B(i, l) * B(i, l);
  }
  A = std::move(triangle);
  B = std::move(top);
  return outside;
}

}  // namespace tamis
