// Prior of one selection probability, s ~ Beta(a, b), under a continuous spike and slab: P(z = 1 | s) = s. Naqvi et
// al., "Fast Laplace approximation for sparse Bayesian spike and slab models" (FLAS), Section 2.
#pragma once

#include "prior/two_normal.hpp"

namespace tamis {

struct SelectionPrior {
  double a = 1, b = 1;

  /// P(z = 1), s integrated out.
  double inclusion() const { return a / (a + b); }

  /// Mean and variance of s if the slab has this posterior probability.
  struct Moments {
    double mean, variance;
  };
  Moments posterior(double inclusion) const;
};

/// The density of a coefficient and its selection probability, maximized over the latter:
/// max_s log(s N(w | 0, slab) + (1 - s) N(w | 0, spike)) + log Beta(s | a, b). Needs a >= 1 and b >= 1: otherwise it is
/// unbounded. The functions are those of TwoNormal.
class BestSelection {
 public:
  BestSelection(const TwoNormal& components, const SelectionPrior& selection);

  /// The maximizing s.
  double selection(double w) const;
  double log_density(double w) const;
  double precision(double w) const;
  /// |w| from which the slab is the more probable origin at the maximizing s.
  double threshold() const { return threshold_; }

 private:
  /// Log of the ratio of slab density to spike density.
  double log_ratio(double w) const { return components_.log_odds(w) - components_.prior_log_odds(); }
  double slab_log_odds(double w) const;

  TwoNormal components_;  // even odds
  SelectionPrior selection_;
  double log_beta_ = 0;  // of the normalizing constant
  double threshold_ = 0;
};

}  // namespace tamis
