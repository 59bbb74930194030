// Posterior of the coefficients and of row effects at fitted variances of covariance components.
#pragma once

#include <optional>
#include <vector>

#include "method/ard/component_evidence.hpp"

namespace tamis {

/// Where a component's numbers come from, and the unit of the response.
struct ComponentSources {
  const Problem& problem;
  const ComponentData& data;
  double unit = 1;
};

/// On the original scale.
struct CoefficientPosterior {
  Matrix mean;                              ///< features x targets
  std::vector<double> standard_deviations;  ///< of every target alike
  /// Packed lower triangle over the features with a deviation, unless they are too many.
  std::optional<std::vector<double>> covariance;
};
/// `most_joint`: features up to which the joint covariance is made.
CoefficientPosterior coefficient_posterior(const ComponentSources& sources, const ComponentPoint& point,
                                           Index most_joint);

/// Effects of the rows under all kernels together, on the original scale.
struct RowEffects {
  Matrix mean;                   ///< rows x targets; no rows without a kernel that plays
  std::vector<double> averages;  ///< weighted, of each target: what they take from the intercept
  double average_variance = 0;   ///< of such an average, given the data
  double prior_variance = 0;     ///< of a row, averaged over the rows: that of a new row unrelated to these
};
RowEffects row_effects(const ComponentSources& sources, const ComponentPoint& point);

}  // namespace tamis
