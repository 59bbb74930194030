// Log evidence of a gaussian spike-and-slab regression at given hyperparameters, and its posterior averages.
//
// Model      y = offset + b0 + X b + noise, b0 flat, b_j = 0 or N(0, slab variance); weighted rows, total weight n
// Formula    log p(y) = log_gain - (n - 1)/2 log(2 pi s2) - n |y|^2 / (2 s2) - 1/2 log n,  |y|^2 the weighted mean
//            square of the centered response and log_gain = log sum_s p(s) p(y | s) / p(y | no feature) by enumeration.
//            The flat b0 integrates to sqrt(2 pi s2 / n): one degree of freedom and the 1/2 log n.
// Invariant  the response has unit mean square (0 if constant) and unit_ turns it back, so that neither a response of
//            1e200 nor one of 1e-200 over- or underflows; the sums X'WX and X'Wy are formed once, an evaluation costs
//            O(2^p) and one product with X
#include "method/exact/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr double log_2pi = 1.8378770664093454836;
// A response whose spread is below this share of its size is constant but for rounding.
constexpr double rounding_spread = 1e-13;

double weighted_sum_of_squares(std::span<const double> weights, std::span<const double> v) {
  double sum = 0;
  for (Index i = 0; i < std::ssize(v); ++i) sum += weights[i] * v[i] * v[i];
  return sum;
}

}  // namespace

// Constant columns are collinear with the intercept: excluded, with inclusion 0, rather than left to the ridge.
Evidence::Evidence(const Problem& problem, Index most_features) : problem_(problem), scale_(problem) {
  for (Index j = 0; j < problem.X.cols(); ++j) {
    if (scale_.scale(j) > 0) kept_.push_back(j);
  }
  if (features() > most_features) {
    throw InvalidInput(
        fmt::format("X: received {} non-constant columns; method exact enumerates the subsets of at most {}; preselect "
                    "features, for example the {} strongest of a lasso, or use another method",
                    features(), most_features, most_features));
  }
  center_response();
  gram_ = Matrix(features(), features());
  scale_.X().gram(kept_, scale_.weights(), gram_);
  std::vector<double> weighted(response_);
  for (Index i = 0; i < std::ssize(weighted); ++i) weighted[i] *= scale_.weights()[i];
  correlation_.resize(kept_.size());
  scale_.X().transpose_multiply(kept_, std::span<const double>(weighted), std::span(correlation_));
  if (!std::isfinite(mean_curvature())) {
    throw InvalidInput("X: squared column norms overflow; standardize or rescale the columns");
  }
}

// Scales by the largest entry before squaring, as the square of 1e200 overflows; rows of weight 0 may hold anything and
// do not count for the scale. A spread within rounding of the size is no spread.
void Evidence::center_response() {
  const std::vector<double>& weights = scale_.weights();
  response_.assign(problem_.y.begin(), problem_.y.end());
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) response_[i] -= problem_.offset[i];
  double size = 0;
  for (Index i = 0; i < std::ssize(response_); ++i) {
    if (weights[i] > 0) size = std::max(size, std::abs(response_[i]));
    if (problem_.intercept) mean_ += weights[i] * response_[i];
  }
  if (size == 0) size = 1;
  for (double& r : response_) r = (r - mean_) / size;
  const double spread = std::sqrt(weighted_sum_of_squares(weights, response_));
  if (spread <= rounding_spread) {
    std::ranges::fill(response_, 0.0);
    mean_square_ = 0;
    unit_ = size;
    return;
  }
  for (double& r : response_) r /= spread;
  unit_ = size * spread;
}

// 1 without features: it only serves as a divisor for starting values and bounds then.
double Evidence::mean_curvature() const {
  double sum = 0;
  for (Index k = 0; k < features(); ++k) sum += gram_(k, k);
  return features() > 0 ? sum / static_cast<double>(features()) : 1.0;
}

Evidence::Value Evidence::at(const SpikeAndSlab& model) const {
  Value value;
  value.average = average_over_subsets(gram_, correlation_, samples(), model);
  const SubsetAverage& average = value.average;
  // E|y - Xb|^2 = |y - X E b|^2 + tr(X'WX Cov b). The first from the data, not as y'y - 2 b'X'y + b'X'Xb, which cancels
  // where the noise is small.
  std::vector<double> residual(response_), negative(average.mean);
  for (double& b : negative) b = -b;
  scale_.X().multiply_add(kept_, std::span<const double>(negative), std::span(residual));
  value.expected_residual = weighted_sum_of_squares(scale_.weights(), residual);
  for (Index i = 0; i < features(); ++i) {
    const double b = average.mean[i];
    value.expected_size += average.inclusion[i];
    value.expected_squares += average.covariance(i, i) + b * b;
    for (Index j = 0; j < features(); ++j) value.expected_residual += gram_(i, j) * average.covariance(i, j);
  }
  const double n = samples();
  value.log_evidence = average.log_gain -
                       0.5 * degrees_of_freedom() * (log_2pi + std::log(model.noise_variance) + 2 * std::log(unit_)) -
                       0.5 * n * mean_square_ / model.noise_variance - (problem_.intercept ? 0.5 * std::log(n) : 0.0);
  return value;
}

void Evidence::to_original(const SubsetAverage& average, Fit& fit) const {
  const Index p = problem_.X.cols();
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.intercept = mean_;
  for (Index k = 0; k < features(); ++k) {
    const Index column = kept_[k];
    const Index j = column;
    fit.coefficients[j] = scale_.to_original(column, unit_ * average.mean[k]);
    fit.standard_deviations[j] = scale_.to_original(column, unit_ * std::sqrt(average.covariance(k, k)));
    fit.inclusion[j] = average.inclusion[k];
    fit.intercept -= fit.coefficients[j] * scale_.center(column);
  }
}

}  // namespace tamis
