// Charts of a Comparison; methods are ordered by error in all of them.
#pragma once

#include <optional>

#include "tamis/fit/comparison.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// Every fold's error by method, with means and standard errors, and the mean without features.
Chart fold_errors(const Comparison& comparison);
/// Paired differences in error from the best method; nullopt for fewer than two scored methods.
std::optional<Chart> excess_chart(const Comparison& comparison);
/// Expected against observed; nullopt for families without calibration.
std::optional<Chart> calibration_chart(const Comparison& comparison);
/// Selection frequency over folds, by feature and method, of the features selected by most methods.
Chart selection_frequency_chart(const Comparison& comparison);
/// Jaccard index of the features that two methods select on all rows.
Chart agreement_chart(const Comparison& comparison);

}  // namespace tamis
