// Gaussian likelihood in the eigenbasis of XX' (p >= n) or X'X (p < n).
//
// Model      y ~ N(0, noise I + common XX' + T C T'): common variance for most features, excess variances C for the k
//            columns T of large variance. In the eigenbasis the first two terms are diagonal.
// Cost       one eigendecomposition, min(n, p)^3; afterwards every support, pair of variances and noise costs O(n k^2).
//            The search evaluates hundreds of them.
// p < n      rows are replaced by p pseudo-rows D^(1/2) V' of X'X = V D V'; the part of y outside their span adds
//            a constant to every sum of squares.
// Numerics   M = I + C^(1/2) T'diag^-1 T C^(1/2) has no eigenvalue below 1, whatever the noise.
#include "method/laplace/gaussian_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "design/row_gram.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/laplace/best_noise.hpp"

namespace tamis {
namespace {

// Least noise as a share of the response's variance. Below, p spikes of variance r0 explain what the noise does (r0 p ~
// noise), and the evidence cannot tell them apart.
constexpr double min_noise = 1e-6;
constexpr double max_rotated_entries = 4e6;  // largest n p for which all rotated columns are kept

}  // namespace

GaussianRows::GaussianRows(const ScaledProblem& scaled) : DualModel(scaled), wide_(scaled.features() >= scaled.rows()) {
  roots_.resize(scaled.rows());
  for (Index i = 0; i < std::ssize(roots_); ++i) roots_[i] = std::sqrt(scaled.weights()[i]);
  if (wide_) {
    rotate_rows();
  } else {
    rotate_features();
  }
}

// p >= n: eigenvectors of W^(1/2) XX'W^(1/2), and the response and (if they fit in memory) all columns in their basis.
void GaussianRows::rotate_rows() {
  vectors_ = row_gram(scaled_.X(), scaled_.kept());
  const Index n = vectors_.rows();
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) vectors_(i, j) *= roots_[i] * roots_[j];
  }
  eigenvalues_ = symmetric_eigen(vectors_);
  for (double& e : eigenvalues_) e = std::max(0.0, e);
  std::vector<double> weighted(roots_);
  for (Index i = 0; i < std::ssize(weighted); ++i) weighted[i] *= scaled_.response()[i];
  response_ = multiply_transposed(vectors_, weighted);
  if (static_cast<double>(n) * static_cast<double>(features()) > max_rotated_entries) return;
  std::vector<Index> all(features());
  std::iota(all.begin(), all.end(), Index{0});
  rotated_columns_ = columns(all);
}

// p < n: eigenvectors of X'WX; the coordinates of y along X V D^(-1/2), and the square that is left.
void GaussianRows::rotate_features() {
  const Design& X = scaled_.X();
  const Index p = features();
  vectors_ = Matrix(p, p);
  X.gram(scaled_.kept(), scaled_.weights(), vectors_);
  eigenvalues_ = symmetric_eigen(vectors_);
  std::vector<double> weighted(roots_.size()), along(p);
  double square = 0;
  for (Index i = 0; i < std::ssize(weighted); ++i) {
    weighted[i] = scaled_.weights()[i] * scaled_.response()[i];
    square += weighted[i] * scaled_.response()[i];
  }
  X.transpose_multiply(scaled_.kept(), std::span<const double>(weighted), std::span(along));
  response_ = multiply_transposed(vectors_, along);
  const double least = 1e-13 * std::max(0.0, eigenvalues_.back());
  for (Index k = 0; k < std::ssize(response_); ++k) {
    // Directions of rounding size are dropped: dividing by the root of their eigenvalue would only add noise.
    eigenvalues_[k] = eigenvalues_[k] > least ? eigenvalues_[k] : 0.0;
    response_[k] = eigenvalues_[k] > 0 ? response_[k] / std::sqrt(eigenvalues_[k]) : 0.0;
    square -= response_[k] * response_[k];
  }
  unexplained_ = std::max(0.0, square);
}

void GaussianRows::correlations(ConstMatrixView duals, MatrixView out) const {
  if (rotated_columns_.cols() > 0) {
    const Matrix product = multiply_transposed(rotated_columns_, duals);
    for (Index k = 0; k < duals.cols; ++k) std::ranges::copy(product.column(k), out.col(k));
    return;
  }
  if (wide_) {
    Matrix rows = multiply(vectors_, duals);
    for (Index k = 0; k < rows.cols(); ++k) {
      for (Index i = 0; i < rows.rows(); ++i) rows(i, k) *= roots_[i];
    }
    scaled_.X().transpose_multiply(scaled_.kept(), rows, out);
    return;
  }
  Matrix scaled(duals.rows, duals.cols);
  for (Index k = 0; k < duals.cols; ++k) {
    for (Index i = 0; i < duals.rows; ++i) scaled(i, k) = std::sqrt(eigenvalues_[i]) * duals(i, k);
  }
  const Matrix product = multiply(vectors_, scaled);
  for (Index k = 0; k < duals.cols; ++k) std::ranges::copy(product.column(k), out.col(k));
}

std::vector<double> GaussianRows::predictor(std::span<const double> w) const {
  if (rotated_columns_.cols() > 0) {
    std::vector<double> fit(rows(), 0.0);
    add_multiply(rotated_columns_, w, fit);
    return fit;
  }
  if (wide_) {
    std::vector<double> rows(roots_.size(), 0.0);
    scaled_.X().multiply_add(scaled_.kept(), w, std::span(rows));
    for (Index i = 0; i < std::ssize(rows); ++i) rows[i] *= roots_[i];
    return multiply_transposed(vectors_, rows);
  }
  std::vector<double> turned = multiply_transposed(vectors_, w);
  for (Index i = 0; i < std::ssize(turned); ++i) turned[i] *= std::sqrt(eigenvalues_[i]);
  return turned;
}

Matrix GaussianRows::columns(std::span<const Index> features) const {
  const Index count = features.size();
  Matrix out(rows(), count);
  if (rotated_columns_.cols() > 0) {
    for (Index k = 0; k < count; ++k) std::ranges::copy(rotated_columns_.column(features[k]), out.col(k));
    return out;
  }
  if (!wide_) {
    for (Index k = 0; k < count; ++k) {
      for (Index i = 0; i < rows(); ++i) out(i, k) = std::sqrt(eigenvalues_[i]) * vectors_(features[k], i);
    }
    return out;
  }
  std::vector<Index> columns;
  for (const Index j : features) columns.push_back(scaled_.kept()[j]);
  scaled_.X().gather(Columns(columns), out);
  for (Index k = 0; k < count; ++k) {
    for (Index i = 0; i < rows(); ++i) out(i, k) *= roots_[i];
  }
  return multiply_transposed(vectors_, ConstMatrixView(out));
}

// Solves with diag(noise + common eigenvalues) + T C T' and evaluates the evidence and its derivative in log noise; T
// the rotated columns of large variance, C their excess variances.
GaussianRows::Solved GaussianRows::solve(const PriorVariances& variances, const Matrix& large_variance,
                                         std::span<const double> response, double noise, bool with_freedom) const {
  const Index n = rows(), k = large_variance.cols();
  double log_determinant = (scaled_.degrees_of_freedom() - static_cast<double>(n)) * std::log(noise);
  std::vector<double> inverse_root(n), half(n);
  for (Index i = 0; i < n; ++i) {
    const double diagonal = noise + variances.common * eigenvalues_[i];
    inverse_root[i] = 1 / std::sqrt(diagonal);
    half[i] = inverse_root[i] * response[i];
    log_determinant += std::log(diagonal);
  }
  std::vector<double> own(with_freedom ? n : 0, 1.0), dual = half;  // (I + scaled scaled')^-1: diagonal, times half
  if (k > 0) {
    Matrix scaled(n, k);  // diag^(-1/2) T C^(1/2)
    for (Index c = 0; c < k; ++c) {
      const double root = std::sqrt(variances.values[c] - variances.common);
      const double* from = large_variance.col(c);
      double* to = scaled.col(c);
      for (Index i = 0; i < n; ++i) to[i] = inverse_root[i] * root * from[i];
    }
    const LowRank low(scaled);
    log_determinant += low.log_determinant();
    dual = low.solve(half);
    if (with_freedom) own = low.inverse_diagonal();
  }
  Solved solved{std::move(dual), {.square = unexplained_ / noise, .residual = unexplained_ / noise}};
  for (Index i = 0; i < n; ++i) {
    solved.evaluation.square += half[i] * solved.dual[i];
    solved.dual[i] *= inverse_root[i];
    solved.evaluation.residual += noise * solved.dual[i] * solved.dual[i];
  }
  // log N(y | 0, covariance); with an intercept, of the n - 1 contrasts.
  const double constant = scaled_.degrees_of_freedom() * std::log(2 * std::numbers::pi);
  solved.evaluation.log_evidence = -0.5 * (constant + log_determinant + solved.evaluation.square);
  solved.evaluation.freedom = scaled_.degrees_of_freedom() - static_cast<double>(n);
  for (Index i = 0; i < std::ssize(own); ++i)
    solved.evaluation.freedom += noise * own[i] * inverse_root[i] * inverse_root[i];
  return solved;
}

RidgeMode GaussianRows::ridge(const PriorVariances& variances, std::span<const double> explained,
                              const RidgeMode* /*near*/) const {
  std::vector<double> left = response_;
  for (Index i = 0; i < std::ssize(explained); ++i) left[i] -= explained[i];
  Solved solved = solve(variances, columns(variances.large_variance), left, noise_variance_, false);
  return {std::move(solved.dual), 0.0, solved.evaluation.log_evidence};
}

std::optional<double> GaussianRows::best_noise_variance(const PriorVariances& variances, double min_evidence) const {
  const Matrix large_variance = columns(variances.large_variance);
  const auto evaluate_noise = [&](double noise) {
    return solve(variances, large_variance, response_, noise, true).evaluation;
  };
  return best_noise(evaluate_noise, noise_variance_, {.least = min_noise, .most = 1}, min_evidence);
}

// -log N(y | predictor, noise) on the degrees of freedom; the intercept was integrated out with the centering.
DualModel::Loss GaussianRows::loss(std::span<const double> predictor, double /*intercept*/) const {
  double square = unexplained_;
  for (Index i = 0; i < std::ssize(response_); ++i) {
    square += (response_[i] - predictor[i]) * (response_[i] - predictor[i]);
  }
  const double freedom = scaled_.degrees_of_freedom();
  return {0.5 * (square / noise_variance_ + freedom * std::log(2 * std::numbers::pi * noise_variance_)), 0.0};
}

std::vector<double> GaussianRows::score(std::span<const double> predictor, double /*intercept*/) const {
  std::vector<double> score(response_);
  for (Index i = 0; i < std::ssize(score); ++i) score[i] = (score[i] - predictor[i]) / noise_variance_;
  return score;
}

// Weights over noise, of the original rows: the variances are computed from X, not in the eigenbasis.
std::vector<double> GaussianRows::curvature(std::span<const double> /*predictor*/, double /*intercept*/) const {
  std::vector<double> information(scaled_.weights().begin(), scaled_.weights().end());
  for (double& b : information) b /= noise_variance_;
  return information;
}

}  // namespace tamis
