// A whole fit by ard: gaussian (the noise given, or found by a rule) and by quadratic views (bernoulli).
#pragma once

#include "method/ard/ard_options.hpp"

namespace tamis {

Fit fit_gaussian_relevance(const Problem& problem, const ArdOptions& options, const Control& control);
Fit fit_bernoulli_relevance(const Problem& problem, const ArdOptions& options, const Control& control);

}  // namespace tamis
