// Polya-Gamma random variables, PG(b, c).
//
// b = 1      PG(1, 2z) = J*(1, z) / 4 by rejection (Devroye). Proposal: left of 0.64 a truncated inverse gaussian of
//            mean 1/z, right of it an exponential of rate pi^2/8 + z^2/2. The density is an alternating series
//              sum_n (-1)^n a_n(x),  a_n / a_0 = (2n + 1) exp(-n (n + 1) pi^2 x / 2) right, exp(-2 n (n + 1) / x) left,
//            whose partial sums bracket it from both sides: most draws are decided by a_0 alone, without an
//            exponential.
// Whole b    up to 16: a sum of independent PG(1, c), exact.
// Other b    PG(b, c) = sum_k Gamma(b, 1) / (2 pi^2 ((k - 1/2)^2 + c^2 / (4 pi^2))): the first terms are drawn, the
//            rest is one gamma variable of the same mean and variance.
// Hazards    The share of the two proposals is a difference of scaled normal tails; e^(x^2) erfc(x) keeps it finite for
//            large z. It costs more than the rest of a draw and is tabulated.
// Papers     Polson, Scott & Windle (2013) JASA 108; Devroye (2009) Statistics & Probability Letters 79.
#include "family/polya_gamma.hpp"

#include <algorithm>
#include <array>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

constexpr double pi = std::numbers::pi;
// Where the two expansions of the density of J* = 4 PG(1, .) take over from each other; Devroye's choice, near 2/pi.
constexpr double change = 0.64;
constexpr double largest_exact_shape = 16;

double exponential(RandomStream& random) { return boost::random::exponential_distribution<double>()(random); }

// e^(x^2) erfc(x) for x >= 0.
double scaled_erfc(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double inverse = 1 / (x * x);
  return (1 - 0.5 * inverse * (1 - 1.5 * inverse)) / (x * std::sqrt(pi));
}

// n-th coefficient of the alternating series for the density of J*(1, 0) at x, over the first one.
double relative_coefficient(int n, double x) {
  const double half_steps = 0.5 * n * (n + 1);
  return (2 * n + 1) * std::exp(-half_steps * (x > change ? pi * pi * x : 4 / x));
}

// Share of the proposal right of `change`, where it is an exponential of rate pi^2/8 + z^2/2.
double share_of_tail(double z) {
  const double rate = pi * pi / 8 + 0.5 * z * z;
  // Mass of the inverse gaussian left of it: e^(rate change -+ z) Phi(...). The exponents of Phi's tails cancel those
  // of the rate, so both are combined analytically and nothing overflows.
  const double common = 0.5 * rate * std::exp(change * pi * pi / 8 - 0.5 / change);
  const double upper = (change * z + 1) / std::sqrt(change);
  const double lower = (change * z - 1) / std::sqrt(change);
  const double far = common * scaled_erfc(upper / std::numbers::sqrt2);
  const double near = lower < 0 ? common * scaled_erfc(-lower / std::numbers::sqrt2)
                                : rate * std::exp(rate * change - z) * 0.5 * std::erfc(-lower / std::numbers::sqrt2);
  return 1 / (1 + 4 / pi * (near + far));
}

// The same from a table, because its exponentials take longer than the rest of a draw. Cubic interpolation between four
// neighbors is within 1e-10 of the function, which no feasible number of draws could detect.
class TailTable {
 public:
  TailTable() {
    for (Index i = 0; i < std::ssize(shares_); ++i) shares_[i] = share_of_tail(step * (static_cast<double>(i) - 1));
  }
  double operator()(double z) const {
    if (z >= largest) return share_of_tail(z);
    const double place = z / step;
    const Index i = static_cast<Index>(place);  // shares_[i + 1] is at or left of z
    const double t = place - static_cast<double>(i);
    const double* f = shares_.data() + i;
    // Newton's form of the cubic through t = -1, 0, 1, 2.
    const double first = f[1] - f[0], second = f[2] - 2 * f[1] + f[0], third = f[3] - 3 * f[2] + 3 * f[1] - f[0];
    return f[0] + (t + 1) * (first + 0.5 * t * (second + (t - 1) * third / 3));
  }

 private:
  static constexpr double step = 1.0 / 128, largest = 12;
  std::array<double, static_cast<std::size_t>(largest / step) + 3> shares_{};
};

double tabulated_share_of_tail(double z) {
  static const TailTable table;
  return table(z);
}

// Inverse gaussian of mean 1/z and shape 1, below `change`.
double truncated_inverse_gaussian(double z, RandomStream& random) {
  if (z * change < 1) {  // the mean lies beyond: propose from the limit z = 0
    while (true) {
      double first = exponential(random), second = exponential(random);
      while (first * first > 2 * second / change) {
        first = exponential(random);
        second = exponential(random);
      }
      const double x = change / ((1 + change * first) * (1 + change * first));
      if (random.uniform01() < std::exp(-0.5 * z * z * x)) return x;
    }
  }
  const double mean = 1 / z;
  while (true) {
    const double normal = random.normal();
    const double y = mean * normal * normal;
    // mean (1 + y/2 - sqrt(y + y^2/4)), written without the cancellation.
    double x = mean / (1 + 0.5 * y + std::sqrt(y + 0.25 * y * y));
    if (random.uniform01() > mean / (mean + x)) x = mean * mean / x;
    if (x < change) return x;
  }
}

// PG(1, 2z) by rejection. Odd partial sums are below the density, even ones above: the first that decides ends the
// loop.
double draw_unit(double z, double tail, RandomStream& random) {
  // The second coefficient is at most 3 e^-6.25 = 0.0058 of the first on either side: below this nothing is computed.
  constexpr double surely_accepted = 0.994;
  const double rate = pi * pi / 8 + 0.5 * z * z;
  while (true) {
    const double x =
        random.uniform01() < tail ? change + exponential(random) / rate : truncated_inverse_gaussian(z, random);
    const double height = random.uniform01();
    if (height < surely_accepted) return 0.25 * x;
    double sum = 1;
    for (int n = 1;; ++n) {
      if (n % 2 == 1) {
        sum -= relative_coefficient(n, x);
        if (height <= sum) return 0.25 * x;
      } else {
        sum += relative_coefficient(n, x);
        if (height > sum) break;
      }
    }
  }
}

// The defining sum: gammas of this shape over 2 pi^2 ((k - 1/2)^2 + (tilt / 2 pi)^2).
double draw_from_sum(double shape, double tilt, RandomStream& random) {
  boost::random::gamma_distribution<double> gamma(shape);
  const double c = tilt / (2 * pi);
  // Beyond twice c the weights fall like 1/k^2, and what is left is a small share of the variance.
  const int terms = 20 + static_cast<int>(std::min(2 * c, 1e3));
  double sum = 0;
  for (int k = 0; k < terms; ++k) sum += gamma(random) / (2 * pi * pi * ((k + 0.5) * (k + 0.5) + c * c));
  // The sums over k > terms - 1/2 as integrals (midpoint rule), not as differences from the whole, which cancel.
  const double from = terms;
  const double angle = c > 0 ? std::atan2(c, from) : 0;
  const double reciprocals = c > 1e-3 * from ? angle / c : (1 - c * c / (3 * from * from)) / from;
  const double squares = c > 1e-1 * from ? (angle / c - from / (from * from + c * c)) / (2 * c * c)
                                         : (1 / (3 * from * from * from)) * (1 - 1.2 * c * c / (from * from));
  const double mean = shape * reciprocals / (2 * pi * pi);
  const double variance = shape * squares / (4 * pi * pi * pi * pi);
  boost::random::gamma_distribution<double> rest(mean * mean / variance);
  return sum + variance / mean * rest(random);
}

}  // namespace

double polya_gamma_mean(double shape, double tilt) {
  const double half = 0.5 * std::abs(tilt);
  if (half < 1e-4) return 0.25 * shape * (1 - half * half / 3);
  return 0.25 * shape * std::tanh(half) / half;
}

// Below 1e-2 the difference sinh z - z has lost five digits; the next term of the series is of order z^4.
double polya_gamma_variance(double shape, double tilt) {
  const double z = std::abs(tilt);
  if (z < 1e-2) return shape / 24 * (1 - z * z / 5);
  // (sinh z - z) / cosh^2(z/2), divided by e^z above and below.
  const double e = std::exp(-z);
  const double sech = 4 / ((1 + e) * (1 + e));
  return shape / (4 * z * z * z) * (0.5 * (1 - e * e) - z * e) * sech;
}

double draw_polya_gamma(double shape, double tilt, RandomStream& random) {
  const double size = std::abs(tilt);
  if (shape > largest_exact_shape || shape != std::floor(shape)) return draw_from_sum(shape, size, random);
  const double tail = tabulated_share_of_tail(0.5 * size);
  double sum = 0;
  for (double unit = 0; unit < shape; ++unit) sum += draw_unit(0.5 * size, tail, random);
  return sum;
}

}  // namespace tamis
