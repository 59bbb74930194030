// Posterior of one score v under a quadratic log likelihood, linear v - curvature v^2 / 2, by prior: the step of mean
// field for new rows.
#pragma once

#include "tamis/base/index.hpp"
#include "tamis/fit/factor_fit.hpp"

namespace tamis::factor {

struct ScorePosterior {
  double mean = 0;
  double variance = 0;
  double inclusion = 1;
};

/// The prior of one factor's scores as a model file holds it.
class ScorePrior {
 public:
  /// Throws InvalidInput if the file is too old to have it.
  ScorePrior(const FactorFit& fit, Index factor);

  ScorePosterior posterior(double linear, double curvature) const;

 private:
  enum class Shape { spike_slab, laplace, one_sided, point };
  Shape shape_ = Shape::spike_slab;
  double log_odds_ = 0;             // spike_slab: of the slab
  double mean_ = 0;                 // of active scores; its sign is the side of a one-sided prior
  double precision_ = 1;            // of active scores
  double rate_ = 0;                 // laplace, one_sided: of the decay
  double penalty_ = 0, ridge_ = 0;  // point
};

}  // namespace tamis::factor
