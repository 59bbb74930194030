// Calibration of probabilities and intervals on the held-out rows of all folds pooled; a single fold has too few.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tamis/family/family.hpp"
#include "tamis/fit/comparison.hpp"

namespace tamis {

/// Rows in ten bins of predicted probability, [0, 0.1), ..., [0.9, 1], without the empty ones. Bins of equal width, so
/// that equal predictions are never torn apart. Empty weights: ones.
std::vector<CalibrationPoint> reliability(std::span<const double> y, std::span<const double> probability,
                                          std::span<const double> weights);
/// The mean over rows of the distance between expected and observed (Guo et al., ICML 2017, Eq. 3); none without rows.
std::optional<double> calibration_error(std::span<const CalibrationPoint> points);

/// Share of rows inside central normal intervals of 10 %, 20 %, ..., 90 % and 95 %. Empty if any sd is not positive.
std::vector<CalibrationPoint> interval_coverage(std::span<const double> y, std::span<const double> mean,
                                                std::span<const double> sd, std::span<const double> weights);

/// Cox (1958): b in link(P(y = 1)) = a + b predictor for two classes, by maximum likelihood. None if that has no
/// maximum (the predictor separates the classes) or no meaning (the predictor is constant).
std::optional<double> calibration_slope(const Family& family, std::span<const double> y,
                                        std::span<const double> predictor, std::span<const double> weights);

}  // namespace tamis
