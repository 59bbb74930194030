#include "method/ep/tilted.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

// Under a point mass a feature with q = 0 in floating point has no variance: this floor keeps its site finite.
constexpr double least_variance_share = 1e-14;

}  // namespace

// Moments of pi N(w; 0, slab) + (1 - pi) N(w; 0, spike) times exp(h w - t w^2 / 2) with cavity precision t, natural
// mean h: a mixture of two normals of variance v / (1 + t v) and mean variance h. Its variance is
// q v_slab + (1 - q) v_spike + q (1 - q) (mean_slab - mean_spike)^2, a sum of positive terms, unlike E w^2 - (E w)^2.
TiltedPrior tilt_prior(const SpikeSlabHyper& hyper, const NaturalParameters& cavity) {
  const SpikeSlabTerms terms(hyper, cavity.precision);
  const double log_odds = terms.log_odds + terms.half_contrast * cavity.natural_mean * cavity.natural_mean;
  const double q = logistic(log_odds);
  const double slab_mean = terms.slab_spread * cavity.natural_mean,
               spike_mean = terms.spike_spread * cavity.natural_mean;
  TiltedPrior tilted;
  tilted.inclusion = q;
  tilted.slab_square = slab_mean * slab_mean + terms.slab_spread;
  tilted.mean = q * slab_mean + (1 - q) * spike_mean;
  const double distance = slab_mean - spike_mean;
  tilted.variance = q * terms.slab_spread + (1 - q) * terms.spike_spread + q * (1 - q) * distance * distance;
  tilted.variance = std::max(tilted.variance, least_variance_share / cavity.precision);
  // log mass = log density of the cavity at 0 + log mass of the spike relative to it + log (1 + odds). At pi = 1 the
  // odds are infinite, so the slab's mass is taken directly.
  const double pull2 = cavity.natural_mean * cavity.natural_mean;
  tilted.log_mass = 0.5 * (std::log(cavity.precision / (2 * std::numbers::pi)) - pull2 / cavity.precision);
  if (hyper.prior_inclusion < 1) {
    tilted.log_mass += std::log1p(-hyper.prior_inclusion) + log1pexp(log_odds) +
                       0.5 * (terms.spike_spread * pull2 - std::log1p(cavity.precision * hyper.spike_variance));
  } else {
    tilted.log_mass += 0.5 * (terms.slab_spread * pull2 - std::log1p(cavity.precision * hyper.slab_variance));
  }
  return tilted;
}

TiltedNormal tilted_row(const Family& family, double y, double power, double offset, const NaturalParameters& cavity) {
  return family.tilted()->tilted(y, power, offset, cavity.natural_mean / cavity.precision, cavity.precision);
}

NaturalParameters site_of(const TiltedNormal& tilted, const NaturalParameters& cavity) {
  return {1 / tilted.variance - cavity.precision, tilted.mean / tilted.variance - cavity.natural_mean};
}

double log_scale(const TiltedNormal& tilted, const NaturalParameters& cavity, const NaturalParameters& site) {
  const double precision = cavity.precision + site.precision, natural_mean = cavity.natural_mean + site.natural_mean;
  return tilted.log_mass - 0.5 * (std::log(cavity.precision / precision) + natural_mean * natural_mean / precision -
                                  cavity.natural_mean * cavity.natural_mean / cavity.precision);
}

}  // namespace tamis
