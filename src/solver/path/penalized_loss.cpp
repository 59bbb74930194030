#include "solver/path/penalized_loss.hpp"

namespace tamis {

// -sum_i w_i loss*(-theta_i / w_i) - theta'offset: Fenchel duality with the linear predictor as the primal variable.
// The intercept contributes the constraint sum_i theta_i = 0, which holds where the intercept is profiled out.
double dual_loss(const PenalizedLoss& problem, std::span<const double> residual, double scale) {
  double total = 0;
  for (Index i = 0; i < std::ssize(residual); ++i) {
    const double weight = problem.weights[i];
    if (weight == 0) continue;
    const double theta = scale * residual[i];
    total -= weight * problem.likelihood.conjugate(problem.y[i], theta / weight);
    if (!problem.offset.empty()) total -= theta * problem.offset[i];
  }
  return total;
}

double saturated_loss(const Family& likelihood, std::span<const double> y, std::span<const double> weights) {
  double total = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    // The deviance is twice the distance from saturation, at any predictor.
    if (weights[i] > 0) total += weights[i] * (likelihood.loss(y[i], 0) - 0.5 * likelihood.deviance(y[i], 0));
  }
  return total;
}

}  // namespace tamis
