// SupportStep: Newton's step on the nonzero coordinates. Coordinate descent finds the support in a few sweeps but
// converges linearly on it; this step is exact on the support but cannot add to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/bordered_factor.hpp"
#include "solver/descent/coordinate_penalty.hpp"

namespace tamis {

/// The factor of a quadratic's matrix on a support, which serves supports that differ by a few members too.
struct SupportFactor {
  std::vector<std::int32_t> places;
  BorderedFactor factor;

  bool is_known() const { return !places.empty(); }
  void clear() { *this = SupportFactor(); }
};

class SupportStep {
 public:
  SupportStep(std::span<const double> b, std::span<const double> g, const CoordinatePenalty& penalty);

  /// Of the nonzero coordinates, rising.
  const std::vector<std::int32_t>& places() const { return places_; }
  /// Solves for the step, to single precision; `numbers` are the places of our coordinates in the factor. False if the
  /// system is singular.
  bool solve(BorderedFactor& factor, std::span<const Index> numbers);
  /// b += Newton's step, cut where the first penalized coordinate reaches zero: the objective falls.
  void apply_newton(std::span<double> b) const;
  /// Moves to the minimum with the coordinates that Newton's step carries across zero fixed at zero: fewer steps as a
  /// rule, but the caller must check that the objective decreases.
  void apply_with_zeros_fixed(std::span<double> b) const;

 private:
  /// A coefficient without penalty may change its sign.
  bool crosses_zero(std::size_t k, double step) const { return penalized_[k] && (from_[k] + step) * from_[k] < 0; }

  std::vector<std::int32_t> places_;
  std::vector<double> from_, right_hand_side_;
  std::vector<bool> penalized_;
  std::vector<double> newton_step_, constrained_step_;  // the two steps
};

}  // namespace tamis
