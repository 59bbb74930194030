#include "method/ep/tilted.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

// A feature that is surely out has a variance of next to nothing; its site stays a number.
constexpr double least_variance_share = 1e-14;

// Where the slope power (y - logistic(x + offset)) - precision (x - center) is zero: it falls all the way, and its zero
// lies where the coin's part, which is bounded, can be balanced. Newton, halving the bracket where that leaves it.
double mode_of_coin(double y, double power, double offset, const NaturalParameters& cavity) {
  const double center = cavity.natural_mean / cavity.precision;
  double low = center - power * (1 - y) / cavity.precision, high = center + power * y / cavity.precision;
  double x = std::clamp(center, low, high);
  for (int step = 0; step < 60; ++step) {
    const double p = logistic(x + offset);
    const double slope = power * (y - p) - cavity.precision * (x - center);
    (slope > 0 ? low : high) = x;
    double next = x + slope / (cavity.precision + power * p * (1 - p));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-6 / std::sqrt(cavity.precision)) return next;  // it only centers a grid
    x = next;
  }
  return x;
}

}  // namespace

TiltedPrior tilt_prior(const SpikeSlabHyper& hyper, const NaturalParameters& cavity) {
  const SpikeSlabTerms lens(hyper, cavity.precision);
  const double log_odds = lens.log_odds + lens.half_contrast * cavity.natural_mean * cavity.natural_mean;
  const double q = logistic(log_odds);
  const double slab_mean = lens.slab_spread * cavity.natural_mean, spike_mean = lens.spike_spread * cavity.natural_mean;
  TiltedPrior tilted;
  tilted.inclusion = q;
  tilted.slab_square = slab_mean * slab_mean + lens.slab_spread;
  tilted.mean = q * slab_mean + (1 - q) * spike_mean;
  const double apart = slab_mean - spike_mean;
  tilted.variance = q * lens.slab_spread + (1 - q) * lens.spike_spread + q * (1 - q) * apart * apart;
  tilted.variance = std::max(tilted.variance, least_variance_share / cavity.precision);
  // Density of the cavity at 0, mass of the spike relative to it, and the odds on top: 1 / (1 - q) = 1 + e^log_odds.
  const double pull2 = cavity.natural_mean * cavity.natural_mean;
  tilted.log_mass = 0.5 * (std::log(cavity.precision / (2 * std::numbers::pi)) - pull2 / cavity.precision);
  if (hyper.prior_inclusion < 1) {
    tilted.log_mass += std::log1p(-hyper.prior_inclusion) + log1pexp(log_odds) +
                       0.5 * (lens.spike_spread * pull2 - std::log1p(cavity.precision * hyper.spike_variance));
  } else {
    tilted.log_mass += 0.5 * (lens.slab_spread * pull2 - std::log1p(cavity.precision * hyper.slab_variance));
  }
  return tilted;
}

// By the trapezoidal rule, which converges exponentially: the normal density is entire, the logistic function analytic
// within pi of the real axis. The product falls at least as fast as the cavity from its mode.
Tilted tilted_bernoulli(double y, double power, double offset, const NaturalParameters& cavity) {
  constexpr double reach = 8.5, step_in_spreads = 0.5, step_in_logits = 0.5, most_nodes = 5000;
  const double spread = 1 / std::sqrt(cavity.precision), center = cavity.natural_mean / cavity.precision;
  const double mode = mode_of_coin(y, power, offset, cavity);
  const double step = std::max(std::min(step_in_spreads * spread, step_in_logits), 2 * reach * spread / most_nodes);
  const auto log_density = [&](double x) {
    const double eta = x + offset;
    return power * (y * eta - log1pexp(eta)) - 0.5 * cavity.precision * (x - center) * (x - center);
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

NaturalParameters site_of(const Tilted& tilted, const NaturalParameters& cavity) {
  return {1 / tilted.variance - cavity.precision, tilted.mean / tilted.variance - cavity.natural_mean};
}

double log_scale(const Tilted& tilted, const NaturalParameters& cavity, const NaturalParameters& site) {
  const double precision = cavity.precision + site.precision, natural_mean = cavity.natural_mean + site.natural_mean;
  return tilted.log_mass - 0.5 * (std::log(cavity.precision / precision) + natural_mean * natural_mean / precision -
                                  cavity.natural_mean * cavity.natural_mean / cavity.precision);
}

}  // namespace tamis
