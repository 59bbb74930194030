// What the penalized methods minimize:
//   sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty * sum_j factor_j (l1_ratio |b_j| + (1 - l1_ratio)/2
//   b_j^2)
// with weights that sum to one, as glmnet and scikit-learn scale it. Rows of weight 0 are held out: they do not
// influence the solution, but their predictors are kept, which is how cross-validation folds share one X.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

struct PenalizedLoss {
  const Design& X;  ///< as the solver sees it: columns already on their working scale
  const Family& likelihood;
  std::span<const double> y;
  std::span<const double> offset = {};  ///< empty: zeros
  std::vector<double> weights;          ///< sum to one
  bool intercept = true;
  double intercept_unit = 1;         ///< its gradient times this compares with those of coefficients
  std::vector<double> factors = {};  ///< of the penalty, per feature; empty: ones; infinity: never enters
  double l1_ratio = 1;
  bool nonnegative = false;
  std::vector<double> validation_weights = {};  ///< weights of held-out rows, sum to one; empty: nothing is held out

  double factor(Index j) const { return factors.empty() ? 1.0 : factors[j]; }
};

/// One minimizer along a path, its support only, and how far from optimal it can be.
struct PenalizedSolution {
  double penalty = 0;
  double intercept = 0;
  std::vector<std::int32_t> support;  ///< a path keeps many of these: half the size of Index
  std::vector<double> values;
  double loss = 0;       ///< weighted loss alone
  double objective = 0;  ///< loss + penalty term
  double gap = 0;        ///< duality gap / null_loss() of the path
  double violation = 0;  ///< largest KKT violation / (penalty * l1_ratio * factor)
  double held_out = 0;   ///< mean deviance of the held-out rows
};

/// The support as columns of a Design are named.
inline std::vector<Index> columns_of(const PenalizedSolution& solution) {
  return {solution.support.begin(), solution.support.end()};
}

/// Penalty term at b_j for the given penalty times factor.
inline double penalty_term(double strength, double l1_ratio, double b) {
  return strength == 0 ? 0.0 : strength * (l1_ratio * std::abs(b) + 0.5 * (1 - l1_ratio) * b * b);
}

/// Weighted loss of the saturated model, which predicts every response perfectly. Losses are measured from it, because
/// they may be negative.
double saturated_loss(const Family& likelihood, std::span<const double> y, std::span<const double> weights);

/// Fenchel dual of the weighted loss at scale * residual, where residual_i = weights_i * (-loss'): a lower bound of
/// the minimum as long as scale * residual is feasible for the penalty. -infinity outside the domain.
double dual_loss(const PenalizedLoss& problem, std::span<const double> residual, double scale);

}  // namespace tamis
