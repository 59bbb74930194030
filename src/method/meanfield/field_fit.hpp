// From a mean field on the working scale to a Fit: shared by vg and pmf.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "method/meanfield/field_path.hpp"
#include "method/working_scale.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// x'Wx of every working column; 0 for a constant one.
std::vector<double> column_curvature(const Problem& problem, const WorkingScale& scale);

/// Coefficients, their sds, inclusion and weights (hyper["weights"]) on the original scale; a coin below 1e-10 is 0.
void fill_features(Fit& fit, const WorkingScale& scale, const FieldState& state, double working_intercept);

/// Variance of each weight given that its feature is in, for weights at their most probable value: by the curvature of
/// the loss in the weights of the features that are more probable than not, as in an ordinary regression on these.
std::vector<double> weight_variances(const Problem& problem, const WorkingScale& scale,
                                     std::span<const double> curvature, const FieldState& state,
                                     const FieldPoint& point);

/// Refusal of an option that fixes a noise which the likelihood does not have.
std::string no_noise(std::string_view option, const Likelihood& likelihood);

/// The model without features.
Fit null_field(const Problem& problem, const WorkingScale& scale, std::string_view why);

}  // namespace tamis
