// Conditional odds of every feature to be in the model, the rest of it fixed; the rates at which a chain flips them.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "method/bvs/active_model.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// Log odds of a feature that may not change: never inside, always inside.
constexpr double never = -1e300, always = 1e300;

/// Features with a prior inclusion of their own; the others share the prior of the model size.
struct OwnPriors {
  std::vector<Index> features;
  std::vector<double> log_odds;  ///< never, always or finite
  std::vector<char> has_one;     ///< by feature; empty: none has
  bool counted(Index feature) const { return has_one.empty() || has_one[feature] == 0; }
};

/// What log odds are made of beside the model: prior, slab, noise.
struct OddsTerms {
  double when_out = 0;  ///< prior log odds of one more counted feature; never: the model is full
  double when_in = 0;   ///< of the last counted one
  double slab = 0;      ///< shared part of the slab's price: -log(1 + g) / 2
  double half_dof = 0;  ///< A of the gaussian gain -A log(1 - ratio r^2 / s); 0: the gain is r^2 / (2 s)
  double ratio = 0;     ///< t / R
  double log_slab = 0;  ///< log v: the price of an independent slab is log(v s) / 2
  bool independent = false;
  double flat_limit = 0;  ///< s below this share of x'Wx: in the span of the model, may not enter
};

/// Of every feature, in or out.
void log_odds(const ActiveModel& model, const OddsTerms& terms, const OwnPriors& own, std::span<double> out);

/// log of the sum of odds outside the model, `excluded` left out.
double log_sum_of_odds(std::span<const double> log_odds, const ActiveModel& model, std::span<const Index> excluded);
/// Draws such a feature with probability proportional to its odds; -1 if there is none.
Index draw_by_odds(std::span<const double> log_odds, const ActiveModel& model, std::span<const Index> excluded,
                   double uniform);

/// Flip rates of weighted tempered Gibbs sampling with their sum.
class FlipRates {
 public:
  explicit FlipRates(Index features);

  void update(const ActiveModel& model, const OddsTerms& terms, const OwnPriors& own);
  /// log of the sum of all rates; -infinity: nothing can be flipped.
  double log_total() const { return total_ > 0 ? std::log(total_) + shift_ : -std::numeric_limits<double>::infinity(); }
  /// A feature by its rate.
  Index choose(double uniform) const;
  /// Conditional inclusion probability of every feature.
  std::span<const double> inclusion() const { return inclusion_; }
  /// Features outside with the largest rates, a few.
  std::vector<Index> likely(const ActiveModel& model) const;

 private:
  void fill_outside(double largest);

  double explore_;  // exploration rate of a feature
  std::vector<double> inclusion_, rates_, blocks_;
  double total_ = 0, shift_ = 0;
};

}  // namespace tamis
