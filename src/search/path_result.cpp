#include "search/path_result.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {

// glmnet's rule: 99.9 % of the null deviance explained and, for gaussian, less than 1e-5 of it gained over the last
// five points. For classes and counts a saturated deviance means separation, so that their paths stop at once.
bool deviance_saturated(std::span<const double> losses, double null_loss, const Family& likelihood) {
  if (!(null_loss > 0)) return true;
  const std::size_t last = losses.size() - 1;
  const double now = 1 - losses[last] / null_loss;
  if (now <= 0.999) return false;
  if (!likelihood.is_quadratic()) return true;
  return last >= 5 && now - (1 - losses[last - 5] / null_loss) < 1e-5 * now;
}

bool is_certified(const PenalizedSolution& solution, double tolerance) {
  const double asked = std::max(tolerance, 1e-10);
  return solution.violation <= 10 * asked && solution.gap <= std::max(20 * asked, 1e-4);
}

CvScore score_solution(const Problem& problem, const Standardization& scale, const Validation& held_out,
                       const PenalizedSolution& solution) {
  std::vector<double> values;
  double intercept = solution.intercept;
  for (Index s = 0; s < std::ssize(solution.support); ++s) {
    values.push_back(scale.to_original(solution.support[s], solution.values[s]));
    intercept -= values.back() * scale.center(solution.support[s]);
  }
  std::vector<double> eta(held_out.y.size(), intercept);
  const std::vector<Index> support = columns_of(solution);
  held_out.X->multiply_add(Columns(support), std::span<const double>(values), std::span<double>(eta));
  return score_rows(problem.likelihood, held_out, eta);
}

// Noise variance: residual sum of squares over n - selected features - intercept, the lasso's degrees of freedom (Zou,
// Hastie & Tibshirani 2007, Annals of Statistics 35); over n where the model leaves less than one.
Fit fit_of_path(const Problem& problem, const Standardization& scale, std::span<const PenalizedSolution> path,
                Index chosen, std::span<const CvScore> cv_scores) {
  Fit fit;
  fit.coefficients.assign(problem.X.cols(), 0.0);
  const PenalizedSolution& solution = path[chosen];
  fit.intercept = solution.intercept;
  for (Index s = 0; s < std::ssize(solution.support); ++s) {
    const Index j = solution.support[s];
    const double b = scale.to_original(j, solution.values[s]);
    fit.coefficients[j] = b;
    fit.intercept -= b * scale.center(j);
  }
  fit.objective = solution.objective;
  for (Index k = 0; k < std::ssize(path); ++k) {
    const PenalizedSolution& point = path[k];
    const double change = k > 0 ? std::abs(point.objective - path[k - 1].objective) : 0.0;
    const Index active = point.support.size();
    fit.trace.push_back({k + 1, point.objective, change, active, point.gap});
    PathPoint& on_path = fit.path.emplace_back();
    on_path.value = point.penalty;
    on_path.objective = point.objective;
    on_path.active = active;
    on_path.certificate = point.gap;
    if (k >= std::ssize(cv_scores)) continue;
    on_path.validation_error = cv_scores[k].mean;
    on_path.validation_se = cv_scores[k].standard_error;
  }
  if (problem.likelihood.has_noise()) {
    const double total = scale.total_weight();
    const double free = total - static_cast<double>(solution.support.size()) - (problem.intercept ? 1 : 0);
    fit.noise_variance = 2 * solution.loss * total / (free >= 1 ? free : total);
  }
  return fit;
}

}  // namespace tamis
