// The problem of a spike-and-slab method on its working scale, and the way back.
//
// Columns    those that vary, centered and of unit standard deviation as asked for; constant ones are dropped
// (coefficient 0). Response   gaussian: r = (y - offset - mean) / unit, unit its weighted standard deviation, so that
// sum w r^2 = 1 and
//            default priors mean the same for any unit of y. Other families: y, and the offset stays in the predictor.
// Back       b_j = unit b'_j / scale_j,  b0 = mean + unit b0' - sum_j b_j center_j; the log density of y is that of r
//            minus (degrees of freedom) log(unit).
// Hazard     A response of 1e200 has no square: it is divided by its largest entry before it is squared. A spread below
//            1e-13 of the size is rounding error of a constant response, and r is then exactly 0.
#include "problem/scaled_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "family/null_intercept.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// A spread below this share of the response's size is rounding error: the response is constant.
constexpr double rounding_spread = 1e-13;

}  // namespace

ScaledProblem::ScaledProblem(const Problem& problem) : problem_(problem), scale_(problem) {
  for (Index j = 0; j < problem.X.cols(); ++j) {
    if (scale_.scale(j) > 0) kept_.push_back(j);
  }
  weights_.assign(rows(), 1.0);
  if (!problem.weights.empty()) weights_.assign(problem.weights.begin(), problem.weights.end());
  // Standardized columns have x'Wx = samples by construction; exactly equal values also let methods share work.
  curvature_.assign(kept_.size(), samples());
  if (!problem.standardize) X().squared_norms(kept_, weights_, curvature_);
  if (!std::ranges::all_of(curvature_, [](double c) { return std::isfinite(c) && c > 0; })) {
    throw InvalidInput("X: squared column norms overflow or underflow; standardize or rescale the columns");
  }
  response_.assign(problem.y.begin(), problem.y.end());
  if (gaussian()) center_response();
}

void ScaledProblem::center_response() {
  const std::vector<double>& weights = scale_.weights();
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) response_[i] -= problem_.offset[i];
  double size = 0;
  for (Index i = 0; i < std::ssize(response_); ++i) {
    if (weights[i] > 0) size = std::max(size, std::abs(response_[i]));
    if (problem_.intercept) mean_ += weights[i] * response_[i];
  }
  if (size == 0) size = 1;
  double square = 0;
  for (Index i = 0; i < std::ssize(response_); ++i) {
    response_[i] = (response_[i] - mean_) / size;
    square += weights[i] * response_[i] * response_[i];
  }
  const double spread = std::sqrt(square);
  constant_ = spread <= rounding_spread;
  unit_ = constant_ ? size : size * spread;
  for (double& r : response_) r = constant_ ? 0.0 : r / spread;
}

double ScaledProblem::mean_curvature() const {
  double sum = 0;
  for (const double c : curvature_) sum += c;
  return sum / (static_cast<double>(features()) * samples());
}

double ScaledProblem::log_density_shift() const { return -degrees_of_freedom() * std::log(unit_); }

std::string_view ScaledProblem::nothing_to_explain() const {
  if (constant_) return "the response is constant";
  return kept_.empty() ? "every column of X is constant" : "";
}

Fit ScaledProblem::null_fit() const {
  Fit fit;
  to_original(0.0, {}, {}, {}, fit);
  if (!gaussian() && problem_.intercept) {
    fit.intercept = null_intercept(problem_.likelihood, problem_.y, scale_.weights(), problem_.offset);
  }
  if (problem_.likelihood.has_noise()) fit.noise_variance = constant_ ? 0.0 : unit_ * unit_;
  fit.trace.push_back({1, 0, 0, 0, 0});
  fit.message = fmt::format("no features selected because {}", nothing_to_explain());
  return fit;
}

void ScaledProblem::to_original(double intercept, std::span<const double> mean, std::span<const double> deviation,
                                std::span<const double> inclusion, Fit& fit) const {
  const Index p = problem_.X.cols();
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.intercept = mean_ + unit_ * intercept;
  for (Index k = 0; k < std::ssize(mean); ++k) {
    const Index column = kept_[k];
    const Index j = column;
    fit.coefficients[j] = scale_.to_original(column, unit_ * mean[k]);
    fit.standard_deviations[j] = scale_.to_original(column, unit_ * deviation[k]);
    fit.inclusion[j] = inclusion[k];
    fit.intercept -= fit.coefficients[j] * scale_.center(column);
  }
}

std::vector<double> ScaledProblem::scatter(std::span<const double> values, double fill) const {
  std::vector<double> all(problem_.X.cols(), fill);
  for (Index k = 0; k < std::ssize(values); ++k) all[kept_[k]] = values[k];
  return all;
}

double ScaledProblem::original_coefficient(Index k, double working) const {
  return scale_.to_original(kept_[k], unit_ * working);
}

double ScaledProblem::original_intercept(double working, std::span<const double> original_coefficients_of_kept) const {
  double intercept = mean_ + unit_ * working;
  for (Index k = 0; k < std::ssize(original_coefficients_of_kept); ++k)
    intercept -= original_coefficients_of_kept[k] * scale_.center(kept_[k]);
  return intercept;
}

}  // namespace tamis
