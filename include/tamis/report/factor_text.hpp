// A FactorFit for a terminal.
#pragma once

#include <string>

#include "tamis/fit/factor_fit.hpp"

namespace tamis {

/// The table that `tamis factor` prints: factors by size with their share of rows and strongest columns, the test
/// score, and the status sentence. At most `most` factors, and how many were left out.
std::string text_report(const FactorFit& fit, Index most = 20);

}  // namespace tamis
