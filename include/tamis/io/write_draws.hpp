// Draws for other programs, in the layout that ArviZ expects: axes chain, draw, feature.
#pragma once

#include <string>

#include "tamis/fit/draws.hpp"

namespace tamis {

/// A name that ends in .json: one file for arviz.from_json. Otherwise NPZ: arrays by name for arviz.from_dict, with
/// `feature_names`. Written atomically. Throws OutputError.
void write_draws(const std::string& path, const Draws& draws);

}  // namespace tamis
