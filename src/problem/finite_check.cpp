// The last gate of Method::fit: what leaves it can be saved, read and predicted from.
//
// Three cases, from the worst: coefficients, intercept or inclusion not finite: all are set to 0, with what depends on
// them; variances or noise not finite: these alone are dropped, because a model file cannot hold NaN and no interval
// can use it; only the objective not finite: the model stays. In each case the status is numerical_failure (a cancelled
// run remains cancelled) and the message names the case and the remedy.
#include "problem/finite_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace tamis {
namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

void reset_coefficients(const Method& method, const Problem& problem, Fit& fit) {
  const Index p = problem.X.cols();
  fit.intercept = 0;
  fit.coefficients.assign(p, 0.0);
  fit.inclusion.assign(method.has_inclusion() ? p : 0, 0.0);
  fit.inclusion_error.clear();
  fit.standard_deviations.clear();
  fit.noise_variance.reset();
  fit.hyper.clear();
  fit.model_draws = {};
  fit.components.clear();
  fit.draws = {};
  for (TargetFit& one : fit.more_targets) {
    one.intercept = 0;
    one.coefficients.assign(p, 0.0);
    one.standard_deviations.clear();
  }
}

bool is_state_finite(const Fit& fit) {
  return std::isfinite(fit.intercept) && all_finite(fit.coefficients) && all_finite(fit.inclusion) &&
         std::ranges::all_of(fit.more_targets, [](const TargetFit& one) {
           return std::isfinite(one.intercept) && all_finite(one.coefficients);
         });
}

bool is_finite(const HyperValue& value) {
  if (const auto* many = std::get_if<std::vector<double>>(&value)) return all_finite(*many);
  const auto* one = std::get_if<double>(&value);
  return one == nullptr || std::isfinite(*one);
}

// True if something was dropped.
bool drop_non_finite_variances(Fit& fit) {
  const PosteriorDraws& draws = fit.draws;
  bool broken = !all_finite(draws.coefficients) || !all_finite(draws.intercepts) || !all_finite(draws.noise_variances);
  if (broken) fit.draws = {};
  broken |= !all_finite(fit.standard_deviations);
  if (!all_finite(fit.standard_deviations)) fit.standard_deviations.clear();
  // Covariance and intercept variance are used together by predictions: both are dropped if one is broken.
  for (const char* name : {"covariance", "intercept_variance"}) {
    const auto found = fit.hyper.find(name);
    if (found != fit.hyper.end() && !is_finite(found->second)) broken = true;
  }
  if (broken) {
    fit.hyper.erase("covariance");
    fit.hyper.erase("intercept_variance");
  }
  for (TargetFit& one : fit.more_targets) {
    if (all_finite(one.standard_deviations)) continue;
    one.standard_deviations.clear();
    broken = true;
  }
  if (fit.noise_variance && !std::isfinite(*fit.noise_variance)) {
    fit.noise_variance.reset();
    broken = true;
  }
  return broken;
}

}  // namespace

Fit failed_fit(const Method& method, const Problem& problem, std::string why) {
  Fit fit;
  reset_coefficients(method, problem, fit);
  fit.status = Status::numerical_failure;
  fit.message = std::move(why);
  return fit;
}

void drop_non_finite(const Method& method, const Problem& problem, Fit& fit) {
  std::string lost;
  if (!all_finite(fit.inclusion_error)) fit.inclusion_error.clear();
  if (!is_state_finite(fit)) {
    reset_coefficients(method, problem, fit);
    lost = "coefficients are NaN or infinite and were set to 0";
  } else if (drop_non_finite_variances(fit)) {
    lost = "variances are NaN or infinite and were dropped";
  } else if (!std::isfinite(fit.objective)) {
    lost = "the objective is NaN or infinite";
  }
  if (lost.empty()) return;
  if (fit.status != Status::cancelled) fit.status = Status::numerical_failure;
  fit.message = lost + "; rescale the response and the columns to values near 1; " + fit.message;
}

}  // namespace tamis
