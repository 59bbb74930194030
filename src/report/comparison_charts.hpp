// Charts of a Comparison; methods are ordered by error in all of them.
#pragma once

#include <optional>

#include "tamis/fit/comparison.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// Every fold's error by method, with means and standard errors, and the mean without features.
Chart fold_errors(const Comparison& comparison);
/// How much worse than the best, fold by fold; nothing for fewer than two judged methods.
std::optional<Chart> excess_chart(const Comparison& comparison);
/// Expected against observed; nothing for families without.
std::optional<Chart> calibration_chart(const Comparison& comparison);
/// The features that most methods keep: shares of folds, by feature and method.
Chart votes_chart(const Comparison& comparison);
/// What two methods keep in common, in shares.
Chart agreement_chart(const Comparison& comparison);

}  // namespace tamis
