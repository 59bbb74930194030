// A Comparison as a page to send to a colleague.
#pragma once

#include "tamis/fit/comparison.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// Sentences, the table of scores, errors of every fold, calibration, the features that each method selects, agreement,
/// and how it was done.
Page comparison_page(const Comparison& comparison);

}  // namespace tamis
