// The setting of Table 4 and Figure 7: Boston housing with fixed hyperparameters, as in Titsias & Lazaro-Gredilla
// (2011).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/reproduce/experiment.hpp"

namespace tamis::experiments::garrote {

inline const std::string boston_file = "the Boston housing data as CSV, with the target medv and its 13 predictors";
inline const std::string boston_target = "medv";

struct Boston {
  static constexpr double noise_variance = 0.1;  ///< of the response's, which is 1
  static constexpr double slab_variance = 1;
  static constexpr double prior_inclusion = 0.25;

  Matrix X;               ///< columns of mean 0 and unit standard deviation
  std::vector<double> y;  ///< likewise
  /// Exact posterior mean of the coefficients by enumeration of all subsets, where the paper has a Gibbs sampler.
  std::vector<double> exact;

  /// All rows of the file.
  explicit Boston(const Dataset& data);
  /// As many rows as the paper has (456 of 506; which ones is not known), drawn from the seed; all if there are fewer.
  Boston(const Dataset& data, std::uint64_t seed);

 private:
  void finish(const Dataset& data);
};

/// Each between 0 and 1, or each 0 or 1.
enum class StartKind { soft, extreme };
std::vector<double> random_inclusion(StartKind kind, Index features, std::uint64_t seed);

}  // namespace tamis::experiments::garrote
