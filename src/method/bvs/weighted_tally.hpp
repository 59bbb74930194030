// Weighted sums of one chain's states. Nothing is kept per state but a thinned list of draws.
#pragma once

#include <span>
#include <vector>

#include "method/bvs/odds.hpp"
#include "method/bvs/target.hpp"

namespace tamis {

/// Sums over the states of some steps, each with its weight.
struct WeightedSums {
  explicit WeightedSums(Index features) : inclusion(features), mean(features), square(features) {}
  double weight = 0, square_weight = 0;
  std::vector<double> inclusion;
  double moment_weight = 0;          ///< of the states that the rest is of: moments are taken less often
  std::vector<double> mean, square;  ///< of the coefficient
  double noise = 0, intercept = 0, log_likelihood = 0, log_scale = 0;
  std::vector<double> sizes;  ///< weight of the states with k features

  void exchange(Archive& archive);
};

/// Draws of whole models: every stride-th state, the stride doubling when there are too many.
class KeptDraws {
 public:
  static constexpr Index most = 2048;

  bool wants(Index step) const { return step % stride_ == 0; }
  void keep(Index step, double weight, const std::vector<Index>& features, const DrawnModel& drawn);
  void exchange(Archive& archive);

  struct Draw {
    Index step = 0;
    double weight = 0, intercept = 0, noise_variance = 0;
    Index start = 0, size = 0;  ///< its features and coefficients in the lists below
  };
  std::span<const Draw> draws() const { return draws_; }
  std::span<const std::int32_t> features_of(const Draw& draw) const {
    return span_of(features_.data() + draw.start, draw.size);
  }
  std::span<const double> coefficients_of(const Draw& draw) const {
    return span_of(coefficients_.data() + draw.start, draw.size);
  }

 private:
  void thin();

  Index stride_ = 1;
  std::vector<Draw> draws_;
  std::vector<std::int32_t> features_;
  std::vector<double> coefficients_;
};

/// The sums of a chain since the last two powers of two: what came before is burn-in.
class WeightedTally {
 public:
  explicit WeightedTally(Index features) : previous_(features), current_(features) {}

  void record_inclusion(double weight, const FlipRates& rates, Index size);
  void record_moments(double weight, const ActiveModel& model, const Target& target, const FlipRates& rates);
  /// What was summed becomes `previous`, and what was `previous` is dropped.
  void turn();
  void exchange(Archive& archive);

  const WeightedSums& previous() const { return previous_; }
  const WeightedSums& current() const { return current_; }
  double weight() const { return previous_.weight + current_.weight; }

 private:
  WeightedSums previous_, current_;
  std::vector<double> mean_, variance_;  // work memory
};

}  // namespace tamis
