// What leaves Method::fit is a model that can be saved, read and predicted from: a result with NaN or infinity has not
// converged, and the parts with them are dropped.
#pragma once

#include <string>

#include "tamis/method/method.hpp"

namespace tamis {

/// Coefficients 0, the status numerical_failure, and this sentence.
Fit failed_fit(const Method& method, const Problem& problem, std::string why);

/// Checks intercept, coefficients, inclusion, deviations, noise variance and objective. If any of them is not finite
/// the status is numerical_failure (or stays cancelled) and the message says so; coefficients that are not finite, and
/// everything that belongs to them, give way to zeros.
void drop_non_finite(const Method& method, const Problem& problem, Fit& fit);

}  // namespace tamis
