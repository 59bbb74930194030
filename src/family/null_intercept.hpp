// The model without features: where the intercept alone, beside a known offset, fits best. Every path starts there.
#pragma once

#include <span>

#include "tamis/family/family.hpp"

namespace tamis {

/// Minimizes sum_i weights_i loss(y_i, offset_i + intercept); empty offset: zeros, empty weights: ones. Without a
/// finite minimum, as of counts that are all 0, it is infinite.
double null_intercept(const Family& likelihood, std::span<const double> y, std::span<const double> weights,
                      std::span<const double> offset);

}  // namespace tamis
