// Spike and slab: posterior of one coefficient given its likelihood, all others fixed. The likelihood enters by
// c = x'Ur + curvature * coefficient (the correlation with what the others leave unexplained), curvature = x'Ux and the
// precision of one unit of U.
//
// Two slabs. Flat: the weight is its most probable value c / curvature (the Variational Garrote, Kappen & Gomez 2014);
// then the odds lack the width of a slab, unless slab_variance > 0 gives the width to correct them for; and where
// classes can be separated the weight would be infinite, unless weight_variance > 0 holds it. Normal: the
// weight has its posterior N(mean, variance) under N(0, slab_variance) (paired mean field; Carbonetto & Stephens 2012).
#pragma once

#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {

struct SpikeSlab {
  double log_odds = 0;       ///< of inclusion, a priori
  double slab_variance = 0;  ///< flat slab: 0 for no correction
  bool slab_is_normal = false;
  double weight_variance = 0;  ///< flat slab, > 0: the weight is the most probable one under N(0, weight_variance)

  /// What depends on curvature * precision alone, for all correlations.
  struct Terms {
    double prior_logit;  ///< log odds of a feature whose correlation is 0
    double shrinkage;    ///< of its weight, 1 for the flat slab
  };
  Terms terms(double information) const {
    const double width = information * slab_variance;
    const double prior = slab_variance > 0 ? log_odds - 0.5 * std::log1p(width) : log_odds;
    if (slab_is_normal) return {prior, width / (1 + width)};
    const double held = information * weight_variance;
    return {prior, weight_variance > 0 ? held / (1 + held) : 1.0};
  }

  /// Kullback-Leibler cost of including a feature, without the entropy of the indicator: what m multiplies in the free
  /// energy.
  double inclusion_cost(double information, double mean, double variance) const {
    const double held = weight_variance > 0 ? 0.5 * mean * mean / weight_variance : 0.0;
    if (!slab_is_normal) return held - terms(information).prior_logit;
    return -log_odds + 0.5 * (std::log(slab_variance / variance) - 1 + (mean * mean + variance) / slab_variance);
  }
};

}  // namespace tamis
