// One fit of bm: data, screening where there are too many features, maximization of G, result.
#pragma once

#include <string>

#include "method/masking/mask_ascent.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// `masks_file`: where the mean masks are written; empty: nowhere.
Fit fit_masks(const Problem& problem, const MaskRequest& request, const std::string& masks_file,
              const Control& control);

}  // namespace tamis
