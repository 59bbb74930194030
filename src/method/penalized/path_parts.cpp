#include "method/penalized/path_parts.hpp"

#include <cmath>
#include <utility>

#include "solver/path/duplicate_columns.hpp"
#include "solver/path/negligible.hpp"
#include "solver/path/screening_pass.hpp"

namespace tamis {
namespace {

// The result replaces the chosen point only if a full pass certifies it as well.
void clean_support(PenaltyPath& path, PenalizedSolution& chosen, double tolerance) {
  PenalizedSolution settled = chosen;
  if (path.problem().l1_ratio == 1) settled = join_duplicates(path.problem(), settled);
  const std::vector<double> curvature = path.curvature_of_support(settled);
  settled = without_negligible(path.problem(), settled, curvature, tolerance);
  if (settled.support.size() == chosen.support.size()) return;
  path.set_tolerance(2 * tolerance);  // a dropped coefficient may cost one tolerance more
  path.offer(settled);
  screening_pass(std::vector<PenaltyPath*>{&path});
  if (path.accepted() == 0) return;
  PenalizedSolution certified = path.release_solutions().back();
  if (certified.violation <= chosen.violation + tolerance) chosen = std::move(certified);
}

}  // namespace

PenalizedLoss penalized_loss(const Problem& problem, const Standardization& scale, std::vector<double> weights,
                             bool nonnegative) {
  PenalizedLoss loss{.X = scale.X(),
                     .likelihood = problem.likelihood,
                     .y = problem.y,
                     .offset = problem.offset,
                     .weights = std::move(weights),
                     .intercept = problem.intercept,
                     .intercept_unit = scale.intercept_unit(),
                     .nonnegative = nonnegative};
  loss.factors.assign(problem.penalty_factors.begin(), problem.penalty_factors.end());
  return loss;
}

PenalizedLoss penalized_loss_of_fold(const Problem& problem, const Standardization& scale, const Folds& folds, int fold,
                                     bool nonnegative) {
  FoldWeights split = split_weights(folds, fold, scale.weights());
  PenalizedLoss loss = penalized_loss(problem, scale, std::move(split.training), nonnegative);
  loss.validation_weights = std::move(split.validation_weights);
  return loss;
}

std::vector<double> path_grid(const Problem& problem, const GridRequest& request, double largest) {
  if (!(largest > 0)) largest = 1;  // nothing is correlated with y: every penalty gives the null model
  if (!request.penalty) {
    const double ratio = request.path_ratio.value_or(problem.X.rows() < problem.X.cols() ? 0.01 : 0.0001);
    return penalty_grid(largest, ratio, request.path_length);
  }
  // A fixed penalty is approached in steps of at most 1.3: warm starts and screening need neighbors.
  const double target = *request.penalty, steps = std::ceil(std::log(largest / target) / std::log(1.3));
  std::vector<double> grid = target < largest && steps > 1
                                 ? penalty_grid(largest, target / largest, static_cast<Index>(steps) + 1)
                                 : std::vector<double>{target};
  grid.back() = target;
  return grid;
}

void refine_solution(PenaltyPath& path, PenalizedSolution& chosen, double tolerance) {
  path.restart(chosen);
  path.set_tolerance(tolerance);
  const std::vector<PenaltyPath*> alone{&path};
  while (path.accepted() == 0 && !path.failed()) {
    path.solve_block(std::span(&chosen.penalty, 1));
    screening_pass(alone);
  }
  if (path.accepted() == 0) return;
  chosen = path.release_solutions().back();
  clean_support(path, chosen, tolerance);
}

Fit fit_without_solution(const Problem& problem, bool cancelled) {
  Fit fit;
  fit.coefficients.assign(problem.X.cols(), 0.0);
  fit.status = cancelled ? Status::cancelled : Status::numerical_failure;
  fit.message = cancelled ? "cancelled before the first penalty was solved"
                          : "the solver failed at the first penalty of the path";
  return fit;
}

}  // namespace tamis
