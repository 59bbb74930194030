// Curves of the results as series of a picture.
#pragma once

#include <string_view>

#include "experiments/reproduce/results.hpp"
#include "tamis/report/picture.hpp"

namespace tamis::experiments {

/// The numbers of one method in one panel against x, drawn as `look` says (its mark, dash, color, band), named by the
/// method. Means carry error bars of one standard error where there is one.
Series curve(const Results& results, std::string_view panel, std::string_view method, std::string_view measure,
             Series look = {}, Shown shown = Shown::mean);

}  // namespace tamis::experiments
