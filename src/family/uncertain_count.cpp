// Poisson counts whose log rate psi is uncertain, psi ~ N(mean, variance): probabilities of any count at any variance.
//
// Narrow     variance (count + 1) <= 1: P(X = count | psi) is smooth on the scale of the belief, and 15 nodes of
//            Gauss-Hermite in psi are enough.
// Wide       The roles are exchanged. With G ~ Gamma(count + 1) and G' ~ Gamma(count)
//              P(X <= count | psi) = P(psi < log G),          P(X = count | psi) = density of log G' at psi / count,
//            so the means over psi are means of a normal distribution function and of a normal density over log G,
//            whose density is smooth and vanishes at both ends: the trapezoidal rule converges exponentially.
// Limit      Rates beyond e^largest count as that: psi has an atom there, which is added apart.
// Hazard     A fixed rule in psi misses the peak of a large count under a wide belief altogether and returns the tiny
//            probability at a far node: such a cell alone would decide the NLP of a table.
#include "family/uncertain_count.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "family/poisson_cdf.hpp"
#include "linalg/gauss_hermite.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

double normal_cdf(double deviate) { return 0.5 * std::erfc(-deviate / std::numbers::sqrt2); }

// Log of the mean of exp(log_f) over the log of a Gamma(shape) variable, by the trapezoidal rule on its density, which
// vanishes at both ends.
template <class Function>
double log_mean_over_log_gamma(double shape, const Function& log_f) {
  constexpr double normal_from = 1e6;  // it is as good as normal, and its own density loses digits
  const double width = 1 / std::sqrt(shape), mode = std::log(shape);
  double log_sum = -std::numeric_limits<double>::infinity(), total = 0;
  for (double u = -12; u <= 6; u += 0.5) {  // of shape 1, which has the longest tail, e^-12 is left
    const double y = width * u;
    const double log_density = shape > normal_from ? -0.5 * u * u : shape * (y - std::expm1(y));
    log_sum = log_sum_exp(log_sum, log_density + log_f(mode + y));
    total += std::exp(log_density);
  }
  return log_sum - std::log(total);
}

// P(X = count | psi) is a peak of width (count + 1)^-1/2 in psi, and P(X <= count | psi) falls from 1 to 0 within it:
// the nodes of a rule for a wider belief would miss it.
bool is_narrow(const LogRate& belief, double count) { return belief.variance * (count + 1) <= 1; }

double log_probability(double count, double psi) {
  return count * psi - std::exp(psi) - boost::math::lgamma(count + 1);
}

}  // namespace

double count_cdf(const LogRate& belief, double count) {
  if (count < 0) return 0;
  if (is_narrow(belief, count)) {
    return normal_mean(belief.mean, belief.variance,
                       [&](double psi) { return poisson_cdf(count, std::exp(std::min(psi, belief.largest))); });
  }
  // P(X <= count | psi) = P(psi < log G) with G ~ Gamma(count + 1).
  const double deviation = std::sqrt(belief.variance);
  return std::exp(log_mean_over_log_gamma(count + 1, [&](double y) {
    return y > belief.largest ? 0 : std::log(normal_cdf((y - belief.mean) / deviation));
  }));
}

double log_count_probability(const LogRate& belief, double count) {
  if (is_narrow(belief, count)) {
    return log_normal_mean(belief.mean, belief.variance,
                           [&](double psi) { return log_probability(count, std::min(psi, belief.largest)); });
  }
  if (count == 0) return std::log(count_cdf(belief, 0));
  // P(X = count | psi) is the density of log G at psi over count, with G ~ Gamma(count); beyond the limit it is
  // constant.
  const double deviation = std::sqrt(belief.variance);
  const double below = log_mean_over_log_gamma(count, [&](double y) {
    const double deviate = (y - belief.mean) / deviation;
    return y > belief.largest ? -std::numeric_limits<double>::infinity()
                              : -0.5 * deviate * deviate - std::log(deviation * std::sqrt(2 * std::numbers::pi));
  });
  const double beyond = normal_cdf((belief.mean - belief.largest) / deviation);
  return log_sum_exp(below - std::log(count), std::log(beyond) + log_probability(count, belief.largest));
}

// Doubling, then bisection on whole counts: about 2 log2 of the answer evaluations.
double count_quantile(const LogRate& belief, double level) {
  double high = 1;
  while (count_cdf(belief, high) < level) high *= 2;  // it ends: rates are at most e^largest
  double low = -1;                                    // P(X <= low) < level
  while (high - low > std::max(1.0, 1e-15 * high)) {
    const double middle = std::floor(0.5 * (low + high));
    (count_cdf(belief, middle) >= level ? high : low) = middle;
  }
  return high;
}

}  // namespace tamis
