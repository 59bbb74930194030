// Search of the cost of a nonzero coefficient under point-mass spikes, by cross-validation.
#pragma once

#include <optional>

#include "tamis/method/method.hpp"

namespace tamis {

struct PointMassRequest {
  std::optional<double> cost = {};           ///< fixed: no search
  std::optional<double> slab_variance = {};  ///< in original units of the response
  std::optional<double> noise_variance = {};
  std::optional<double> start_penalty = {};  ///< of the lasso that the descent begins at; none: searched
  bool one_standard_error = false;
  double tolerance = 1e-6;
};

Fit fit_point_mass_mode(const Problem& problem, const PointMassRequest& request, const Control& control);

}  // namespace tamis
