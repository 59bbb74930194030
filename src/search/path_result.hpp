// What the methods of penalized paths share when a path has been followed: when it may end, how it is judged, and the
// Fit that is made of it.
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

/// Whether what the certificate says is what was asked for: optimality conditions that hold to ten tolerances (no less
/// than 1e-10 each) bound the gap by twenty. Unpenalized features may add to that, and rounding; but beyond 1e-4 the
/// losses themselves are rounding, and conditions that seem to hold say nothing.
bool is_certified(const PenalizedSolution& solution, double tolerance);

/// Held-out error of a solution on the working scale.
CvScore score_solution(const Problem& problem, const Standardization& scale, const Validation& held_out,
                       const PenalizedSolution& solution);

/// Coefficients on the original scale, objective, noise variance of path[chosen]; trace and path with `gap` as the
/// certificate and with as many cv_scores as there are. The path has at least one point.
Fit fit_of_path(const Problem& problem, const Standardization& scale, std::span<const PenalizedSolution> path,
                Index chosen, std::span<const CvScore> cv_scores);

}  // namespace tamis
