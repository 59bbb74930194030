// Hyperparameters of a spike-and-slab regression on the working scale of ScaledProblem:
//   b_j ~ N(0, slab_variance) with probability prior_inclusion, else N(0, spike_variance), which is a point mass at 0
//   when spike_variance is 0; gaussian noise has variance noise_variance (1 where a family has none).
#pragma once

#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {

struct SpikeSlabHyper {
  double prior_inclusion = 0.5;
  double slab_variance = 1;
  double spike_variance = 0;
  double noise_variance = 1;
  bool operator==(const SpikeSlabHyper&) const = default;
};

/// Conjugate priors: prior_inclusion ~ Beta(inclusion_in, inclusion_out), variances ~ inverse gamma(shape, scale), of
/// mean scale / (shape - 1). What is not sampled (or learned) stays at `start`.
struct HyperPrior {
  SpikeSlabHyper start;
  bool sample_inclusion = false;
  double inclusion_in = 1;
  double inclusion_out = 1;
  bool sample_slab = false;
  double slab_shape = 2;
  double slab_scale = 1;
  bool sample_noise = false;
  double noise_shape = 1;
  double noise_scale = 1;
};

/// The likelihood of one coefficient, all others fixed, is normal: information (its precision) and pull (information
/// times its mean). These are the terms that do not depend on the pull.
struct SpikeSlabTerms {
  double log_odds = 0;       ///< of the slab when the pull is 0
  double slab_spread = 0;    ///< variance of the coefficient given the slab
  double spike_spread = 0;   ///< given the spike; 0 for a point mass
  double half_contrast = 0;  ///< pull^2 times this is what the data add to the log odds

  SpikeSlabTerms() = default;
  SpikeSlabTerms(const SpikeSlabHyper& hyper, double information)
      : log_odds(logit(hyper.prior_inclusion) - 0.5 * (std::log1p(information * hyper.slab_variance) -
                                                       std::log1p(information * hyper.spike_variance))),
        slab_spread(hyper.slab_variance / (1 + information * hyper.slab_variance)),
        spike_spread(hyper.spike_variance / (1 + information * hyper.spike_variance)),
        half_contrast(0.5 * (slab_spread - spike_spread)) {}
};

}  // namespace tamis
