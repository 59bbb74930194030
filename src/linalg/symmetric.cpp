#include "linalg/symmetric.hpp"

#include "base/numerical_failure.hpp"

extern "C" {
void dsyevd_(const char* job, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info);
}

namespace tamis {

std::vector<double> symmetric_eigen(Matrix& A) {
  const auto n = static_cast<int>(A.rows());
  std::vector<double> values(n);
  if (n == 0) return values;
  int info = 0, integers = 0;
  double reals = 0;
  const int query = -1;
  dsyevd_("V", "L", &n, A.col(0), &n, values.data(), &reals, &query, &integers, &query, &info);
  std::vector<double> work(static_cast<Index>(reals));
  std::vector<int> whole(integers);
  const auto length = static_cast<int>(work.size());
  dsyevd_("V", "L", &n, A.col(0), &n, values.data(), work.data(), &length, whole.data(), &integers, &info);
  if (info != 0) throw NumericalFailure("the eigenvalue decomposition of a symmetric matrix did not converge");
  return values;
}

bool cholesky(Matrix& A) {
  const auto n = static_cast<int>(A.rows());
  int info = 0;
  if (n > 0) dpotrf_("L", &n, A.col(0), &n, &info);
  return info == 0;
}

// LAPACK's potri fills the lower triangle only; callers index both.
void invert_factored(Matrix& factor) {
  const auto n = static_cast<int>(factor.rows());
  int info = 0;
  if (n > 0) dpotri_("L", &n, factor.col(0), &n, &info);
  for (Index j = 0; j < factor.cols(); ++j) {
    for (Index i = j + 1; i < factor.rows(); ++i) factor(j, i) = factor(i, j);
  }
}

bool invert_positive(Matrix& A) {
  if (!cholesky(A)) return false;
  invert_factored(A);
  return true;
}

}  // namespace tamis
