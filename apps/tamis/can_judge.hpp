// Whether predictions can be compared with the response of a file.
#pragma once

#include <string>
#include <vector>

#include "tamis/fit/fit.hpp"

namespace tamis::app {

/// Whether `y` is a response that the model could have met: a file may well use the column for something else.
bool can_judge(const Fit& fit, const std::vector<double>& y, const std::vector<std::string>& levels);

}  // namespace tamis::app
