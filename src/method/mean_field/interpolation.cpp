// Counting of feature sets against the chance that one of them leaves nothing of a random response.
#include "method/mean_field/interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "method/mean_field/forward_backward.hpp"

namespace tamis {
namespace {

constexpr double certain = 10;  // nats: one in 20,000

// log of C(p, k) less `per_row` for each row beyond those that k features and an intercept fit anyway.
double log_accidents(double k, double rows, Index features, double per_row) {
  const auto p = static_cast<double>(features);
  const double choices = k < p ? std::lgamma(p + 1) - std::lgamma(k + 1) - std::lgamma(p - k + 1) : 0;
  return choices - std::max(0.0, rows - 1 - k) * per_row;
}

const double per_continuous_row = 0.5 * std::log(1 / no_noise_left);

// What a row of a response tells at most: one of few values meets a prediction on the same lattice with probability one
// over their number.
double most_per_row(std::span<const double> y) {
  std::vector<double> values(y.begin(), y.end());
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  return std::min(per_continuous_row, std::log(static_cast<double>(std::ssize(values) - std::ssize(repeated))));
}

}  // namespace

bool features_interpolate(double total, double rows, Index features, double share_left) {
  if (total > 0.9 * (rows - 1)) return true;
  if (!(total > 0.5 * rows) || share_left >= no_noise_left) return false;
  return log_accidents(std::ceil(total), rows, features, per_continuous_row) > -certain;
}

Index first_noiseless(const ForwardBackward& path, double square, std::span<const double> y, Index features) {
  for (Index k = 0; k < path.size(); ++k) {
    const MeanFieldPoint& point = path.best(k);
    if (point.training_error >= no_noise_left * square) continue;
    const double count = std::max(std::ceil(point.total), static_cast<double>(point.active));
    if (log_accidents(count, static_cast<double>(y.size()), features, most_per_row(y)) < -certain) return k;
  }
  return -1;
}

}  // namespace tamis
