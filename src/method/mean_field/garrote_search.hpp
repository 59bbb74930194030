// The work of `vg`: the path of the prior's log odds gamma, forward and backward, the search, and the solution.
#pragma once

#include <optional>

#include "tamis/method/method.hpp"

namespace tamis {

enum class GarroteSolver { coordinate, primal, dual };

struct GarroteRequest {
  std::optional<double> gamma = {};  ///< fixed: no search
  std::optional<double> noise_precision = {};
  Index steps = 50;
  double epsilon = 1e-3;
  GarroteSolver solver = GarroteSolver::coordinate;
  double slab_variance = 0;  ///< > 0: log odds are corrected for a slab of this width
  bool one_standard_error = false;
  double tolerance = 1e-5;
};

Fit fit_garrote(const Problem& problem, const GarroteRequest& request, const Control& control);

}  // namespace tamis
