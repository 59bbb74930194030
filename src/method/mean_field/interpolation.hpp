// When a mean field has included so many features that it fits any response: F of the garrote has no lower bound there.
//
// Counting   with k features, a random response leaves a share of at most e of its variance with probability about
//            e^((n - k) / 2), n counted without the intercept; there are C(p, k) choices of k features. If C(p, k)
//            e^((n - k) / 2) is tiny, a fit that leaves e is no accident: the response itself has no noise. So
//            noiseless data are recovered with nearly as many features as rows, and noisy data never get there.
#pragma once

#include "tamis/base/index.hpp"

namespace tamis {

/// Share of the response's variance below which nothing is left of it but rounding.
inline constexpr double no_noise_left = 1e-12;
/// What a set on its way there leaves: 16 to 25 of 100 features left 2 % of 30 rows, and predicted worse than the null
/// model.
inline constexpr double little_left = 0.05;

/// Whether `total` expected features of p, fitted to `rows` rows, interpolate: nearly as many as rows, or more than
/// half as many that leave no noise although chance could find such a set. Under a flat slab, with more features than
/// rows to choose from, next to nothing left counts too.
bool features_interpolate(double total, double rows, Index features, double share_left, bool slab_is_flat);

}  // namespace tamis
