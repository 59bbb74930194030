// The most probable coefficients under point-mass spikes (the method "MM" of the paper; Yen 2011, "A
// majorization-minimization approach to variable selection using spike and slab priors", Annals of Statistics 39):
//   minimize loss(b) / noise_variance + |b|^2 / (2 slab_variance) + cost * (number of nonzero b),
// the count replaced by sum log(1 + |b_j| / width) / log(1 + 1 / width) and majorized by weighted L1. For comparison
// with flas, not a method of tamis: it gives a mode without probabilities, and capped-l1 and exact are close to it.
#pragma once

#include <vector>

#include "problem/scaled_response.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {

/// On the working scale of ScaledProblem: columns of unit standard deviation, a gaussian response of unit variance.
struct PointMassPrior {
  double noise_variance = 1;  ///< 1 for two classes
  double slab_variance = 1;
  double cost = 1;      ///< of a nonzero coefficient: log((1 - inclusion) / inclusion) + log(2 pi slab_variance) / 2
  double width = 1e-3;  ///< of the logarithm that stands for the count
};

struct PointMassMode {
  std::vector<double> b;  ///< per kept feature
  double intercept = 0;
  std::vector<double> objective;  ///< after every majorization: never rises
  bool converged = false;
};

/// Descends from `b`.
PointMassMode point_mass_mode(const Problem& problem, const ScaledProblem& scaled, const PointMassPrior& prior,
                              std::vector<double> b);

/// Begins at the lasso of least held-out error; its residual tells the noise; the cost is chosen by five-fold
/// cross-validation between .5 and 32.
Fit fit_point_mass_map(const Problem& problem, const Control& control);

}  // namespace tamis::experiments::laplace
