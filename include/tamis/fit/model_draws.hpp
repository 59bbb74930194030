// Weighted draws of which features are in the model.
#pragma once

#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// Draw d counts `weights[d]` times and holds the features `features[starts[d]]`, ..., `features[starts[d + 1] - 1]`.
struct ModelDraws {
  std::vector<double> weights;
  std::vector<Index> starts;
  std::vector<Index> features;
};

}  // namespace tamis
