// Duplicate columns. The lasso does not determine how they share their coefficient, and coordinate descent leaves an
// arbitrary part with each. One of them gets all of it: the solution is then that of the problem without the others.
#pragma once

#include "solver/path/penalized_loss.hpp"

namespace tamis {

/// Among columns of the support that are equal, or each other's negative, that of the smallest penalty factor (of these
/// the first) gets the coefficients of all. Predictors and L1 penalty stay the same, so this is for penalties that do
/// not prefer sharing: l1_ratio 1. Unpenalized features are left alone. Support and values only: intercept, loss and
/// certificate are still those before.
PenalizedSolution join_duplicates(const PenalizedLoss& problem, const PenalizedSolution& solution);

}  // namespace tamis
