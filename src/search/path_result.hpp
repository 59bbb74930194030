// Shared by the methods with penalized paths: when a path may end, how a point is scored, and the Fit made of the
// choice.
#pragma once

#include <span>
#include <vector>

#include "problem/standardization.hpp"
#include "search/cv_score.hpp"
#include "solver/path/penalized_loss.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// glmnet's rule for the end of a path: no more to explain, or five steps that explained nothing new. `losses` are
/// above that of a perfect fit, as null_loss is.
bool deviance_saturated(std::span<const double> losses, double null_loss, const Family& likelihood);

/// Whether the certificate meets the requested tolerance (at least 1e-10): KKT violations up to ten tolerances, which
/// bound the gap by twenty. Unpenalized features and rounding may add to the gap; but above 1e-4 the losses themselves
/// are rounding error, and KKT conditions that seem to hold mean nothing.
bool is_certified(const PenalizedSolution& solution, double tolerance);

/// Held-out error of a solution on the working scale.
CvScore score_solution(const Problem& problem, const Standardization& scale, const Validation& held_out,
                       const PenalizedSolution& solution);

/// Coefficients on the original scale, objective, noise variance of path[chosen]; trace and path with `gap` as the
/// certificate and with as many scores as there are. The path has at least one point.
Fit fit_of_path(const Problem& problem, const Standardization& scale, std::span<const PenalizedSolution> path,
                Index chosen, std::span<const CvScore> cv_scores);

}  // namespace tamis
