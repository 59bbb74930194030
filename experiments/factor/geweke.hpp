// Geweke's joint distribution test (JASA 99, 2004) of the samplers of factor models: parameters drawn from the prior,
// and parameters of a chain that draws the data anew after every sweep, have the same distribution if and only if the
// sweep leaves the posterior alone. Enumeration finds errors in single conditionals, this one errors anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis::experiments::factor_models {

/// Mistakes that are easily made, to see that the test finds them.
enum class PlantedBug {
  none,
  missing_determinant,  ///< the odds of an indicator without 1/2 log(tau / P)
  hyper_over_all_rows,  ///< the slab's mean and precision from all scores, zeros included
};

struct GewekeSettings {
  std::string family = "gaussian";
  std::string prior = "spike-slab";  ///< or laplace, exponential, gaussian
  Index chains = 400;
  Index sweeps = 100;  ///< of each chain
  std::uint64_t seed = 1;
  PlantedBug bug = PlantedBug::none;  ///< in a spike-slab sampler
};

/// A statistic of both kinds of draws.
struct GewekeStatistic {
  std::string name;
  double prior_mean = 0;
  double chain_mean = 0;
  double z = 0;  ///< their difference in its standard errors
};

struct GewekeOutcome {
  std::vector<GewekeStatistic> statistics;
  /// Of the largest |z|, times the number of statistics (Bonferroni), at most 1.
  double p_value = 1;
};

GewekeOutcome geweke_test(const GewekeSettings& settings);

}  // namespace tamis::experiments::factor_models
