// The model that a sparse method must beat: an intercept and nothing else.
#include <cmath>

#include "compare/held_out_scores.hpp"
#include "family/null_intercept.hpp"

namespace tamis {
namespace {

double weight(const Problem& problem, std::size_t i) { return problem.weights.empty() ? 1.0 : problem.weights[i]; }

std::vector<double> predictor(const Problem& problem, double intercept) {
  std::vector<double> eta(problem.y.size(), intercept);
  for (Index i = 0; i < std::ssize(problem.offset); ++i) eta[i] += problem.offset[i];
  return eta;
}

// A response without events, as a part of the rows may have, has its optimum at minus infinity: there each has this
// rate.
double best_intercept(const Problem& problem) {
  constexpr double rarest = 1e-9;
  const auto best = [&](std::span<const double> y) {
    return null_intercept(problem.likelihood, y, problem.weights, problem.offset);
  };
  const double intercept = best(problem.y);
  if (std::isfinite(intercept)) return intercept;
  return best(std::vector<double>(problem.y.size(), intercept < 0 ? rarest : 1 - rarest));
}

}  // namespace

Fit fit_without_features(const Problem& problem) {
  Fit fit;
  fit.family = problem.likelihood.name();
  fit.features = feature_names(problem);
  fit.coefficients.assign(fit.features.size(), 0.0);
  fit.intercept = problem.intercept ? best_intercept(problem) : 0.0;
  if (!problem.likelihood.has_noise()) return fit;
  const std::vector<double> eta = predictor(problem, fit.intercept);
  double total = 0, sum = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    total += weight(problem, i);
    sum += weight(problem, i) * (problem.y[i] - eta[i]) * (problem.y[i] - eta[i]);
  }
  fit.noise_variance = sum / total;
  return fit;
}

}  // namespace tamis
