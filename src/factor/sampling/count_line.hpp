// One coordinate t of a poisson model: counts x_i with log rates base_i + slope_i t, and a normal or log-gamma prior on
// t. Laplace's approximation serves as the proposal of a Metropolis step: exact, and independent of where the chain
// stands.
#pragma once

#include "tamis/base/index.hpp"
#include "tamis/base/random.hpp"

namespace tamis::factor {

/// log rates below this count as none: a cell that is missing has it as its base.
inline constexpr double no_rate = -1e6;

struct CountLine {
  const double* x = nullptr;
  const double* slope = nullptr;
  const double* base = nullptr;
  Index count = 0;
  double largest_log_rate = 0;  ///< rates stay there beyond it
  double prior_mean = 0;
  double prior_precision = 0;  ///< of a normal prior; 0: none
  double prior_linear = 0;     ///< of the conjugate prior: linear t - count e^t
  double prior_count = 0;

  /// Sum of x psi - e^psi, psi = min(base + slope t, largest_log_rate).
  double log_likelihood(double t) const;
  /// Up to a constant.
  double log_prior(double t) const;
};

/// Where the posterior of t has its mode, about, and the curvature there. At most six clipped Newton steps from 0:
/// never from the current value, which the proposal must not know.
struct LaplaceFit {
  double mode = 0;
  double curvature = 1;
  double log_height = 0;  ///< log likelihood and prior at the mode
};
LaplaceFit fit_laplace(const CountLine& line);

/// One Metropolis step for t alone; the proposal is a t5 around the mode.
double draw_continuous(const CountLine& line, double current, RandomStream& random);

/// One joint Metropolis step for (z, t): t = 0 with prior log odds -`log_odds` against a slab that is the line's prior.
double draw_with_spike(const CountLine& line, double log_odds, double current, RandomStream& random);

}  // namespace tamis::factor
