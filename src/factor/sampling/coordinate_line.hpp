// One coordinate t of a model of any family: cells x_i with predictors base_i + slope_i t, and a normal prior or that
// of a loading on t. Laplace's approximation serves as the proposal of a Metropolis step: exact, and independent of
// where the chain stands.
#pragma once

#include <cstdint>
#include <span>

#include "tamis/base/index.hpp"
#include "tamis/base/random.hpp"
#include "tamis/family/family.hpp"

namespace tamis::factor {

struct CoordinateLine {
  const Family& family;
  const double* x = nullptr;
  const double* slope = nullptr;
  const double* base = nullptr;
  Index count = 0;
  std::span<const std::int32_t> missing = {};  ///< rising; what x and base are there is not looked at
  double prior_mean = 0;
  double prior_precision = 0;  ///< of a normal prior; 0: none
  const LoadingPrior* loading_prior = nullptr;

  /// Minus the losses of the cells.
  double log_likelihood(double t) const;
  /// Up to a constant.
  double log_prior(double t) const;
};

/// Where the posterior of t has its mode, about, and the curvature there. At most six clipped Newton steps from 0:
/// never from the current value, on which the proposal must not depend.
struct LaplaceFit {
  double mode = 0;
  double curvature = 1;
  double log_height = 0;  ///< log likelihood and prior at the mode
};
LaplaceFit fit_laplace(const CoordinateLine& line);

/// One Metropolis step for t alone; the proposal is a t5 around the mode.
double draw_continuous(const CoordinateLine& line, double current, RandomStream& random);

/// One joint Metropolis step for (z, t): t = 0 with prior log odds -`log_odds` against a slab that is the line's prior.
double draw_with_spike(const CoordinateLine& line, double log_odds, double current, RandomStream& random);

}  // namespace tamis::factor
