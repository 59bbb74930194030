// Columns for ridge: standardization, penalty factors and, for p > n, rotation into the row space.
//
// Model      Z = (X - means) / (spread sqrt(f)): the penalty becomes |c|^2 / 2 on all penalized columns. f = 0:
//            unpenalized; f = infinity: excluded.
// Rotation   K = W^(1/2) Z Z'W^(1/2) = U D U'. The minimizer lies in the row space, so c = V s with V = Z'W^(1/2) U
//            D^(-1/2) and R = Z V (n columns at most) has the same solutions. For every likelihood and any weights of
//            the rows, hence one rotation serves all folds. Hastie & Tibshirani (2004), Biostatistics 5(3).
#include "method/ridge/ridge_basis.hpp"

#include <algorithm>
#include <cmath>

#include "design/row_gram.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

// Rows up to which the O(n^3) eigendecomposition costs less than the passes over X it saves, and unpenalized columns up
// to which carrying them along densely is harmless.
constexpr Index max_rows_to_rotate = 2000;
constexpr Index max_free_to_rotate = 200;

double factor_of(const Problem& problem, std::size_t j) {
  return problem.penalty_factors.empty() ? 1.0 : problem.penalty_factors[j];
}

StandardizedDesign features_of(const Problem& problem, const Standardization& scale) {
  const Index p = problem.X.cols();
  std::vector<double> center(p), spread(p);
  for (Index j = 0; j < p; ++j) {
    center[j] = scale.center(j);
    const double factor = factor_of(problem, j);
    spread[j] = scale.scale(j);
    if (factor > 0) spread[j] = std::isinf(factor) ? 0.0 : spread[j] * std::sqrt(factor);
  }
  return {problem.X, std::move(center), std::move(spread)};
}

}  // namespace

RidgeBasis::RidgeBasis(const Problem& problem) : problem_(problem), scale_(problem), Z_(features_of(problem, scale_)) {
  const Index p = problem.X.cols();
  penalized_features_.assign(p, 0.0);
  std::vector<Index> free;
  for (Index j = 0; j < p; ++j) {
    if (Z_.scale()[j] == 0) continue;
    ++active_;
    if (factor_of(problem, j) > 0) {
      penalized_features_[j] = 1;
    } else {
      free.push_back(j);
    }
  }
  penalized_ = penalized_features_;
  const bool wide = problem.X.cols() > problem.X.rows();
  if (wide && problem.X.rows() <= max_rows_to_rotate && std::ssize(free) <= max_free_to_rotate) rotate(free);
}

// V is kept as Z' back_, so that it takes n x rank numbers instead of p x rank. Rows of weight 0 have no part in K but
// get their rows of R = Z V like all others: they are the held-out rows of other problems.
void RidgeBasis::rotate(const std::vector<Index>& free) {
  const Index n = problem_.X.rows();
  const Matrix outer = row_gram(Z_, Z_.all(), penalized_features_);
  Matrix U(n, n);
  const std::vector<double>& w = scale_.weights();
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) U(i, j) = std::sqrt(w[i] * w[j]) * outer(i, j);
  }
  const std::vector<double> d = symmetric_eigen(U);
  // Directions of rounding size are dropped: V would divide by the root of their eigenvalue.
  const double least = static_cast<double>(n) * 1e-15 * std::max(0.0, d.back());
  const auto rank = std::ranges::count_if(d, [&](double x) { return x > least; });
  back_ = Matrix(n, rank);
  for (Index k = 0; k < rank; ++k) {
    const Index from = n - 1 - k;  // largest first
    for (Index i = 0; i < n; ++i) {
      back_(i, k) = std::sqrt(w[i] / d[from]) * U(i, from);
    }
  }
  rotated_ = Matrix(n, rank + std::ssize(free));
  DenseDesign(outer).multiply_add(Columns::range(0, n), back_, MatrixView(rotated_.col(0), n, rank));
  Z_.gather(Columns(free), MatrixView(rotated_.col(rank), n, std::ssize(free)));
  penalized_.assign(rank, 1.0);
  penalized_.resize(penalized_.size() + free.size(), 0.0);
  reduced_ = std::make_unique<DenseDesign>(rotated_.view());
}

std::vector<double> RidgeBasis::to_feature_space(std::span<const double> s) const {
  if (!is_rotated()) return {s.begin(), s.end()};
  const Index p = problem_.X.cols();
  const Index rank = back_.cols();
  std::vector<double> rows(problem_.X.rows()), c(p);
  DenseDesign(back_).multiply_add(Columns::range(0, rank), s.first(rank), std::span(rows));
  Z_.transpose_multiply(Z_.all(), std::span<const double>(rows), std::span(c));
  Index next_free = rank;
  for (Index j = 0; j < p; ++j) {
    // Unpenalized columns were carried along unrotated, after the rank directions.
    if (penalized_features_[j] == 0) c[j] = Z_.scale()[j] == 0 ? 0.0 : s[next_free++];
  }
  return c;
}

void RidgeBasis::to_original(std::span<const double> c, double intercept, Fit& fit) const {
  fit.coefficients.assign(c.size(), 0.0);
  fit.intercept = intercept;
  for (Index j = 0; j < std::ssize(c); ++j) {
    const double spread = Z_.scale()[j];
    if (spread == 0) continue;
    fit.coefficients[j] = c[j] / spread;
    fit.intercept -= fit.coefficients[j] * Z_.center()[j];
  }
}

}  // namespace tamis
