// Null model: intercept and offset only. Its held-out error is the reference for all methods: a method that does not
// reach it has found nothing that predicts. It is fitted here rather than by a method with an infinite penalty, so that
// the reference is the same whatever methods are compared.
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

// Maximum likelihood intercept given the offset. A training part may hold one class only, or only zero counts; the
// optimum is then at -infinity (or +infinity), and the held-out log score of any other outcome as well. There the
// response is replaced by a rate of 1e-9 (or 1 - 1e-9), which leaves the score finite but very poor.
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

Fit fit_null_model(const Problem& problem) {
  Fit fit;
  fit.family = problem.likelihood.name();
  fit.features = feature_names(problem);
  fit.coefficients.assign(fit.features.size(), 0.0);
  fit.intercept = problem.intercept ? best_intercept(problem) : 0.0;
  if (!problem.likelihood.has_noise()) return fit;
  const std::vector<double> eta = predictor(problem, fit.intercept);
  // Maximum likelihood noise variance sum_i w_i r_i^2 / sum_i w_i; no correction for the intercept, as in the methods.
  double total = 0, sum = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    total += weight(problem, i);
    sum += weight(problem, i) * (problem.y[i] - eta[i]) * (problem.y[i] - eta[i]);
  }
  fit.noise_variance = sum / total;
  return fit;
}

}  // namespace tamis
