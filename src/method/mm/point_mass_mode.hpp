// The most probable coefficients under point-mass spikes, by majorization-minimization from a given start.
#pragma once

#include <vector>

#include "problem/scaled_response.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

/// On the working scale of ScaledProblem.
struct PointMassPrior {
  double noise_variance = 1;  ///< 1 for families without
  double slab_variance = 1;
  double cost = 1;      ///< of a nonzero coefficient: log((1 - inclusion) / inclusion) + log(2 pi slab_variance) / 2
  double width = 1e-3;  ///< of the logarithm that stands for the count, in standard deviations of the slab
};

/// What a coefficient costs beside its slab: cost * log(1 + |b| / w) / log(1 + 1 / width), w = width * slab deviation.
double count_penalty(const PointMassPrior& prior, double b);
/// Its derivative by |b|, largest at 0.
double count_slope(const PointMassPrior& prior, double b);

struct PointMassMode {
  std::vector<double> b;  ///< per kept feature
  double intercept = 0;
  std::vector<double> fit;  ///< predictor of each row, without offset
  double objective = 0;
  double violation = 0;           ///< largest distance of a subgradient from 0, in units of the slope at 0
  std::vector<TracePoint> trace;  ///< after every majorization: the objective never rises
  bool converged = false, cancelled = false;
};

/// Descends from `b` and the best intercept beside it. `tolerance`: of the violation.
PointMassMode point_mass_mode(const ScaledProblem& scaled, const PointMassPrior& prior, std::vector<double> b,
                              double tolerance, Observer* observer);

}  // namespace tamis
