// The evidence of the variances of covariance components, and its derivatives (component_data.hpp has the units).
#pragma once

#include <span>
#include <vector>

#include "method/ard/component_data.hpp"

namespace tamis {

/// Variances of all components, and of the noise.
struct ComponentVariances {
  std::vector<double> x;
  double noise = 1;
};

/// What the cost charges for a component that plays: weight * rank * log(1 + x scale / rank), a concave function like
/// log|Sigma|. With z at x = 0 as scale a component enters only if q^2 > (1 + weight) z. Empty: nothing.
struct ComponentPenalty {
  std::vector<double> weight, scale;
};

struct ComponentPoint {
  ComponentVariances at;
  Matrix factor;                  ///< lower Cholesky factor C of Sigma
  Matrix inverse;                 ///< of Sigma, where z needed it: with kernels or a slope of the noise
  Matrix half;                    ///< C^-1 Y
  Matrix weighted;                ///< Sigma^-1 Y
  double fit = 0;                 ///< tr(Y'Sigma^-1 Y) / targets
  double cost = 0;                ///< log|Sigma| + fit + penalty
  std::vector<double> q_squared;  ///< |T_i'Sigma^-1 Y|^2 / targets; the noise is the last, with the identity as kernel
  std::vector<double> z;          ///< tr(T_i'Sigma^-1 T_i), likewise; empty if not asked for, NaN of an unwanted noise
  bool valid = false;             ///< false: arithmetic failed, nothing else holds
};

/// Which slopes of log|Sigma| are wanted: they cost more than the fit does.
enum class Slopes { none, components, components_and_noise };

class ComponentEvidence {
 public:
  explicit ComponentEvidence(const ComponentData& data) : data_(data) {}
  const ComponentData& data() const { return data_; }

  ComponentPoint at(ComponentVariances variances, const ComponentPenalty& penalty, Slopes wanted) const;
  /// z of a point, if it has none.
  void take_z(ComponentPoint& point, Slopes wanted) const;
  /// z with the slope of the penalty.
  double slope(const ComponentPoint& point, const ComponentPenalty& penalty, Index i) const;
  /// Second derivative of the penalty by x_i, not positive.
  double penalty_curvature(const ComponentPoint& point, const ComponentPenalty& penalty, Index i) const;

  /// Second derivatives of the fit, 2 Y'Sigma^-1 K_i Sigma^-1 K_j Sigma^-1 Y / targets, and of log|Sigma| without its
  /// sign, tr(Sigma^-1 K_i Sigma^-1 K_j), for the components in `which`; size() stands for the noise. The latter is
  /// empty if it would take too long.
  struct Curvature {
    Matrix fit, log_determinant;
  };
  Curvature curvature(const ComponentPoint& point, std::span<const Index> which, bool want_log_determinant) const;

  /// Gain in evidence that the best variance of component i has over 0, the others as they are.
  double gain(const ComponentPoint& point, Index i) const;
  /// theta = q^2/z with a component of rank one left out of Sigma.
  double theta(const ComponentPoint& point, Index i) const;

 private:
  Matrix covariance(const ComponentVariances& variances) const;
  Matrix explained(const ComponentPoint& point, Index i) const;
  void take_q(ComponentPoint& point) const;
  double penalty_share(const ComponentPoint& point, const ComponentPenalty& penalty, Index i) const {
    return 1 + point.at.x[i] * penalty.scale[i] / data_[i].effective_rank;
  }
  double penalty_of(const ComponentVariances& at, const ComponentPenalty& penalty) const;
  Matrix log_determinant_curvature(const ComponentPoint& point, std::span<const Index> which) const;
  Matrix standardized_kernel(const ComponentPoint& point, Index i) const;

  const ComponentData& data_;
};

}  // namespace tamis
