// From the weighted sums of all chains to estimates, and to how far these can be trusted.
#pragma once

#include <span>
#include <vector>

#include "method/bvs/chain.hpp"

namespace tamis {

/// Of every kept feature.
struct InclusionSummary {
  std::vector<double> inclusion;
  std::vector<double> error;  ///< Monte Carlo standard error, from the spread of the chains and of their parts
  std::vector<double> rhat;
  double largest_error() const;
};
InclusionSummary summarize_inclusion(std::span<const BvsChain> chains);

/// Of the rest, on the working scale.
struct MomentSummary {
  std::vector<double> mean, deviation;
  double intercept = 0, noise_variance = 0, log_likelihood = 0, log_scale = 0;
};
MomentSummary summarize_moments(std::span<const BvsChain> chains);

/// Posterior of the number of features inside: its mean, and a central interval of 95 %.
struct SizeSummary {
  double mean = 0;
  Index lower = 0, upper = 0;
};
SizeSummary summarize_size(std::span<const BvsChain> chains);

/// Independent draws that the weights are worth, as a share of the states.
double share_of_weights(std::span<const BvsChain> chains, Index states);

}  // namespace tamis
