// The update steps of Bayesian masking. Each raises G or leaves it, except the gradient step, which may overshoot.
#pragma once

#include "method/masking/mask_state.hpp"

namespace tamis {

/// Beyond this a rate is one (1 - pi < 1e-13) and stays there: em cannot leave it.
inline constexpr double certain_log_odds = 30;

/// Masks of one feature as they are before anything is known: a half each.
void initialize_masks(MaskState& state, Index k);

/// Masks of one feature at their maximum, its rate being held (Eq. 11, all rows at once: a column does not interact
/// with itself).
void expect_masks(MaskState& state, Index k);

/// Masks and rate of one feature together: the nearest maximum of G uphill in the rate. False if the rate fell below
/// exp(min_log_odds) on its way: the feature is to be pruned, and its state is as it was.
bool collapse_rate(MaskState& state, Index k, double min_log_odds);

/// Weights and intercept together (Eq. 12), and the residual with them.
void maximize_weights(MaskState& state);
/// Eq. 13.
void maximize_noise(MaskState& state);
/// Eq. 14.
void maximize_rates(MaskState& state);

/// Posterior variance of each weight given the masks, in the order of state.active: the diagonal of the inverse of
/// noise_precision Omega.
std::vector<double> weight_variances(MaskState& state);

}  // namespace tamis
