// The estimate that the non-negative garrote shrinks: least squares (maximum likelihood), ridge or lasso.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

enum class GarroteStart { least_squares, ridge, lasso };
std::string_view name_of(GarroteStart start);

struct StartingEstimate {
  std::vector<double> coefficients;  ///< on the original scale, of every column
  std::optional<double> penalty;     ///< of ridge and lasso
  std::string missing;               ///< why there is no estimate; "" if there is one
  bool cancelled = false;
};

/// Of the rows of positive weight. `penalty`: of ridge or lasso; none: chosen on these rows as `control` says, by least
/// error. Least squares is missing where it is not determined: rows that are not more than the columns that vary beside
/// the intercept, or no finite maximum of the likelihood (separable classes).
StartingEstimate starting_estimate(const Problem& problem, GarroteStart start, std::optional<double> penalty,
                                   const Control& control);

}  // namespace tamis
