// From the tallies of all chains to posterior means, and to how far these can be trusted.
#pragma once

#include <span>
#include <vector>

#include "method/gibbs/tally.hpp"

namespace tamis {

/// Of the kept features, on the working scale.
struct FeatureSummary {
  std::vector<double> inclusion;
  std::vector<double> mean;
  std::vector<double> deviation;
  /// Monte Carlo standard error of the inclusion probability: by batches, or between chains if that is larger.
  std::vector<double> inclusion_error;
  /// Split R-hat of inclusion or coefficient, the larger.
  std::vector<double> rhat;
  /// Independent draws of the coefficient that would know its mean as well.
  std::vector<double> effective;
};

FeatureSummary summarize_features(std::span<const Tally> tallies, Index features);

/// A number that was recorded at every sweep, all chains one after the other, or chain by chain.
using SeriesName = std::vector<double> ChainSeries::*;
double mean_of(std::span<const Tally> tallies, SeriesName which);
double median_of(std::span<const Tally> tallies, SeriesName which);
std::vector<std::vector<double>> chains_of(std::span<const Tally> tallies, SeriesName which);

/// About fifty points of all chains: objective is the mean log likelihood, active the mean number of features.
std::vector<TracePoint> trace_of(std::span<const Tally> tallies, Index burn_in, double objective_shift);

}  // namespace tamis
