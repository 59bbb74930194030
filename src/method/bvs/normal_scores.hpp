// A response replaced by its normal scores, for noise with heavy tails.
#pragma once

#include <span>
#include <vector>

namespace tamis {

/// Phi^-1((rank - 1/2) / n), ties at their mean rank, a row of weight w counting as w rows; of weighted mean 0 and mean
/// square 1. All 0 if nothing varies.
std::vector<double> normal_scores(std::span<const double> y, std::span<const double> weights);

/// Excess kurtosis; 0 for a normal distribution.
double excess_kurtosis(std::span<const double> residuals, std::span<const double> weights);
/// Whether residuals of so many observations have heavier tails than normal ones are likely to show.
bool has_heavy_tails(double excess_kurtosis, double samples);

}  // namespace tamis
