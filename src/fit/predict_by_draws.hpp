// Predictions averaged over the draws of a sampler.
#pragma once

#include "tamis/family/family.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

/// As predict(), of a fit that has draws; shapes are checked already.
Prediction predict_by_draws(const Fit& fit, const Family& family, const Design& X, std::span<const double> offset,
                            double level);

}  // namespace tamis
