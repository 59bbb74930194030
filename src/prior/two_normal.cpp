// Density, majorizer and expected slab probability of a mixture of two zero-mean normals.
//
// Model      w ~ pi N(0, slab) + (1 - pi) N(0, spike), George & McCulloch (1993), JASA 88. The log odds of the slab are
//            a parabola, at_zero + contrast w^2, so the slab probability is a logistic function of w^2 with a step at
//            +-threshold, where the odds are even.
// Quadrature E logistic(at_zero + contrast w^2), w ~ N(mean, variance), has no closed form
//              trapezoidal rule, at a step from the distance of the integrand's poles: geometric convergence, Trefethen
//              & Weideman (2014), SIAM Review 56(3); few points unless the normal is much wider than the steps
//              otherwise Gauss-Legendre on pieces around the steps and the mean
// Accuracy   about 1e-10 either way
#include "prior/two_normal.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "tamis/base/index.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr double digits = 25.3;  // -log of the error of the trapezoidal rule, 1e-11
constexpr double reach = 6.8;    // sds beyond which as little lies
constexpr double per_root_two_pi = std::numbers::inv_sqrtpi / std::numbers::sqrt2;

// Imaginary part of the root of (-at_zero + i pi) / contrast, where the odds are -1.
double nearest_pole(double at_zero, double contrast) {
  const double length = std::hypot(at_zero, std::numbers::pi);
  const double root = std::sqrt((length + std::abs(at_zero)) / (2 * contrast));
  return at_zero > 0 ? root : std::numbers::pi / (2 * contrast * root);
}

}  // namespace

TwoNormal::TwoNormal(double prior_inclusion, double spike_variance, double slab_variance)
    : inclusion_(prior_inclusion),
      spike_(spike_variance),
      slab_(slab_variance),
      prior_log_odds_(logit(prior_inclusion)),
      at_zero_(prior_log_odds_ - 0.5 * std::log(slab_variance / spike_variance)),
      contrast_(0.5 * (1 / spike_variance - 1 / slab_variance)),
      threshold_(std::sqrt(std::max(0.0, -at_zero_) / contrast_)),
      spike_constant_(std::log1p(-prior_inclusion) - 0.5 * std::log(2 * std::numbers::pi * spike_variance)),
      slab_constant_(std::log(prior_inclusion) - 0.5 * std::log(2 * std::numbers::pi * slab_variance)),
      pole_(nearest_pole(at_zero_, contrast_)) {}

// From the more probable component: far from 0 the other one's log is a large number that would have to cancel.
double TwoNormal::log_density(double w) const {
  const double odds = log_odds(w), half = 0.5 * w * w;
  return odds > 0 ? slab_constant_ - half / slab_ + log1pexp(-odds) : spike_constant_ - half / spike_ + log1pexp(odds);
}

double TwoNormal::slab_probability(double w) const { return logistic(log_odds(w)); }

// (q / slab + (1 - q) / spike) with the slab probability q, from the smaller odds, which cannot overflow. It falls with
// |w|, so -log density is concave in w^2: the tangent in w^2 lies above it, a majorizer that touches at w.
double TwoNormal::precision(double w) const {
  const double odds = log_odds(w), less = std::exp(-std::abs(odds));
  return odds > 0 ? (1 / slab_ + less / spike_) / (1 + less) : (less / slab_ + 1 / spike_) / (1 + less);
}

// The trapezoidal rule over the whole line errs by exp(y^2 / (2 variance) - 2 pi y / step), where y is how far the line
// can be moved into the complex plane: to 2 pi variance / step, where this is least, or to the nearest pole.
// Trefethen & Weideman (2014), SIAM Review 56(3). It is below exp(-digits) for this step.
double TwoNormal::widest_step(double variance) const {
  const bool pole_is_near = pole_ * pole_ < 2 * digits * variance;
  return pole_is_near ? 2 * std::numbers::pi * pole_ / (digits + pole_ * pole_ / (2 * variance))
                      : std::numbers::pi * std::sqrt(2 * variance / digits);
}

double TwoNormal::mean_slab_probability(double mean, double variance) const {
  const double sd = std::sqrt(variance);
  if (!(sd > 0)) return slab_probability(mean);
  constexpr double most_steps = 200;  // what pieces take
  const double step = widest_step(variance);
  return 2 * reach * sd <= most_steps * step ? mean_by_steps(mean, sd, step) : mean_by_pieces(mean, sd);
}

double TwoNormal::mean_by_steps(double mean, double sd, double step) const {
  double sum = 0;
  const double first = std::ceil(-reach * sd / step), last = reach * sd / step;
  for (double k = first; k <= last; ++k) {
    const double z = k * step / sd;
    sum += slab_probability(mean + k * step) * std::exp(-0.5 * z * z);
  }
  return std::clamp(sum * per_root_two_pi * step / sd, 0.0, 1.0);
}

// For a density much wider than the two steps at +-threshold: Gauss-Legendre between places around the steps, in units
// of their width, and around the mean, in units of its sd. (Gauss-Hermite would miss the steps.)
double TwoNormal::mean_by_pieces(double mean, double sd) const {
  const double from = mean - reach * sd, to = mean + reach * sd;
  const double width = 1 / (2 * contrast_ * std::max(threshold_, 1 / std::sqrt(contrast_)));
  std::array<double, 32> cuts{};
  Index count = 0;
  const auto cut = [&](double w) {
    if (w > from && w < to) cuts[count++] = w;
  };
  cuts[count++] = from;
  cuts[count++] = to;
  for (const double sds : {-5.0, -2.5, 0.0, 2.5, 5.0}) cut(mean + sds * sd);
  for (const double widths : {-30.0, -10.0, -3.0, 0.0, 3.0, 10.0, 30.0}) {
    const double w = threshold_ + widths * width;
    if (w <= 0) continue;
    cut(w);
    cut(-w);
  }
  std::sort(cuts.begin(), cuts.begin() + count);
  const auto integrand = [&](double w) {
    const double z = (w - mean) / sd;
    return slab_probability(w) * std::exp(-0.5 * z * z);
  };
  double sum = 0;
  for (Index k = 0; k + 1 < count; ++k) {
    sum += boost::math::quadrature::gauss<double, 10>::integrate(integrand, cuts[k], cuts[k + 1]);
  }
  return std::clamp(sum * per_root_two_pi / sd, 0.0, 1.0);
}

// Many means at once on one grid: probabilities at its points are computed once, and normal densities at equal steps by
// recurrence, as the ratio of neighbors changes by a constant factor: no exponential per point. The step is that of the
// narrowest variance admitted, spike / 4; narrower ones, and those that leave the table, go one by one.
void TwoNormal::mean_slab_probabilities(std::span<const double> means, std::span<const double> variances,
                                        std::span<double> out) const {
  const double step = widest_step(0.25 * spike_);
  constexpr std::ptrdiff_t most = 256;
  std::array<double, 2 * most + 1> table{};
  double* const probability = table.data() + most;
  for (std::ptrdiff_t k = 0; k <= most; ++k) {
    probability[k] = probability[-k] = slab_probability(static_cast<double>(k) * step);
  }
  for (Index j = 0; j < std::ssize(out); ++j) {
    const double mean = means[j], variance = variances[j], sd = std::sqrt(variance);
    if (variance < 0.25 * spike_ || std::abs(mean) + reach * sd > (most - 1) * step) {
      out[j] = mean_slab_probability(mean, variance);
      continue;
    }
    const double nearest = std::round(mean / step), away = nearest * step - mean;
    const auto center = static_cast<std::ptrdiff_t>(nearest), count = static_cast<std::ptrdiff_t>(reach * sd / step);
    const double factor = std::exp(-step * step / variance);
    double above = std::exp(-0.5 * away * away / variance), below = above;
    double to_above = std::exp(-(away + 0.5 * step) * step / variance), to_below = factor / to_above;
    double sum = above * probability[center];
    for (std::ptrdiff_t k = 1; k <= count; ++k) {
      above *= to_above;
      below *= to_below;
      to_above *= factor;
      to_below *= factor;
      sum += above * probability[center + k] + below * probability[center - k];
    }
    out[j] = std::clamp(sum * per_root_two_pi * step / sd, 0.0, 1.0);
  }
}

}  // namespace tamis
