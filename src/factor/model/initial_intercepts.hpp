// Where the intercepts of the columns begin.
#pragma once

#include "factor/model/state.hpp"

namespace tamis::factor {

/// At the means of the columns. Half a unit in `added` more cells keeps a column of zeros, or of ones, from infinity.
void start_at_column_means(const Cells& cells, double added, FactorState& state);
/// The same for samplers, if the curvature of the loss has no bound: from rates of 1 a table of zeros is far.
void start_sampler_at_column_means(const Cells& cells, FactorState& state);

}  // namespace tamis::factor
