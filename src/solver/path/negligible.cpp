#include "solver/path/negligible.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tamis {
namespace {

// Bound of the change of any gradient in the support, in units of its threshold, when coefficient b_s is set to 0. By
// Cauchy-Schwarz the gradient of feature t moves by |x_t'H x_s b_s| <= sqrt(c_t c_s) |b_s|, c = diag(X'HX); that of s
// also loses its ridge term. Summed in increasing order until the tolerance is used up.
std::vector<double> moves_of(const PenalizedLoss& problem, const PenalizedSolution& solution,
                             std::span<const double> curvature) {
  const auto threshold = [&](std::size_t s) {
    const double factor = problem.factor(solution.support[s]);
    return solution.penalty * problem.l1_ratio * (factor > 0 ? factor : 1.0);
  };
  double most = 0;
  for (Index s = 0; s < std::ssize(curvature); ++s) most = std::max(most, std::sqrt(curvature[s]) / threshold(s));
  std::vector<double> moves(curvature.size());
  for (Index s = 0; s < std::ssize(moves); ++s) {
    const double ridge = solution.penalty * problem.factor(solution.support[s]) * (1 - problem.l1_ratio);
    moves[s] = std::abs(solution.values[s]) * (std::sqrt(curvature[s]) * most + ridge / threshold(s));
  }
  return moves;
}

}  // namespace

PenalizedSolution without_negligible(const PenalizedLoss& problem, const PenalizedSolution& solution,
                                     std::span<const double> curvature, double tolerance) {
  const std::vector<double> moves = moves_of(problem, solution, curvature);
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t s) { return moves[s]; });
  std::vector<char> goes(moves.size(), 0);
  double moved = 0;
  for (const std::size_t s : order) {
    if (problem.factor(solution.support[s]) == 0) continue;
    moved += moves[s];
    if (!(moved <= tolerance)) break;
    goes[s] = 1;
  }
  PenalizedSolution out = solution;
  out.support.clear();
  out.values.clear();
  for (Index s = 0; s < std::ssize(goes); ++s) {
    if (goes[s] != 0) continue;
    out.support.push_back(solution.support[s]);
    out.values.push_back(solution.values[s]);
  }
  return out;
}

std::vector<double> curvature_of(const PenalizedLoss& problem, std::span<const double> eta, Columns features) {
  std::vector<double> residual(eta.size()), curvature(eta.size()), out(features.size());
  problem.likelihood.derivatives(problem.y, eta, residual, curvature);
  for (Index i = 0; i < std::ssize(curvature); ++i) curvature[i] *= problem.weights[i];
  problem.X.squared_norms(features, curvature, out);
  return out;
}

}  // namespace tamis
