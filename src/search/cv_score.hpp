// How a search compares the points of a path: validation error with its standard error, and the rules that choose a
// point.
// Shared by every method that searches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

/// Mean held-out deviance of one point of a path.
struct CvScore {
  double mean = 0;
  double standard_error = 0;
};

/// From one mean error per fold.
CvScore score_folds(std::span<const double> fold_errors);
/// From held-out rows with the linear predictor eta (the offset is added here). Rows of weight 0 do not count.
CvScore score_rows(const Family& likelihood, const Validation& held_out, std::span<const double> eta);

/// The first (simplest) point whose error is within `standard_errors` of the least: 0 for the least itself, 1 for the
/// one-standard-error rule. At least one score.
Index choose_by_rule(std::span<const CvScore> cv_scores, double standard_errors);

/// Among the points up to `best`, the first (simplest) that the folds do not distinguish from it: worse, fold by fold,
/// by no more than three tenths of the difference's standard error. errors[k][f] is the error of fold f at point k.
Index simplest_within_tie(std::span<const std::vector<double>> errors, Index best);

/// True when the last point is worse than the best by twice the standard error of the difference, fold by fold, and
/// ten or more points lie between: then a search may end. errors[k][f] is the error of fold f at point k.
bool past_minimum(std::span<const std::vector<double>> errors);

/// "one-standard-error rule, 10-fold cross-validation error 0.38, standard error 0.08"; folds = 0: "validation error".
std::string how_chosen(const CvScore& chosen, bool one_standard_error, int folds);

}  // namespace tamis
