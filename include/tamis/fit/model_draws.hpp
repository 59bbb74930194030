// Draws of models, sets of features, as a sampler leaves them.
#pragma once

#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// Draw d holds features[starts[d]], ..., features[starts[d + 1] - 1], and counts with weights[d].
struct ModelDraws {
  std::vector<double> weights;
  std::vector<Index> starts;  ///< one more than there are draws
  std::vector<Index> features;
};

}  // namespace tamis
