// Credible sets: few features each, of which at least one matters with high probability, where the data cannot tell
// which one of several correlated features it is.
#pragma once

#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/fit/model_draws.hpp"

namespace tamis {

/// At least one of `features` is in the model, with posterior probability `probability`.
struct CredibleSet {
  std::vector<Index> features;      ///< by falling inclusion; equal columns stand one after the other
  std::vector<double> inclusion;    ///< of each
  std::vector<double> correlation;  ///< of each with the first, absolute: the first has 1
  double probability = 0;
  double purity = 1;  ///< smallest absolute correlation of two of its features; 1 if there is one
};

/// Two candidates, by their places, whose columns are correlated.
struct CandidateCorrelation {
  Index first = 0;
  Index second = 0;
  double correlation = 0;  ///< exactly 1 or -1: equal columns, up to sign and scale
};

/// All that credible sets of any level are made from: features that a set may hold, the draws restricted to them, and
/// how they are correlated. A part of the model file.
struct SetCandidates {
  std::vector<Index> features;    ///< of the fit, ascending
  std::vector<double> inclusion;  ///< of each
  /// Distinct models that hold a candidate, by place in `features`; weights are shares of all draws, so that what is
  /// missing to 1 belongs to models without any.
  ModelDraws draws;
  std::vector<CandidateCorrelation> correlations;  ///< pairs of at least least_purity in absolute value
};

/// Absolute correlation that any two features of a credible set have at least.
inline constexpr double least_purity = 0.5;
/// The lowest level that candidates are kept for.
inline constexpr double lowest_set_level = 0.5;

/// Disjoint sets, each of probability at least `level`, in the order of their strongest feature.
/// Throws InvalidOption unless level is from 0.5 to 1.
std::vector<CredibleSet> credible_sets(const SetCandidates& candidates, double level = 0.95);

}  // namespace tamis
