// Gaussian ridge as a posterior: b ~ N(0, noise_variance / (n penalty)) for every penalized coefficient has the ridge
// solution as its mean and noise_variance (X'X + n penalty)^-1 as its covariance.
#pragma once

#include <optional>
#include <vector>

#include "method/ridge/ridge_basis.hpp"

namespace tamis {

struct RidgePosterior {
  std::vector<double> variances;  ///< of the coefficients on the original scale, in units of the noise variance
  double degrees_of_freedom = 0;  ///< trace of the matrix that turns y into fitted values, intercept included
};

/// Nothing for problems so large that the inverse would cost more than the fit, and where free columns repeat each
/// other, so that their variance is infinite.
std::optional<RidgePosterior> ridge_posterior(const Problem& problem, const RidgeBasis& basis, double penalty);

}  // namespace tamis
