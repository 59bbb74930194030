// Newton's step on the nonzero coordinates A: (G_AA + diag(l2)) step = g - l2 b - l1 sign(b), the stationarity of the
// penalized quadratic as long as no sign changes. Two ways to stay in the orthant where that holds:
//   apply_newton            cuts the step where the first coordinate reaches zero: a descent direction, always safe;
//   apply_with_zeros_fixed  fixes every coordinate that crosses zero at zero and solves for the others, until none
//                           crosses (an active-set method): fewer steps, but the objective must be checked.
#include "solver/descent/support_step.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {

SupportStep::SupportStep(std::span<const double> b, std::span<const double> g, const CoordinatePenalty& penalty) {
  for (Index k = 0; k < std::ssize(b); ++k) {
    if (b[k] == 0) continue;
    places_.push_back(static_cast<std::int32_t>(k));
    from_.push_back(b[k]);
    right_hand_side_.push_back(g[k] - penalty.l2[k] * b[k] - std::copysign(penalty.l1[k], b[k]));
    penalized_.push_back(penalty.l1[k] > 0);
  }
}

bool SupportStep::solve(BorderedFactor& factor, std::span<const Index> numbers) {
  const Index size = std::ssize(places_);
  Index last = factor.size() - 1;
  for (const Index number : numbers) last = std::max(last, number);
  std::vector<double> rhs(last + 1);
  for (Index k = 0; k < size; ++k) rhs[numbers[k]] = right_hand_side_[k];
  factor.set_right_hand_side(std::move(rhs));
  const auto solve_for = [&](std::vector<double>& step) {
    const std::vector<double> x = factor.solve();
    if (x.empty()) return false;
    step.resize(size);
    for (Index k = 0; k < size; ++k) step[k] = x[numbers[k]];
    return true;
  };
  if (!solve_for(newton_step_)) return false;
  // Each fixed coordinate is one more border row of the factor. When many cross zero the support is far from right, and
  // coordinate descent will find it at less cost.
  constrained_step_ = newton_step_;
  const Index most = factor.border() + std::max<Index>(4, factor.size() / 32);
  std::vector<bool> fixed(size, false);
  while (true) {
    const Index before = factor.border();
    for (Index k = 0; k < size; ++k) {
      if (fixed[k] || !crosses_zero(k, constrained_step_[k])) continue;
      fixed[k] = true;
      factor.fix_value(numbers[k], -from_[k]);
    }
    if (factor.border() == before || factor.border() > most || !solve_for(constrained_step_)) return true;
  }
}

void SupportStep::apply_newton(std::span<double> b) const {
  double length = 1;
  Index first = std::ssize(places_);
  for (Index k = 0; k < std::ssize(places_); ++k) {
    if (!crosses_zero(k, length * newton_step_[k])) continue;
    length = -from_[k] / newton_step_[k];
    first = k;
  }
  for (Index k = 0; k < std::ssize(places_); ++k) {
    b[places_[k]] = k == first ? 0.0 : from_[k] + length * newton_step_[k];
  }
}

void SupportStep::apply_with_zeros_fixed(std::span<double> b) const {
  for (Index k = 0; k < std::ssize(places_); ++k) {
    b[places_[k]] = crosses_zero(k, constrained_step_[k]) ? 0.0 : from_[k] + constrained_step_[k];
  }
}

}  // namespace tamis
