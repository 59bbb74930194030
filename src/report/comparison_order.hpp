// Order of methods and features in every view of a Comparison.
#pragma once

#include <vector>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// Methods by error, those without one last; equal ones as they were asked for.
std::vector<std::size_t> methods_by_error(const Comparison& comparison);

/// A feature and how often it is kept.
struct Votes {
  Index feature = 0;
  Index methods = 0;  ///< that keep it on all rows
  Index folds = 0;    ///< over all methods
};
/// Features that any method keeps, on all rows or on a fold: by methods, then by folds, then as they stand in the data.
/// Where there are many, a method that keeps all of them (ridge) has no vote, unless every method does.
std::vector<Votes> features_by_votes(const Comparison& comparison);

/// Folds in which the method keeps the feature.
Index folds_that_keep(const ComparedMethod& method, Index feature);
/// Whether its fit on all rows keeps it.
bool keeps(const ComparedMethod& method, Index feature);

}  // namespace tamis
