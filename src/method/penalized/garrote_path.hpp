// Path search of the non-negative garrote. The returned solution is certified (KKT violation, duality gap) to
// `tolerance`; other points of the path to a coarser one.
#pragma once

#include <optional>

#include "method/penalized/garrote_start.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

struct GarroteRequest {
  std::optional<GarroteStart> start = {};    ///< none: by the data
  std::optional<double> start_penalty = {};  ///< of ridge or lasso; none: searched
  std::optional<double> penalty = {};        ///< fixed: no search
  Index path_length = 100;
  std::optional<double> path_ratio = {};
  bool one_standard_error = true;
  double tolerance = 1e-8;
};

/// Throws InvalidOption if the start that was asked for does not exist.
Fit fit_garrote_path(const Problem& problem, const GarroteRequest& request, const Control& control);

}  // namespace tamis
