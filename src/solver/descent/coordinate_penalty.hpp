// What all coordinate descents share: the penalty and the proximal step of a coordinate, active-set sweeps, and the
// start of a path point on the line through the last two.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// Per-coordinate constants of the penalty at one value of the penalty.
struct CoordinatePenalty {
  std::vector<double> l1;              ///< soft threshold
  std::vector<double> l2;              ///< ridge term
  std::vector<double> step_tolerance;  ///< a step smaller than this in gradient units counts as none
  bool nonnegative = false;

  /// argmin over b of curvature/2 b^2 - gradient b + l1_k |b| + l2_k/2 b^2: the soft threshold of the gradient by l1_k,
  /// divided by curvature + l2_k. 0 for a column without curvature and ridge, whose coefficient is not determined.
  double proximal_step(std::size_t k, double gradient, double curvature) const {
    const double denominator = curvature + l2[k];
    if (denominator <= 0) return 0;
    if (gradient > l1[k]) return (gradient - l1[k]) / denominator;
    if (gradient < -l1[k] && !nonnegative) return (gradient + l1[k]) / denominator;
    return 0;
  }
};

/// How a descent went.
struct Descent {
  Index sweeps = 0;
  bool converged = false;
};

/// Active-set cycling: a sweep over all coordinates, then over the nonzero ones until they converge, and again until a
/// sweep over all moves none by more than its tolerance. sweep(order) returns its largest step in units of the
/// tolerance.
template <class Sweep>
Descent active_set_descent(std::span<const double> b, Index max_sweeps, const Sweep& sweep) {
  thread_local std::vector<std::int32_t> everyone, active;
  everyone.resize(b.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  Descent descent;
  while (descent.sweeps < max_sweeps) {
    ++descent.sweeps;
    if (sweep(std::span<const std::int32_t>(everyone)) <= 1) {
      descent.converged = true;
      break;
    }
    active.clear();
    for (const std::int32_t k : everyone) {
      if (b[k] != 0) active.push_back(k);
    }
    while (descent.sweeps < max_sweeps) {
      ++descent.sweeps;
      if (sweep(std::span<const std::int32_t>(active)) <= 1) break;
    }
  }
  return descent;
}

/// Coefficients along a lasso path are piecewise linear in the penalty: the step that continues the line from `earlier`
/// through b by `ratio` of its length, without letting a coefficient cross zero; those zero at either end stay.
std::vector<double> extrapolated_step(std::span<const double> b, std::span<const double> earlier, double ratio);

}  // namespace tamis
