// What the path searches of lasso, elastic-net and capped-l1 have in common: the loss on standardized columns, the same
// with a fold held out, and the grid of penalties.
#pragma once

#include <optional>
#include <vector>

#include "problem/standardization.hpp"
#include "search/folds.hpp"
#include "solver/path/penalized_loss.hpp"
#include "solver/path/penalty_path.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// `weights` sum to one; empty where a MomentPath has them in its moments.
PenalizedLoss penalized_loss(const Problem& problem, const Standardization& scale, std::vector<double> weights,
                             bool nonnegative);
/// Folds are weights on the full X, not copies: held-out rows have weight 0, so all problems share passes over X.
PenalizedLoss penalized_loss_of_fold(const Problem& problem, const Standardization& scale, const Folds& folds, int fold,
                                     bool nonnegative);

struct GridRequest {
  std::optional<double> penalty = {};  ///< where the grid ends; none: path_length penalties down to the path_ratio
  Index path_length = 100;
  std::optional<double> path_ratio = {};  ///< of the largest; none: 0.01 for wide X, 0.0001 for tall, as glmnet
};
/// Falling penalties from `largest`, the smallest that selects nothing.
std::vector<double> path_grid(const Problem& problem, const GridRequest& request, double largest);

/// Solves a point of the path again to this tolerance and cleans its support of duplicated columns (lasso only; the
/// elastic net prefers to share) and coefficients of rounding size. Where that fails the point stays as it is.
void refine_solution(PenaltyPath& path, PenalizedSolution& chosen, double tolerance);

/// What is returned when not even the first penalty was solved.
Fit fit_without_solution(const Problem& problem, bool cancelled);

}  // namespace tamis
