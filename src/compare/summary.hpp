// Means over folds, standard errors, paired differences from the best method, stability and agreement of selections.
#pragma once

#include <optional>
#include <span>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// None without values.
std::optional<FoldMean> mean_over_folds(std::span<const double> values);

/// Fills the summaries of every method, the best one and the agreement from the folds and fits that are there.
void summarize(Comparison& comparison);

}  // namespace tamis
