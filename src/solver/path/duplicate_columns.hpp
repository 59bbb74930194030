// Columns that say the same. The lasso does not care which of them has the coefficient, or how they share it, and
// coordinate descent leaves crumbs of any size with each. One of them gets it all: the solution is then that of the
// problem without the others.
#pragma once

#include "solver/path/penalized_loss.hpp"

namespace tamis {

/// Among columns of the support that are equal, or each other's negative, that of the smallest penalty factor (of these
/// the first) gets the coefficients of all. Predictors and L1 penalty stay the same, so this is for penalties that do
/// not prefer sharing: l1_ratio 1. Unpenalized features are left alone. Support and values only: intercept, loss and
/// certificate are still those before.
PenalizedSolution join_duplicates(const PenalizedLoss& problem, const PenalizedSolution& solution);

}  // namespace tamis
