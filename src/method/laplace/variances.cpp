#include "method/laplace/variances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/outer_product.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

constexpr Index most_full = 5000;        // features of which all pairs are held
constexpr double affordable_work = 4e9;  // multiply-adds
constexpr int ensemble = 5;              // the paper's
constexpr Index columns_of_a_member = 5;

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

class Hessian {
 public:
  Hessian(const Observations& observations, std::span<const double> information, std::span<const double> prior)
      : observations_(observations), information_(information), prior_(prior) {
    for (const double b : information) total_ += observations.has_intercept() ? b : 0.0;
  }

  std::vector<double> by_rows() const;
  std::vector<double> by_features() const;
  std::vector<double> by_landmarks(std::span<const Index> landmarks) const;

 private:
  Columns kept() const { return observations_.kept(); }
  /// Columns less their mean under the information.
  Matrix centred(Columns c) const;

  const Observations& observations_;
  std::span<const double> information_, prior_;
  double total_ = 0;
};

Matrix Hessian::centred(Columns c) const {
  Matrix X(observations_.rows(), c.size());
  observations_.X().gather(c, X);
  for (Index k = 0; k < X.cols() && total_ > 0; ++k) {
    const double mean = std::inner_product(information_.begin(), information_.end(), X.col(k), 0.0) / total_;
    for (double& x : X.column(k)) x -= mean;
  }
  return X;
}

// With the columns weighted by the roots of the information: R - R x'(I + X R X')^-1 x R.
std::vector<double> Hessian::by_rows() const {
  const Index n = observations_.rows(), p = observations_.features();
  Matrix C = outer_product(observations_.X(), kept(), prior_);
  if (total_ > 0) {
    std::vector<double> along = multiply_transposed(C, information_);
    const double mean = std::inner_product(along.begin(), along.end(), information_.begin(), 0.0) / total_;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) C(i, j) -= (along[at(i)] + along[at(j)] - mean) / total_;
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) C(i, j) *= std::sqrt(information_[at(i)] * information_[at(j)]);
    C(j, j) += 1;
  }
  if (!cholesky(C)) throw std::runtime_error("a covariance of rows is not finite");
  std::vector<double> variances(prior_.begin(), prior_.end());
  constexpr Index panel = 64;
  parallel_for(p, panel, [&](Index begin, Index end) {
    Matrix X = centred(kept().slice(begin, end - begin));
    for (Index k = 0; k < X.cols(); ++k) {
      for (Index i = 0; i < n; ++i) X(i, k) *= std::sqrt(information_[at(i)]);
    }
    solve_lower(C, X);
    for (Index k = 0; k < X.cols(); ++k) {
      const double square = std::inner_product(X.col(k), X.col(k) + n, X.col(k), 0.0);
      double& v = variances[at(begin + k)];
      v = std::max(0.0, v - v * v * square);
    }
  });
  return variances;
}

std::vector<double> Hessian::by_features() const {
  const Index p = observations_.features();
  if (p > most_full) {
    throw InvalidOption(
        fmt::format("hessian: full inverts a {0} x {0} matrix; expected at most {1} features: use dual, "
                    "landmark or nystrom",
                    p, most_full));
  }
  Matrix H(p, p);
  observations_.X().gram(kept(), information_, H);
  if (total_ > 0) {
    std::vector<double> sums(at(p));
    observations_.X().transpose_multiply(kept(), information_, std::span(sums));
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < p; ++i) H(i, j) -= sums[at(i)] * sums[at(j)] / total_;
    }
  }
  for (Index j = 0; j < p; ++j) H(j, j) += 1 / prior_[at(j)];
  if (!invert_positive(H)) throw std::runtime_error("the Hessian at the mode is not positive");
  std::vector<double> variances(at(p));
  for (Index j = 0; j < p; ++j) variances[at(j)] = H(j, j);
  return variances;
}

// X'BX is taken for A W^-1 A', A = X'B X_l and W = X_l'B X_l for the landmarks l. Then the diagonal of the inverse is
// R - R a'(W + A'R A)^-1 a R with a a row of A.
std::vector<double> Hessian::by_landmarks(std::span<const Index> landmarks) const {
  const Index p = observations_.features(), k = static_cast<Index>(landmarks.size());
  std::vector<double> variances(prior_.begin(), prior_.end());
  if (k == 0) return variances;
  std::vector<Index> columns;
  for (const Index j : landmarks) columns.push_back(observations_.kept()[at(j)]);
  Matrix weighted = centred(Columns(columns));
  for (Index c = 0; c < k; ++c) {
    for (Index i = 0; i < weighted.rows(); ++i) weighted(i, c) *= information_[at(i)];
  }
  Matrix A(p, k), M(k, k);
  observations_.X().transpose_multiply(kept(), weighted, A);
  for (Index c = 0; c < k; ++c) {
    for (Index r = 0; r < k; ++r) M(r, c) = 0.5 * (A(landmarks[at(r)], c) + A(landmarks[at(c)], r));
  }
  Matrix scaled = A;
  for (Index c = 0; c < k; ++c) {
    for (Index j = 0; j < p; ++j) scaled(j, c) *= prior_[at(j)];
  }
  const Matrix inner = multiply_transposed(ConstMatrixView(A), ConstMatrixView(scaled));
  double trace = 0;
  for (Index c = 0; c < k; ++c) {
    for (Index r = 0; r < k; ++r) M(r, c) += inner(r, c);
    trace += M(c, c);
  }
  for (Index c = 0; c < k; ++c) M(c, c) += 1e-12 * trace;  // landmarks may be copies of each other
  if (!invert_positive(M)) throw std::runtime_error("the landmarks' covariance is not finite");
  const Matrix product = multiply(A, M);
  for (Index j = 0; j < p; ++j) {
    double square = 0;
    for (Index c = 0; c < k; ++c) square += product(j, c) * A(j, c);
    variances[at(j)] = std::max(0.0, prior_[at(j)] - prior_[at(j)] * prior_[at(j)] * square);
  }
  return variances;
}

}  // namespace

HessianKind affordable_hessian(const Observations& observations) {
  const auto n = static_cast<double>(observations.rows()), p = static_cast<double>(observations.features());
  if (n <= p && n * n * p <= affordable_work) return HessianKind::dual;
  if (p <= n && p * p * n <= affordable_work) return HessianKind::full;
  return HessianKind::landmark;
}

std::vector<double> posterior_variances(const Observations& observations, std::span<const double> information,
                                        std::span<const double> prior_variances, HessianKind kind,
                                        std::span<const Index> landmarks, std::uint64_t seed) {
  const Hessian hessian(observations, information, prior_variances);
  if (kind == HessianKind::dual) return hessian.by_rows();
  if (kind == HessianKind::full) return hessian.by_features();
  if (kind == HessianKind::landmark) return hessian.by_landmarks(landmarks);
  const Index p = observations.features();
  std::vector<double> mean(at(p), 0.0);
  for (int member = 0; member < ensemble; ++member) {
    RandomStream random(seed, static_cast<std::uint64_t>(member));
    std::vector<Index> chosen;
    while (static_cast<Index>(chosen.size()) < std::min(p, columns_of_a_member)) {
      const Index j = random.index(p);
      if (std::ranges::find(chosen, j) == chosen.end()) chosen.push_back(j);
    }
    const std::vector<double> one = hessian.by_landmarks(chosen);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += one[j] / ensemble;
  }
  return mean;
}

}  // namespace tamis
