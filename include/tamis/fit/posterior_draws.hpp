// Draws of a whole model: which features, their coefficients, the intercept, the noise. What predictions average over.
#pragma once

#include <vector>

#include "tamis/fit/model_draws.hpp"

namespace tamis {

/// All on the original scale of the data. No draw: the method keeps none.
struct PosteriorDraws {
  ModelDraws models;                    ///< weights sum to 1; features in rising order within a draw
  std::vector<double> coefficients;     ///< one for each entry of models.features
  std::vector<double> intercepts;       ///< one per draw
  std::vector<double> noise_variances;  ///< one per draw; empty for a family without noise

  Index size() const { return std::ssize(models.weights); }
};

}  // namespace tamis
