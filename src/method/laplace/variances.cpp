// Diagonal of (X'BX + R^-1)^-1, the posterior variances of Laplace's method (Naqvi et al., Section 3.2).
//
// dual       exact, n x n:  R - R x'S (I + S X R X'S)^-1 S x R,  S = B^(1/2)                          O(n^2 p)
// full       exact, p x p inverse                                                                     O(p^2 n + p^3)
// landmark   X'BX replaced by its Nystrom approximation on the slab features: accurate where it matters, since the
//            others keep nearly their prior variance                                                         O(n k p)
// nystrom    the paper's ensemble: mean over d disjoint sets of k random columns, Eq. 7. A set represents no more than
//            k directions of the rows, and a slab feature that is not among its columns keeps nearly its prior
//            variance: at the paper's d = k = 5, p = 1000 and n = 100 slab variances are 35 times too large at the
//            median and 119 times at most. d k > p is impossible; sets of more columns than rows are exact.
// Intercept  profiled out: columns are centered by their mean under B.
// Erratum    the paper's Nystrom formula lacks an X: X'X ~ X'X_k (X_k'X_k)^+ X_k'X.
#include "method/laplace/variances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numerical_failure.hpp"
#include "design/row_gram.hpp"
#include "design/sparse_row_gram.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

constexpr Index max_full = 5000;         // features for which the p x p Hessian is formed
constexpr double affordable_work = 4e9;  // multiply-adds

// X'BX + R^-1 without being formed: information_ is the diagonal of B, prior_ that of R, total_ the sum of B with an
// intercept and 0 without one.
class Hessian {
 public:
  Hessian(const ScaledProblem& scaled, std::span<const double> information, std::span<const double> prior,
          const SparseRowGram* passes)
      : scaled_(scaled), information_(information), prior_(prior), passes_(passes) {
    for (const double b : information) total_ += scaled.has_intercept() ? b : 0.0;
  }

  std::vector<double> by_rows() const;
  std::vector<double> by_features() const;
  std::vector<double> by_landmarks(std::span<const Index> landmarks) const;

 private:
  Columns kept() const { return scaled_.kept(); }
  /// Columns less their mean under the information.
  Matrix centered(Columns c) const;

  const ScaledProblem& scaled_;
  /// R less what a square sum of each feature takes from it, R - R^2 squares.
  std::vector<double> reduced(std::span<const double> squares) const;
  /// A of the features as it is below, and its squares by the factor of W + A'R A.
  std::vector<double> squares_of_rows(const Matrix& weighted, Matrix& M) const;
  std::vector<double> squares_of_entries(Matrix weighted, Matrix& M, std::span<const Index> landmarks) const;

  std::span<const double> information_, prior_;
  const SparseRowGram* passes_;
  double total_ = 0;
};

// With an intercept X'BX is replaced by its Schur complement X'(B - B11'B / 1'B1)X: columns centered by their B-means.
Matrix Hessian::centered(Columns c) const {
  Matrix X(scaled_.rows(), c.size());
  scaled_.X().gather(c, X);
  for (Index k = 0; k < X.cols() && total_ > 0; ++k) {
    const double mean = std::inner_product(information_.begin(), information_.end(), X.col(k), 0.0) / total_;
    for (double& x : X.column(k)) x -= mean;
  }
  return X;
}

// Dual form. XRX' is centered on both sides by rank-one terms instead of centering X, which may be sparse.
std::vector<double> Hessian::by_rows() const {
  const Index n = scaled_.rows(), p = scaled_.features();
  Matrix C = row_gram(scaled_.X(), kept(), prior_);
  if (total_ > 0) {
    std::vector<double> along = multiply_transposed(C, information_);
    const double mean = std::inner_product(along.begin(), along.end(), information_.begin(), 0.0) / total_;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) C(i, j) -= (along[i] + along[j] - mean) / total_;
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) C(i, j) *= std::sqrt(information_[i] * information_[j]);
    C(j, j) += 1;
  }
  if (!cholesky(C)) throw NumericalFailure("the covariance matrix of the rows is not finite");
  std::vector<double> variances(prior_.begin(), prior_.end());
  constexpr Index panel = 64;
  parallel_for(p, panel, [&](Index begin, Index end) {
    Matrix X = centered(kept().slice(begin, end - begin));
    for (Index k = 0; k < X.cols(); ++k) {
      for (Index i = 0; i < n; ++i) X(i, k) *= std::sqrt(information_[i]);
    }
    solve_lower(C, X);
    for (Index k = 0; k < X.cols(); ++k) {
      const double square = std::inner_product(X.col(k), X.col(k) + n, X.col(k), 0.0);
      double& v = variances[begin + k];
      v = std::max(0.0, v - v * v * square);
    }
  });
  return variances;
}

std::vector<double> Hessian::by_features() const {
  const Index p = scaled_.features();
  // An explicit request that cannot be met is refused, not replaced by an approximation without notice.
  if (p > max_full) {
    throw InvalidOption(fmt::format(
        "hessian: full inverts a {0} x {0} matrix; expected at most {1} features; use dual, landmark or nystrom", p,
        max_full));
  }
  Matrix H(p, p);
  scaled_.X().gram(kept(), information_, H);
  if (total_ > 0) {
    std::vector<double> sums(p);
    scaled_.X().transpose_multiply(kept(), information_, std::span(sums));
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < p; ++i) H(i, j) -= sums[i] * sums[j] / total_;
    }
  }
  for (Index j = 0; j < p; ++j) H(j, j) += 1 / prior_[j];
  if (!invert_positive(H)) throw NumericalFailure("the Hessian at the posterior mode is not positive definite");
  std::vector<double> variances(p);
  for (Index j = 0; j < p; ++j) variances[j] = H(j, j);
  return variances;
}

std::vector<double> Hessian::reduced(std::span<const double> squares) const {
  std::vector<double> variances(prior_.begin(), prior_.end());
  for (Index j = 0; j < std::ssize(variances); ++j) {
    // Cancels where the data dominate the prior: rounding or the error of Nystrom may take it below 0.
    variances[j] = std::max(0.0, variances[j] - variances[j] * variances[j] * squares[j]);
  }
  return variances;
}

// Duplicated landmarks make W singular: a relative jitter is added.
void factorize(Matrix& M) {
  double trace = 0;
  for (Index c = 0; c < M.cols(); ++c) trace += M(c, c);
  for (Index c = 0; c < M.cols(); ++c) M(c, c) += 1e-12 * trace;
  if (!cholesky(M)) throw NumericalFailure("the covariance matrix of the landmarks is not finite");
}

// Nystrom: X'BX ~ A W^-1 A' with A = X'B X_l, W = X_l'B X_l, l the landmarks; by Woodbury the diagonal of the inverse
// is R - R a'(W + A'R A)^-1 a R, a the rows of A.
std::vector<double> Hessian::by_landmarks(std::span<const Index> landmarks) const {
  if (landmarks.empty()) return {prior_.begin(), prior_.end()};
  std::vector<Index> columns;
  for (const Index j : landmarks) columns.push_back(scaled_.kept()[j]);
  const Matrix X = centered(Columns(columns));
  Matrix weighted = X;
  for (Index c = 0; c < X.cols(); ++c) {
    for (Index i = 0; i < X.rows(); ++i) weighted(i, c) *= information_[i];
  }
  Matrix M = multiply_transposed(ConstMatrixView(X), ConstMatrixView(weighted));
  return reduced(passes_ != nullptr ? squares_of_entries(std::move(weighted), M, landmarks)
                                    : squares_of_rows(weighted, M));
}

// A'R A and the squares by panels of rows of A that stay in cache.
std::vector<double> Hessian::squares_of_rows(const Matrix& weighted, Matrix& M) const {
  constexpr Index panel = 512;
  const Index p = scaled_.features(), k = weighted.cols();
  Matrix A(p, k);
  scaled_.X().transpose_multiply(kept(), weighted, A);
  for (Index first = 0; first < p; first += panel) {
    Matrix rows(std::min(panel, p - first), k);
    for (Index c = 0; c < k; ++c) {
      for (Index j = 0; j < rows.rows(); ++j) rows(j, c) = std::sqrt(prior_[first + j]) * A(first + j, c);
    }
    add_inner_product(rows, M);
  }
  factorize(M);
  std::vector<double> squares(p, 0.0);
  parallel_for(p, panel, [&](Index begin, Index end) {
    const MatrixView rows(A.col(0) + begin, end - begin, k, p);
    solve_lower_right(M, rows);
    for (Index c = 0; c < k; ++c) {
      for (Index j = 0; j < rows.rows; ++j) squares[begin + j] += rows(j, c) * rows(j, c);
    }
  });
  return squares;
}

// With sparse X two passes are cheaper than writing A: A'R A = U'(X R X')U with U = B X_l, and the factor divides U.
// Single precision suffices for features of small variance; landmarks, whose rows of A are W, are taken in double
// precision, since their posterior variance is a small difference.
std::vector<double> Hessian::squares_of_entries(Matrix weighted, Matrix& M, std::span<const Index> landmarks) const {
  std::vector<double> others(prior_.begin(), prior_.end());
  Matrix W = M, scaled = M;
  for (Index l = 0; l < std::ssize(landmarks); ++l) {
    others[landmarks[l]] = 0;
    for (Index r = 0; r < W.rows(); ++r) scaled(r, l) *= prior_[landmarks[l]];
  }
  const Matrix far = multiply_transposed(ConstMatrixView(weighted), ConstMatrixView(passes_->times(weighted, others)));
  const Matrix near = multiply(scaled, W);
  for (Index c = 0; c < M.cols(); ++c) {
    for (Index r = 0; r < M.rows(); ++r) M(r, c) += near(r, c) + far(r, c);
  }
  factorize(M);
  solve_lower_right(M, weighted);
  solve_lower_right(M, W);
  std::vector<double> squares = passes_->squares(weighted);
  for (Index l = 0; l < std::ssize(landmarks); ++l) {
    double& square = squares[landmarks[l]] = 0;
    for (Index c = 0; c < W.cols(); ++c) square += W(l, c) * W(l, c);
  }
  return squares;
}

}  // namespace

HessianKind affordable_hessian(const ScaledProblem& scaled) {
  const auto n = static_cast<double>(scaled.rows()), p = static_cast<double>(scaled.features());
  // Exact as long as it takes seconds; beyond, the landmarks keep the slab features accurate.
  if (n <= p && n * n * p <= affordable_work) return HessianKind::dual;
  if (p <= n && p * p * n <= affordable_work) return HessianKind::full;
  return HessianKind::landmark;
}

std::vector<double> posterior_variances(const ScaledProblem& scaled, std::span<const double> information,
                                        std::span<const double> prior_variances, HessianKind kind,
                                        std::span<const Index> landmarks, std::uint64_t seed,
                                        const SparseRowGram* passes, NystromSets sets) {
  const Hessian hessian(scaled, information, prior_variances, passes);
  if (kind == HessianKind::dual) return hessian.by_rows();
  if (kind == HessianKind::full) return hessian.by_features();
  if (kind == HessianKind::landmark) return hessian.by_landmarks(landmarks);
  const Index p = scaled.features();
  // A request that cannot be met is refused; in double, since the product may be large.
  if (sets.given && static_cast<double>(sets.count) * static_cast<double>(sets.columns) > static_cast<double>(p)) {
    throw InvalidOption(fmt::format(
        "nystrom_sets: received {} disjoint sets of {} columns; expected at most {} columns in all (features that are "
        "not constant); choose fewer sets or columns",
        sets.count, sets.columns, p));
  }
  const Index size = std::min(p, sets.columns), members = std::min(sets.count, p / size);
  const std::vector<Index> shuffled = RandomStream(seed, 0).permutation(p);
  std::vector<double> mean(p, 0.0);
  for (Index member = 0; member < members; ++member) {
    const std::vector<double> one = hessian.by_landmarks(std::span(shuffled).subspan(member * size, size));
    for (Index j = 0; j < p; ++j) mean[j] += one[j] / static_cast<double>(members);
  }
  return mean;
}

}  // namespace tamis
