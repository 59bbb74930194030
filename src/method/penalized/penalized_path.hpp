// Path search of lasso and elastic-net. The returned solution is certified (KKT violation, duality gap) to `tolerance`;
// other points of the path to a coarser one.
#pragma once

#include <optional>
#include <vector>

#include "solver/path/penalized_loss.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

struct PathRequest {
  double l1_ratio = 1;
  std::optional<double> penalty = {};  ///< fixed: no search
  Index path_length = 100;
  std::optional<double> path_ratio = {};
  bool one_standard_error = true;
  bool nonnegative = false;
  double tolerance = 1e-8;
};

Fit fit_penalized_path(const Problem& problem, const PathRequest& request, const Control& control);

/// The solutions at exactly these falling penalties, with the settings of a path, on the scale of Standardization: for
/// comparisons with solvers that chose the penalties. Fewer of them if cancelled or if one could not be solved.
std::vector<PenalizedSolution> solve_penalized_path(const Problem& problem, PathRequest request, const Control& control,
                                                    std::vector<double> penalties);

}  // namespace tamis
