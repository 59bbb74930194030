// Posterior draws in the layout of ArviZ: dimensions chain, draw, feature.
#pragma once

#include <string>

#include "tamis/fit/draws.hpp"

namespace tamis {

/// Writes a file for arviz.from_json if `path` ends in .json, otherwise NPZ with one array per variable for
/// arviz.from_dict, and `feature_names`. Atomic. Throws OutputError.
void write_draws(const std::string& path, const Draws& draws);

}  // namespace tamis
