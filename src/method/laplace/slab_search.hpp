// Which features are in the slab: alternating optimization (slab or spike for each feature, then the ridge mode of the
// coefficients) from many starts at once; the fixed point of largest posterior probability wins.
#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "method/laplace/dual_model.hpp"
#include "prior/two_normal.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

/// An end of alternating optimization.
struct SlabState {
  std::vector<Index> slab;    ///< features, increasing
  double noise_variance = 1;  ///< of most evidence, or as given
  double log_evidence = 0;    ///< of the response, given this choice of features
  double log_posterior = 0;   ///< and with the prior of the choice
  RidgeMode mode = {};        ///< near its mode
};

/// Prior variances of a choice of slab features.
PriorVariances variances_of(const std::vector<Index>& slab, const TwoNormal& prior);

class SlabSearch {
 public:
  /// noise_is_given: the model's own; otherwise found.
  SlabSearch(DualModel& model, bool noise_is_given);

  /// The best end of all starts, and of one that is `known` (nullptr: none), under this prior; the model's noise is set
  /// to its own. With many rows the starts are the best ends under the prior before, if there was one.
  SlabState best(const TwoNormal& prior, const SlabState* known);
  /// Whether some support evaluated so far is three times as probable as the null model, under a prior that makes every
  /// number of features equally probable, and all supports of the same size too: whether there is anything to find.
  bool found_anything() const { return max_gain_ > min_gain; }
  /// The model without slab features.
  SlabState none(const TwoNormal& prior);

 private:
  static constexpr double min_gain = 1.0986122886681098;  // log 3

  /// A choice of features, and a mode nearby (no dual vector: none).
  struct Support {
    std::vector<Index> slab;
    RidgeMode mode;
  };
  std::vector<Support> starts() const;
  /// Choices that stand still, with their modes.
  using Modes = std::map<std::vector<Index>, RidgeMode>;
  Modes alternate(std::vector<Support> choices, const TwoNormal& prior) const;
  /// The next choice of each of some, whose modes are found.
  std::vector<std::vector<Index>> next_supports(std::span<const Support> choices, const TwoNormal& prior) const;
  struct Evidence {
    double noise_variance = 1, log_value = 0;
    double less_than = HUGE_VAL;  ///< not known but to be less
    bool known = false;
  };
  Evidence evidence(const std::vector<Index>& slab, const TwoNormal& prior, double min_evidence);
  /// Its log_posterior is minus infinity where evidence is less than `min_evidence`.
  SlabState evaluate(const std::vector<Index>& slab, const TwoNormal& prior, RidgeMode mode, double min_evidence);
  void sort_by_posterior(std::vector<Support>& choices, const TwoNormal& prior) const;
  double log_prior(const std::vector<Index>& slab, const TwoNormal& prior) const;
  /// Fixed points reached from these starts, best first. Left out are those whose evidence bound shows that they are
  /// not better than `least` and cannot change found_anything().
  std::vector<SlabState> evaluate_modes(std::vector<Support> choices, const TwoNormal& prior, double least);
  void rank_features();

  DualModel& model_;
  bool noise_is_given_;
  std::vector<std::vector<Index>> rankings_;  // the first features of each
  std::vector<Support> kept_modes_;           // of the last search, best first
  std::map<std::vector<Index>, Evidence> evaluated_;
  std::pair<double, double> evaluated_for_;  // variances of spike and slab
  double max_gain_ = 0;                      // of evidence, less what the choice of features costs
};

}  // namespace tamis
