// GIST: proximal gradient steps for a smooth loss plus a penalty that need not be convex, with Barzilai-Borwein step
// lengths and a line search that accepts only descent. Gong, Zhang, Lu, Huang, Ye (2013), "A general iterative
// shrinkage and thresholding algorithm for non-convex regularized optimization problems", ICML.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// sum_j strength_j min(|b_j|, cap): an L1 penalty that stops growing. Zhang (2010), JMLR 11.
struct CappedPenalty {
  std::vector<double> strength;  ///< per coordinate; 0: free
  double cap = 0;
  bool nonnegative = false;

  double value(std::size_t j, double b) const;
  /// argmin over b of curvature/2 (b - z)^2 + strength_j min(|b|, cap). Two branches, below and beyond the cap; of
  /// equals the smaller b.
  double minimizer(std::size_t j, double z, double curvature) const;
  /// Distance of b_j from stationarity, given minus the derivative of the loss: 0 at every local minimum.
  double distance(std::size_t j, double b, double negative_gradient) const;
};

/// A smooth function of a few coordinates, with a present point.
class SmoothLoss {
 public:
  virtual ~SmoothLoss() = default;
  /// Minus the gradient at the present point.
  virtual std::span<const double> negative_gradient() const = 0;
  virtual double value() const = 0;
  /// Change of the value if all coordinates moved by `step`.
  virtual double try_step(std::span<const double> step) = 0;
  /// Changes smaller than this are rounding error.
  virtual double resolution() const { return 0; }
  /// Moves by the step that was last tried.
  virtual void accept() = 0;
};

struct GistSettings {
  double tolerance = 1e-5;     ///< of distance(), relative to `unit`
  double unit = 1;             ///< the penalty, usually
  double first_curvature = 1;  ///< of the first step
  double least_curvature = 0;  ///< of any step: longer ones might jump to another local minimum
  Index max_steps = 5000;
};

struct GistResult {
  Index steps = 0;
  double curvature = 1;  ///< of the last step: a good first one next time
  bool converged = false;
};

/// Descends from b, the present point of `loss`, to a stationary point near it. Both move.
GistResult gist(SmoothLoss& loss, std::span<double> b, const CappedPenalty& penalty, const GistSettings& settings);

}  // namespace tamis
