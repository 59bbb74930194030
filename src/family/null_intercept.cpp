// The intercept of the model without features: the root of sum_i w_i (y_i - mean(b0 + offset_i)).
//
// Without an offset it is link(weighted mean of y). With one it is bracketed: at link(mean) - max(offset) no fitted
// mean is above the mean response, at link(mean) - min(offset) none is below, and the score falls in between. Newton's
// method inside the bracket, with bisection where a step leaves it or is not half the last one (rtsafe of Numerical
// Recipes): far out in the tail of an exponential Newton alone takes one step per unit of log rate, or diverges.
// Stops when the score is rounding error of its terms, not at an absolute tolerance: weights may have any scale.
#include "family/null_intercept.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {
namespace {

constexpr int most_steps = 200;
constexpr double rounding = std::numeric_limits<double>::epsilon();

struct Slope {
  double value = 0;      // of the negative loss, which falls as the intercept grows
  double curvature = 0;  // of the loss
  double size = 0;       // sum of the absolute terms of `value`, which bounds its rounding
};

class NullLoss {
 public:
  NullLoss(const Family& likelihood, std::span<const double> y, std::span<const double> weights,
           std::span<const double> offset)
      : likelihood_(likelihood), y_(y), weights_(weights), offset_(offset) {}

  double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }

  double mean_response() const {
    double total = 0, sum = 0;
    for (Index i = 0; i < std::ssize(y_); ++i) {
      total += weight(i);
      sum += weight(i) * y_[i];
    }
    return sum / total;
  }

  Slope slope(double intercept) {
    for (std::vector<double>* v : {&eta_, &residual_, &curvature_}) v->resize(y_.size());
    for (Index i = 0; i < std::ssize(eta_); ++i) eta_[i] = intercept + offset_[i];
    likelihood_.derivatives(y_, eta_, residual_, curvature_);
    Slope slope;
    for (Index i = 0; i < std::ssize(eta_); ++i) {
      slope.value += weight(i) * residual_[i];
      slope.size += std::abs(weight(i) * residual_[i]);
      slope.curvature += weight(i) * curvature_[i];
    }
    return slope;
  }

 private:
  const Family& likelihood_;
  std::span<const double> y_, weights_, offset_;
  std::vector<double> eta_, residual_, curvature_;
};

}  // namespace

// A step is a pass over n rows; bisection alone would take some fifty.
double null_intercept(const Family& likelihood, std::span<const double> y, std::span<const double> weights,
                      std::span<const double> offset) {
  NullLoss loss(likelihood, y, weights, offset);
  const double mean = likelihood.link(loss.mean_response());
  if (offset.empty() || !std::isfinite(mean)) return mean;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Index i = 0; i < std::ssize(offset); ++i) {
    if (loss.weight(i) == 0) continue;
    least = std::min(least, offset[i]);
    most = std::max(most, offset[i]);
  }
  // The score is not negative at the lower end and not positive at the upper one.
  double low = mean - most, high = mean - least, intercept = 0.5 * (low + high), last = high - low;
  for (int step = 0; step < most_steps && low < high; ++step) {
    const Slope slope = loss.slope(intercept);
    if (std::abs(slope.value) <= rounding * slope.size) break;
    (slope.value > 0 ? low : high) = intercept;
    const double newton = intercept + slope.value / slope.curvature;  // not finite where there is no curvature
    const bool good = newton >= low && newton <= high && std::abs(newton - intercept) <= 0.5 * last;
    const double next = good ? newton : 0.5 * (low + high);
    last = std::abs(next - intercept);
    if (next == intercept) break;
    intercept = next;
  }
  return intercept;
}

}  // namespace tamis
