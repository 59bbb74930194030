#include "optim/penalised_loss.hpp"

namespace tamis {

double dual_loss(const PenalisedLoss& problem, std::span<const double> residual, double scale) {
  double total = 0;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const double weight = problem.weights[i];
    if (weight == 0) continue;
    const double theta = scale * residual[i];
    total -= weight * problem.likelihood.conjugate(problem.y[i], theta / weight);
    if (!problem.offset.empty()) total -= theta * problem.offset[i];
  }
  return total;
}

}  // namespace tamis
