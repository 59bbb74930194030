#include "prior/two_normal.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

double log_normal(double w, double variance) {
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + w * w / variance);
}

}  // namespace

TwoNormal::TwoNormal(double prior_inclusion, double spike_variance, double slab_variance)
    : inclusion_(prior_inclusion),
      spike_(spike_variance),
      slab_(slab_variance),
      prior_log_odds_(logit(prior_inclusion)),
      at_zero_(prior_log_odds_ - 0.5 * std::log(slab_variance / spike_variance)),
      contrast_(0.5 * (1 / spike_variance - 1 / slab_variance)),
      threshold_(std::sqrt(std::max(0.0, -at_zero_) / contrast_)) {}

double TwoNormal::log_density(double w) const {
  return log_sum_exp(std::log(inclusion_) + log_normal(w, slab_), std::log1p(-inclusion_) + log_normal(w, spike_));
}

double TwoNormal::slab_probability(double w) const { return logistic(log_odds(w)); }

double TwoNormal::precision(double w) const {
  const double odds = log_odds(w);
  return logistic(odds) / slab_ + logistic(-odds) / spike_;
}

// Gauss-Hermite would miss the two steps at +-threshold, which are much narrower than the normal density as a rule. So:
// Gauss-Legendre between places around the steps, in units of their width, and around the mean, in units of its sd.
double TwoNormal::mean_slab_probability(double mean, double variance) const {
  const double sd = std::sqrt(variance);
  if (!(sd > 0)) return slab_probability(mean);
  constexpr double reach = 9;  // sds beyond which less than 1e-18 lies
  const double from = mean - reach * sd, to = mean + reach * sd;
  const double width = 1 / (2 * contrast_ * std::max(threshold_, 1 / std::sqrt(contrast_)));
  std::array<double, 32> cuts{};
  std::size_t count = 0;
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
  std::sort(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(count));
  const auto integrand = [&](double w) {
    const double z = (w - mean) / sd;
    return slab_probability(w) * std::exp(-0.5 * z * z);
  };
  double sum = 0;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    sum += boost::math::quadrature::gauss<double, 10>::integrate(integrand, cuts[k], cuts[k + 1]);
  }
  return std::clamp(sum / (sd * std::sqrt(2 * std::numbers::pi)), 0.0, 1.0);
}

}  // namespace tamis
