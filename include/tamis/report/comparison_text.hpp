// A Comparison for a terminal.
#pragma once

#include <string>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// The tables that `tamis compare` prints: scores of the methods, best first; the features that each method selects (at
/// most `most` of them); agreement between methods; and remarks on the results.
std::string text_report(const Comparison& comparison, Index most = 25);

}  // namespace tamis
