// A whole fit by ard: gaussian (noise given, or estimated by a rule), also with covariance components, and
// bernoulli (by iterations of a quadratic bound).
#pragma once

#include "method/ard/ard_options.hpp"

namespace tamis {

Fit fit_gaussian_relevance(const Problem& problem, const ArdOptions& options, const Control& control);
Fit fit_components(const Problem& problem, const ArdOptions& options, const Control& control);
Fit fit_bernoulli_relevance(const Problem& problem, const ArdOptions& options, const Control& control);

}  // namespace tamis
