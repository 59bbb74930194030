#include "family/poisson_cdf.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace tamis {

double poisson_cdf(double count, double rate) {
  if (count < 0) return 0;
  // Chernoff's bound: the tail beyond 12 deviations and 60 is less than 1e-30, and Boost's incomplete gamma functions
  // overflow there.
  const double reach = 12 * std::sqrt(rate) + 60;
  if (count > rate + reach) return 1;
  if (count < rate - reach) return 0;
  // Beyond this rate the normal limit with continuity correction is exact to 1e-4.
  constexpr double normal_limit_from = 1e6;
  if (rate > normal_limit_from) {
    return 0.5 * std::erfc((rate - std::floor(count) - 0.5) / std::sqrt(rate) / std::numbers::sqrt2);
  }
  return rate > 0 ? boost::math::gamma_q(std::floor(count) + 1, rate) : 1;
}

}  // namespace tamis
