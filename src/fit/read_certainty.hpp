// What a model file says of how certain its selection is: kind of inclusion, credible sets, alternatives.
#pragma once

#include "fit/json_reader.hpp"

namespace tamis::json {

/// Fills these fields of a fit whose features, coefficients and inclusion have been read, also from files that were
/// written before they existed.
void read_certainty(const Reader& in, const std::string& where, Fit& fit);

}  // namespace tamis::json
