// The model that a sparse method must beat: an intercept and nothing else.
#include <algorithm>
#include <cmath>

#include "compare/held_out_scores.hpp"

namespace tamis {
namespace {

double weight(const Problem& problem, std::size_t i) { return problem.weights.empty() ? 1.0 : problem.weights[i]; }

double mean_response(const Problem& problem) {
  double total = 0, sum = 0;
  for (Index i = 0; i < std::ssize(problem.y); ++i) {
    total += weight(problem, i);
    sum += weight(problem, i) * problem.y[i];
  }
  return sum / total;
}

std::vector<double> predictor(const Problem& problem, double intercept) {
  std::vector<double> eta(problem.y.size(), intercept);
  for (Index i = 0; i < std::ssize(problem.offset); ++i) eta[i] += problem.offset[i];
  return eta;
}

// Newton with bounded steps: the loss is convex, and with offsets of moderate size nearly quadratic where it starts.
double best_intercept(const Problem& problem) {
  const bool quadratic = problem.likelihood.is_quadratic();
  constexpr double rarest = 1e-9;  // a response without events has its optimum at minus infinity
  const double mean = mean_response(problem);
  double intercept = quadratic ? mean : problem.likelihood.link(std::max(mean, rarest));
  if (problem.offset.empty()) return intercept;
  std::vector<double> residual(problem.y.size()), curvature(problem.y.size());
  constexpr int most_steps = 200;
  for (int step = 0; step < most_steps; ++step) {
    problem.likelihood.derivatives(problem.y, predictor(problem, intercept), residual, curvature);
    double slope = 0, bend = 0;
    for (Index i = 0; i < std::ssize(residual); ++i) {
      slope += weight(problem, i) * residual[i];
      bend += weight(problem, i) * curvature[i];
    }
    double change = bend > 0 ? slope / bend : 0;
    if (!quadratic) change = std::clamp(change, -1.0, 1.0);
    intercept += change;
    if (std::abs(change) <= 1e-12 * (1 + std::abs(intercept))) break;
  }
  return intercept;
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
