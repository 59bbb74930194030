// Moments of p(y | x + offset)^power N(x; center, 1 / precision) for the logistic likelihood, by the trapezoidal rule.
//
// There is no closed form, as there is for probit. Gauss-Hermite nodes at the cavity miss the product where the row is
// sharper than the cavity; the rule here is centered at the mode of the product and has steps for the sharper of the
// two.
// Errors     e^(-2 pi a / step) with a the distance of the next singularity: a = pi for the logistic function, 7e-18 at
//            steps of 0.5; e^(-2 pi^2 / 0.25) for the normal density at half its spread. Beyond 8.5 spreads from the
//            mode less than e^-36 is left.
// Cost       17 pairs of evaluations, more for cavities broader than one logit; those broader than 147 get wider
//            steps, so that 5000 nodes are the most.
#include "family/tilted_bernoulli.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// Mode of the tilted density: the zero of power (y - logistic(x + offset)) - precision (x - center), which decreases in
// x. The row's part is bounded by power, which brackets the zero. Newton's method, bisection where it leaves the
// bracket.
double tilted_mode(double y, double power, double offset, double center, double precision) {
  double low = center - power * (1 - y) / precision, high = center + power * y / precision;
  double x = std::clamp(center, low, high);
  for (int step = 0; step < 60; ++step) {
    const double p = logistic(x + offset);
    const double slope = power * (y - p) - precision * (x - center);
    (slope > 0 ? low : high) = x;
    double next = x + slope / (precision + power * p * (1 - p));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-6 / std::sqrt(precision)) return next;  // enough to center the grid
    x = next;
  }
  return x;
}

class TiltedBernoulli final : public TiltedMoments {
 public:
  // By the trapezoidal rule, which converges exponentially: the normal density is entire, the logistic function
  // analytic within pi of the real axis. The product falls at least as fast as the cavity from its mode.
  TiltedNormal tilted(double y, double power, double offset, double center, double precision) const override {
    constexpr double reach = 8.5, step_in_spreads = 0.5, step_in_logits = 0.5, most_nodes = 5000;
    const double spread = 1 / std::sqrt(precision);
    const double mode = tilted_mode(y, power, offset, center, precision);
    const double step = std::max(std::min(step_in_spreads * spread, step_in_logits), 2 * reach * spread / most_nodes);
    const auto log_density = [&](double x) {
      const double eta = x + offset;
      return power * (y * eta - log1pexp(eta)) - 0.5 * precision * (x - center) * (x - center);
    };
    const double height = log_density(mode);
    double mass = 1, first = 0, second = 0;
    for (double distance = step; distance < reach * spread; distance += step) {
      const double right = std::exp(log_density(mode + distance) - height);
      const double left = std::exp(log_density(mode - distance) - height);
      mass += right + left;
      first += distance * (right - left);
      second += distance * distance * (right + left);
    }
    const double mean = first / mass;
    return {height + std::log(mass * step / spread) - 0.5 * std::log(2 * std::numbers::pi), mode + mean,
            second / mass - mean * mean};
  }
};

}  // namespace

const TiltedMoments& tilted_bernoulli() {
  static const TiltedBernoulli moments;
  return moments;
}

}  // namespace tamis
