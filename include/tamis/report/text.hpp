// Views of a Fit for people and programs. They branch on the presence of a field, never on a method's name.
#pragma once

#include <string>

#include "tamis/fit/fit.hpp"

namespace tamis {

/// The table that `tamis fit` prints: selected features with inclusion, coefficient, sd and 95 % interval, sorted,
/// under one headline and above the status sentence. At most `most` rows, and how many were left out.
std::string text_report(const Fit& fit, Index most = 30);

}  // namespace tamis
