// The hyperparameters read from options, checked, and in the units of ScaledProblem.
#pragma once

#include <optional>

#include "prior/hyper_prior.hpp"
#include "problem/scaled_response.hpp"
#include "tamis/method/options.hpp"

namespace tamis {

struct SpikeSlabOptions {
  std::optional<double> prior_inclusion, slab_variance, noise_variance;
  double spike_variance = 0;

  /// Throws InvalidOption for a noise that the family does not have or that is too small for the arithmetic, and for a
  /// spike that is not narrower than the slab.
  SpikeSlabOptions(const Options& options, const Problem& problem, const ScaledProblem& scaled);

  /// Given values as they are. Otherwise an inclusion of min(1/4, samples / (10 features)), where a row counts as much
  /// as its information (bernoulli: a quarter of a sample), and a slab that lets the included features explain the
  /// whole response.
  SpikeSlabHyper start(const ScaledProblem& scaled) const;
  /// Weak and proper, in units of the response: as if two observations had estimated the noise at a twentieth of its
  /// variance, and four coefficients the slab at start()'s; given values are fixed.
  HyperPrior weak_prior(const ScaledProblem& scaled) const;
};

/// prior_inclusion, slab_variance, spike_variance and noise_variance; `otherwise` says what happens to those that are
/// not given.
std::vector<Field> spike_slab_fields(const std::string& otherwise);

}  // namespace tamis
