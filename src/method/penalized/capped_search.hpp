// Path search of capped-l1: lasso path, GIST at each of its penalties, cross-validation, final solution. The solution
// is stationary, not globally optimal; it depends on the penalty and the data alone.
#pragma once

#include <optional>

#include "tamis/method/method.hpp"

namespace tamis {

struct CappedRequest {
  std::optional<double> penalty = {};  ///< fixed: no search
  std::optional<double> cap = {};      ///< fixed; else in proportion to the penalty
  Index path_length = 100;
  std::optional<double> path_ratio = {};
  bool one_standard_error = true;
  bool nonnegative = false;
  double tolerance = 1e-8;
};

/// The cap where none is given: this many times the coefficient at which a single feature would be thresholded away.
/// A feature of unit standard deviation jumps past the cap when its unpenalized coefficient is 2.5 thresholds.
constexpr double caps_per_penalty = 2;

Fit fit_capped_path(const Problem& problem, const CappedRequest& request, const Control& control);

}  // namespace tamis
