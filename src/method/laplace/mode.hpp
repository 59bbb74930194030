// The posterior mode under a spike-and-slab prior, from a choice of slab features.
#pragma once

#include <vector>

#include "method/laplace/dual_model.hpp"
#include "prior/selection_prior.hpp"
#include "prior/two_normal.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct SpikeSlabMode {
  std::vector<double> w;
  double intercept = 0;
  double objective = 0;           ///< minus log of likelihood and prior
  std::vector<double> precision;  ///< of the prior at w, per feature: its curvature, never negative
  std::vector<TracePoint> trace;
  bool converged = false;
  bool cancelled = false;
};

struct ModeSettings {
  double tolerance = 1e-6;  ///< largest step, relative to the largest coefficient
  Index max_iterations = 500;
  Observer* observer = nullptr;
};

// Both begin their iterations at the mode `near`; a mode without a dual vector is not used.

/// Indicators and selection probabilities integrated out: minimizes loss - sum log(inclusion slab + ... spike) by
/// majorization, so the objective never rises.
SpikeSlabMode marginal_mode(const DualModel& model, const TwoNormal& prior, std::vector<double> w, RidgeMode near,
                            const ModeSettings& settings);

/// Coefficients and selection probabilities together: the same algorithm for the density at the best probabilities.
SpikeSlabMode joint_selection_mode(const DualModel& model, const BestSelection& prior, std::vector<double> w,
                                   RidgeMode near, const ModeSettings& settings);

/// Coefficients and indicators together, by alternating: every feature has the variance of the component it is in.
SpikeSlabMode joint_mode(const DualModel& model, const TwoNormal& prior, std::vector<Index> slab, RidgeMode near,
                         const ModeSettings& settings);

/// Most probable coefficients under normal priors.
std::vector<double> ridge_coefficients(const DualModel& model, const PriorVariances& variances, const RidgeMode& mode);

}  // namespace tamis
