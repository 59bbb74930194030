// A count whose log rate is uncertain: probabilities and quantiles, for any size of both.
#pragma once

namespace tamis {

/// A normal belief about a log rate; rates beyond e^largest count as that.
struct LogRate {
  double mean = 0;
  double variance = 0;
  double largest = 0;
};

/// P(X <= count) for X ~ Poisson(e^psi), psi as believed.
double count_cdf(const LogRate& belief, double count);
/// log P(X = count).
double log_count_probability(const LogRate& belief, double count);
/// The smallest count with P(X <= count) >= level; of huge ones 15 digits.
double count_quantile(const LogRate& belief, double level);

}  // namespace tamis
