// New rows under a fitted factor model: their scores, and predictions of their missing cells.
// Loadings, noise and the prior of the scores stay at their estimates; every row is treated separately, by mean field,
// and nothing is random: the result for a row depends on that row only.
#pragma once

#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/fit/factor_fit.hpp"

namespace tamis {

struct FactorRows {
  Matrix scores;                     ///< rows x factors: posterior means (l1, none: the point estimate)
  Matrix inclusion;                  ///< probability that a score is not zero; 0 x 0 if the prior has no spike
  std::vector<PredictedCell> cells;  ///< every missing cell, by row and column
};

/// The scores of the rows in `data` (its `dense` or `sparse` alone), whose columns are fit.columns in that order.
/// Throws InvalidInput as FactorPrior::fit does. Of `control` only threads and observer matter.
FactorRows explain_rows(const FactorFit& fit, const FactorProblem& data, const FactorControl& control = {});

/// The mean of every cell for given scores (rows x factors): intercept + scores loadings, through the family's mean.
Matrix means_of_scores(const FactorFit& fit, ConstMatrixView scores);

}  // namespace tamis
