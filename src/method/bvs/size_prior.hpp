// Prior of the number of features in the model: P(gamma) = p_k, the same for every set of k features.
#pragma once

#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

class SizePrior {
 public:
  /// Every feature with this probability, independently. `most`: the largest k that a model may have.
  static SizePrior fixed(double inclusion, Index features, Index most);
  /// A common probability h, and log(features h) uniform between log(low) and log(high), integrated out.
  static SizePrior log_uniform(double low, double high, Index features, Index most);

  Index most() const { return std::ssize(log_mass_) - 2; }
  /// log p_k, up to k = most() + 1.
  double log_mass(Index k) const { return log_mass_[k]; }
  /// Log odds of one feature more when there are k.
  double step(Index k) const { return log_mass_[k + 1] - log_mass_[k]; }

 private:
  explicit SizePrior(std::vector<double> log_mass) : log_mass_(std::move(log_mass)) {}
  std::vector<double> log_mass_;
};

}  // namespace tamis
