// Error, log score and interval coverage of a fit on held-out rows, and the null model they are compared with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/part.hpp"
#include "tamis/fit/comparison.hpp"

namespace tamis {

/// Predictions for the held-out rows.
struct HeldOutScores {
  FoldResult result;  ///< scores, status, seconds and what is kept; or the failure
  std::vector<double> predictor;
  std::vector<double> mean;
  std::vector<double> sd;  ///< gaussian
};

/// Scores are means over the rows by weight. A fit without noise variance, or with none at all, has neither log score
/// nor coverage. Predictions that are not finite are a failure.
HeldOutScores score_held_out(const Fit& fit, const Family& likelihood, const Part& held_out);

/// What is kept by the rule that `tamis fit` and `tamis select` use, in rising order.
std::vector<Index> kept_by(const Fit& fit);

/// The fit that uses no feature: the intercept of least loss (0 if the problem has none), and for gaussian responses
/// the mean square left.
Fit fit_null_model(const Problem& problem);

}  // namespace tamis
