// The fit without features, for problems in which no feature can be selected; the curvature of each column; and the
// message that refuses a noise variance for families without one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// x'Wx of every working column; 0 for a constant one.
std::vector<double> column_curvature(const Problem& problem, const Standardization& scale);

/// Refusal of an option that fixes a noise which the likelihood does not have.
std::string no_noise_message(std::string_view option, const Family& likelihood);

/// The model without features.
Fit null_fit(const Problem& problem, const Standardization& scale, std::string_view why);

}  // namespace tamis
