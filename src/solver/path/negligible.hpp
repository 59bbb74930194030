// Coefficients of rounding size: the rest of one of two equal columns, or of a feature that a step should have set to
// 0. They do not change predictions, but every nonzero coefficient counts as a selected feature.
#pragma once

#include <span>

#include "solver/path/penalized_loss.hpp"

namespace tamis {

/// The solution without its smallest coefficients: as many as together move no gradient of the support by more than
/// `tolerance`, in units of KKT violations. Unpenalized features stay. `curvature` has the second derivative of the
/// loss by each coefficient of the support. Support and values only: intercept, loss and certificate are
/// unchanged.
PenalizedSolution without_negligible(const PenalizedLoss& problem, const PenalizedSolution& solution,
                                     std::span<const double> curvature, double tolerance);

/// Second derivatives of the loss by the coefficients of these features, where the linear predictor is eta.
std::vector<double> curvature_of(const PenalizedLoss& problem, std::span<const double> eta, Columns features);

}  // namespace tamis
