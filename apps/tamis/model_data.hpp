// Data for a fitted model: how they are read, and whether predictions can be compared with their response.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis::app {

/// The arguments, completed by what the model knows: its features, its target, the means of its training data, and the
/// column of its offset where the arguments name none. A model without its offset would predict something else.
ReadOptions read_options_for(const Fit& fit, const DataArguments& arguments);

/// Whether `y` is a response that the model could have met: a file may well use the column for something else.
bool can_evaluate(const Fit& fit, const std::vector<double>& y, const std::vector<std::string>& levels);

}  // namespace tamis::app
