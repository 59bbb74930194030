// Counting of feature sets against the chance that one of them leaves nothing of a random response.
#include "method/mean_field/interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "method/mean_field/forward_backward.hpp"

namespace tamis {
namespace {

constexpr double certain = 10;  // nats: one in 20,000

// log of C(p, k) (e^(1/2))^(rows - 1 - k): how many sets of k features fit a random response by accident.
double log_accidents(double k, double rows, Index features) {
  const auto p = static_cast<double>(features);
  const double choices = k < p ? std::lgamma(p + 1) - std::lgamma(k + 1) - std::lgamma(p - k + 1) : 0;
  return choices + 0.5 * std::max(0.0, rows - 1 - k) * std::log(no_noise_left);
}

// Of the rows that count. Repeated rows tell nothing new, and a response of few values may be met by accident.
Index distinct_values(std::span<const double> y, std::span<const double> weights) {
  std::vector<double> values;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (weights[i] > 0) values.push_back(y[i]);
  }
  std::ranges::sort(values);
  return std::ssize(values) - std::ssize(std::ranges::unique(values));
}

}  // namespace

bool features_interpolate(double total, double rows, Index features, double share_left, bool slab_is_flat) {
  if (total > 0.9 * (rows - 1)) return true;
  if (!(total > 0.5 * rows)) return false;
  const bool may_collapse = slab_is_flat && static_cast<double>(features) > rows;
  if (share_left >= no_noise_left) return may_collapse && share_left < little_left;
  return log_accidents(std::ceil(total), rows, features) > -certain;
}

Index first_noiseless(const ForwardBackward& path, double square, std::span<const double> y,
                      std::span<const double> weights, Index features) {
  for (Index k = 0; k < path.size(); ++k) {
    const MeanFieldPoint& point = path.best(k);
    if (point.training_error >= no_noise_left * square) continue;
    const double count = std::max(std::ceil(point.total), static_cast<double>(point.active));
    const auto rows = static_cast<double>(distinct_values(y, weights));
    if (log_accidents(count, rows, features) < -certain) return k;
  }
  return -1;
}

}  // namespace tamis
