// Projected Newton descent over the variances of covariance components.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "method/ard/component_evidence.hpp"

namespace tamis {

/// What may move, and how far down.
struct VarianceBounds {
  std::vector<char> allowed;  ///< per component; others stay at 0
  bool noise_moves = false;
  double noise_floor = 0;
};

/// Largest relative violation of the conditions of a minimum, q^2 = z where x > 0, q^2 <= z where x = 0.
struct ComponentCertificate {
  double active = 0, inactive = 0;
  double worst() const { return active > inactive ? active : inactive; }
};

class ComponentDescent {
 public:
  ComponentDescent(const ComponentEvidence& evidence, const VarianceBounds& bounds, const ComponentPenalty& penalty)
      : evidence_(evidence), data_(evidence.data()), bounds_(bounds), penalty_(penalty) {}

  /// From here on the weighted problem min_X |Y - sum T_i X_i|^2 / noise + 2 sum sqrt(t slope_i) |X_i| is lowered, or
  /// with no slopes the cost itself. The weighted problem is solved in the variances, where it is
  /// tr(Y'Sigma^-1 Y) / t + sum slope_i x_i: convex, and with as many unknowns as components.
  void set_slopes(std::vector<double> slopes) { slopes_ = std::move(slopes); }
  /// One step down from `point`, which becomes better or stays; false: it cannot.
  bool step(ComponentPoint& point, double tolerance) const;
  /// Of the cost or of the weighted problem.
  double value(const ComponentPoint& point) const;
  ComponentCertificate certificate(const ComponentPoint& point) const;
  Slopes wanted() const { return bounds_.noise_moves ? Slopes::components_and_noise : Slopes::components; }

 private:
  double slope(const ComponentPoint& point, Index i) const {
    return slopes_.empty() ? evidence_.slope(point, penalty_, i) : slopes_[i];
  }
  double gradient(const ComponentPoint& point, Index i) const { return slope(point, i) - point.q_squared[i]; }
  bool moves(Index i) const {
    return i == data_.size() ? bounds_.noise_moves
                             : data_[i].plays && (bounds_.allowed.empty() || bounds_.allowed[i] != 0);
  }
  double floor(Index i) const { return i == data_.size() ? bounds_.noise_floor : 0.0; }
  std::vector<Index> free_components(const ComponentPoint& point, double tolerance) const;
  std::vector<double> direction(const ComponentPoint& point, std::vector<Index>& which) const;
  ComponentPoint moved(const ComponentPoint& from, std::span<const Index> which, std::span<const double> direction,
                       double length) const;
  bool search(ComponentPoint& point, std::span<const Index> which, std::span<const double> direction) const;
  bool rescale(ComponentPoint& point) const;

  const ComponentEvidence& evidence_;
  const ComponentData& data_;
  const VarianceBounds& bounds_;
  const ComponentPenalty& penalty_;
  std::vector<double> slopes_;
};

}  // namespace tamis
