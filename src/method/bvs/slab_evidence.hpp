// What the data say of the variance of an independent slab, coefficients integrated out.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "method/bvs/active_model.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// F = X_g'WX_g + I/v of the features inside, as a function of v.
class SlabEvidence {
 public:
  /// `ridge`: 1/v of the model as it is.
  SlabEvidence(const ActiveModel& model, std::span<const double> correlation, double ridge);

  /// log(v^k |F|) and z'X_g F^-1 X_g'z at slab variance v.
  struct Value {
    double log_determinant = 0;
    double explained = 0;
  };
  Value at(double slab_variance) const;

 private:
  std::vector<double> eigenvalues_, squares_;  // of X_g'WX_g, and of X_g'z along its eigenvectors
};

/// A few random-walk steps on log v; log_density(v, Value) is that of log v.
template <class LogDensity>
double walk_slab_variance(const SlabEvidence& evidence, double v, RandomStream& random, const LogDensity& log_density) {
  constexpr int steps = 3;
  constexpr double spread = 1.2;
  double now = log_density(v, evidence.at(v));
  for (int k = 0; k < steps; ++k) {
    const double proposed = v * std::exp(spread * random.normal());
    if (!(proposed > 1e-12 && proposed < 1e12)) continue;
    const double then = log_density(proposed, evidence.at(proposed));
    if (std::log(1 - random.uniform01()) < then - now) {
      v = proposed;
      now = then;
    }
  }
  return v;
}

}  // namespace tamis
