// Features that are not selected and might stand in for one that is.
#pragma once

#include <vector>

#include "tamis/fit/fit.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Absolute correlation with a selected feature from which on a feature counts as an alternative.
inline constexpr double least_alternative = 0.8;
/// The strongest so many of each selected feature are kept.
inline constexpr Index most_alternatives = 5;

/// By selected feature, in the order of select_by_threshold(), and of each the strongest first. Selected: inclusion at
/// least 0.5, or a nonzero coefficient. One pass over X; of very many selected features, the strongest only.
std::vector<Alternative> find_alternatives(const Problem& problem, const Fit& fit);

}  // namespace tamis
