// Draws from a posterior, as a sampler leaves them for others to study.
#pragma once

#include <string>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// One quantity at every draw of every chain: values[(chain * samples + draw) * items + item].
struct DrawnVariable {
  std::string name;
  Index items = 1;      ///< numbers per draw
  bool listed = false;  ///< one number per feature: has an axis of its own, even if there is one feature
  std::vector<double> values = {};
};

/// All on the original scale of the data.
struct Draws {
  Index chains = 0;
  Index samples = 0;                       ///< recorded draws of each chain
  std::vector<std::string> features = {};  ///< names along the axis of listed variables
  std::vector<DrawnVariable> posterior = {};
  std::vector<DrawnVariable> statistics = {};  ///< about the draws: log_likelihood, size
};

}  // namespace tamis
