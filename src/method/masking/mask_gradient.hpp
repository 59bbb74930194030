// The gradient step of FAB-EG (Section 4.4): weights and rates follow the gradient of G, plainly or after the
// reparametrization (beta, pi) -> (beta, beta pi), whose metric is near Fisher's where beta is small. At held masks G
// may fall by it: the step follows the maximum of G over the masks, which moves with the rates.
#pragma once

#include "method/masking/mask_state.hpp"

namespace tamis {

/// dG/dbeta and dG/dpi at held masks, in the order of state.active; 0 for the rate of a certain feature.
struct MaskGradient {
  std::vector<double> weights, rates;
};
MaskGradient gradient_of(const MaskState& state);

struct GradientStep {
  double weights = 0;  ///< learning coefficient eta of the weights (and of the rates, if reparametrized)
  double rates = 0;    ///< of the rates, if not
  bool reparametrized = true;
  /// eta of a feature is reduced so that its rate moves no further. Appendix C reduces that of all features: then one
  /// weight near zero, where Eq. 20 divides by its square, stops all others.
  double longest_rate = 0.05;
};

/// Eq. 20, and the intercept at its maximum. Where eta would take the weights beyond the maximum of G along their
/// gradient they stop there, so that no eta diverges. A rate that would pass one becomes one and stays there; one that
/// would pass zero becomes tiny, and the next masks of its feature with it; one that changes direction slows down.
void gradient_step(MaskState& state, const GradientStep& step);

}  // namespace tamis
