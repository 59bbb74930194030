// From a mean field on the working scale to a Fit: shared by vg and pmf.
#pragma once

#include <span>
#include <vector>

#include "method/mean_field/mean_field_path_base.hpp"
#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Coefficients, their sds, inclusion and weights (hyper["weights"]) on the original scale; inclusion below 1e-10 is 0.
void fill_features(Fit& fit, const Standardization& scale, const FeaturePosteriors& state, double working_intercept);

/// Variance of each weight given that its feature is in, for weights at their most probable value: by the curvature of
/// the loss in the weights of the features with inclusion probability above 0.5, as in an ordinary regression on these.
std::vector<double> weight_variances(const Problem& problem, const Standardization& scale,
                                     std::span<const double> curvature, const FeaturePosteriors& state,
                                     const MeanFieldPoint& point);

}  // namespace tamis
