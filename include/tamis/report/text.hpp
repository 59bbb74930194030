// Views of a Fit for people and programs. They branch on the presence of a field, never on a method's name.
#pragma once

#include <string>

#include "tamis/fit/fit.hpp"

namespace tamis {

/// The table that `tamis fit` prints: selected features with inclusion, coefficient, sd and 95 % interval, sorted,
/// under one headline and above the status sentence. At most `most` rows, and how many were left out.
std::string text_report(const Fit& fit, Index most = 30);

/// One credible set in a sentence, with at most `most` members by name: "One of these 8 features matters (probability
/// 0.97); the data cannot tell which: they are correlated at 0.96 or above: rs1 (0.31), rs2 (0.24) and 6 others."
std::string text_of(const Fit& fit, const CredibleSet& set, Index most = 10);

}  // namespace tamis
