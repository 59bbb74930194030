// When a mean field has included so many features that it fits any response: F of the garrote has no lower bound there.
//
// Counting   with k features, a random response leaves a share of at most e of its variance with probability about
//            e^((n - k) / 2), n counted without the intercept; there are C(p, k) choices of k features. If C(p, k)
//            e^((n - k) / 2) is tiny, a fit that leaves e is no accident: the response itself has no noise. So
//            noiseless data are recovered with nearly as many features as rows, and noisy data never get there.
#pragma once

#include <cmath>

#include "tamis/base/index.hpp"

namespace tamis {

/// Share of the response's variance below which nothing is left of it but rounding.
inline constexpr double no_noise_left = 1e-12;

/// Whether `total` expected features of p, fitted to `rows` rows, interpolate: nearly as many as rows, or more than
/// half as many that leave no noise although chance could find such a set.
inline bool features_interpolate(double total, double rows, Index features, double share_left) {
  if (total > 0.9 * (rows - 1)) return true;
  if (!(total > 0.5 * rows) || share_left >= no_noise_left) return false;
  constexpr double certain = 10;  // nats: one in 20,000
  const double k = std::ceil(total), p = static_cast<double>(features);
  const double choices = k < p ? std::lgamma(p + 1) - std::lgamma(k + 1) - std::lgamma(p - k + 1) : 0;
  return choices - 0.5 * (rows - 1 - k) * std::log(1 / no_noise_left) > -certain;
}

}  // namespace tamis
