// Order of methods and features in every view of a Comparison.
#pragma once

#include <vector>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// Methods by mean error, those without one last; ties in the order of the request.
std::vector<std::size_t> methods_by_error(const Comparison& comparison);

/// A feature and how often it is selected.
struct SelectionCount {
  Index feature = 0;
  Index methods = 0;  ///< that select it on all rows
  Index folds = 0;    ///< over all methods
};
/// Features that any method selects, on all rows or in a fold: by number of methods, then of folds, then in data order.
/// Where there are many features, a method that selects all of them (ridge) is not counted, unless every method does.
std::vector<SelectionCount> features_by_count(const Comparison& comparison);

/// Number of folds in which the method selects the feature.
Index folds_that_select(const ComparedMethod& method, Index feature);
/// Whether the fit of the method on all rows selects the feature; false if that fit failed.
bool selects(const ComparedMethod& method, Index feature);

}  // namespace tamis
