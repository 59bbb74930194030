// The double loop: moves of the prior's sites that settle where simultaneous and sequential ones circle.
//
// Model      EP's fixed points are the stationary points of min over beliefs, max over sites of
//              F = -sum_j log Z_tilted(belief_j - site_j) - log Z_normal(sites) + sum_j log Z_1(belief_j),
//            Z_1, Z_normal and Z_tilted being the masses of a normal by natural parameters, of the joint normal, and of
//            the prior times a normal. With the beliefs fixed F is concave in the sites.
// Algorithm  outer  belief_j = the marginal of coefficient j: the step that minimizes the tangent of the concave part
//            inner  maximum over the sites by coordinate ascent: for each feature Newton steps in the two parameters of
//                   its site, halved until F rises; features that have ceased to move are left out until the next outer
//                   iteration
// Note       the cavity of the tilted distribution is belief - site, not that of the joint normal; at the end of the
//            inner loop the two agree.
// Papers     Heskes & Zoeter (2002), UAI 18; Hernandez-Lobato & Hernandez-Lobato (2011), arXiv 1112.2289, for
//            spike-and-slab priors
#include <algorithm>
#include <cmath>
#include <limits>

#include "method/ep/prior_sites.hpp"

namespace tamis {
namespace {

constexpr int most_passes = 10;       // of an inner loop: it only has to make the next beliefs better than the last
constexpr int most_newton_steps = 3;  // for one site at one visit
constexpr int most_halvings = 30;

// Mean and covariance of (-w^2 / 2, w), the statistics that belong to (precision, natural mean), and the log mass.
struct Statistics {
  double log_mass = 0;
  double first = 0, second = 0;
  double first_variance = 0, covariance = 0, second_variance = 0;
};

// Raw moments of order 1 to 4 of a normal.
struct Moments {
  double m1, m2, m3, m4;
  Moments(double m, double v)
      : m1(m), m2(m * m + v), m3(m * (m * m + 3 * v)), m4(m * m * (m * m + 6 * v) + 3 * v * v) {}
};

// Of the prior times exp(h w - t w^2 / 2). The precision t may be negative down to that of the slab: false beyond.
bool statistics_of_tilted(const SpikeSlabHyper& hyper, const NaturalParameters& cavity, Statistics& out) {
  const double slab_room = 1 + cavity.precision * hyper.slab_variance,
               spike_room = 1 + cavity.precision * hyper.spike_variance;
  if (!(slab_room > 0) || !(spike_room > 0)) return false;
  const double h = cavity.natural_mean, slab_spread = hyper.slab_variance / slab_room,
               spike_spread = hyper.spike_variance / spike_room;
  const double slab = std::log(hyper.prior_inclusion) + 0.5 * (h * h * slab_spread - std::log(slab_room));
  const double spike = std::log1p(-hyper.prior_inclusion) + 0.5 * (h * h * spike_spread - std::log(spike_room));
  const double q = hyper.prior_inclusion < 1 ? logistic(slab - spike) : 1.0;
  out.log_mass = hyper.prior_inclusion < 1 ? spike + log1pexp(slab - spike) : slab;
  const Moments in(slab_spread * h, slab_spread), off(spike_spread * h, spike_spread);
  const auto mix = [&](double a, double b) { return q * a + (1 - q) * b; };
  const double m1 = mix(in.m1, off.m1), m2 = mix(in.m2, off.m2);
  out.first = -0.5 * m2;
  out.second = m1;
  out.first_variance = 0.25 * (mix(in.m4, off.m4) - m2 * m2);
  out.covariance = -0.5 * (mix(in.m3, off.m3) - m1 * m2);
  out.second_variance = m2 - m1 * m1;
  return true;
}

Statistics statistics_of_normal(const NaturalParameters& normal) {
  const double v = 1 / normal.precision, m = v * normal.natural_mean;
  return {0.5 * (normal.natural_mean * m - std::log(normal.precision)),
          -0.5 * (m * m + v),
          m,
          v * (0.5 * v + m * m),
          -m * v,
          v};
}

// F as a function of one site, up to a constant.
class OneSite {
 public:
  OneSite(const SpikeSlabHyper& hyper, const NaturalParameters& belief, const NaturalParameters& cavity)
      : hyper_(hyper), belief_(belief), cavity_(cavity) {}

  NaturalParameters maximum(NaturalParameters site) const {
    constexpr double sufficient = 1e-4;  // of the rise that the gradient promises
    for (int k = 0; k < most_newton_steps; ++k) {
      Statistics tilted, normal;
      const double now = value(site, tilted, normal);
      if (!std::isfinite(now)) return site;
      // Gradient: tilted less normal expectation. Minus the Hessian: the sum of both covariances.
      const double first = tilted.first - normal.first, second = tilted.second - normal.second;
      const double a = tilted.first_variance + normal.first_variance, b = tilted.covariance + normal.covariance,
                   c = tilted.second_variance + normal.second_variance;
      const double determinant = a * c - b * b;
      if (!(determinant > 0)) return site;
      const NaturalParameters step{(c * first - b * second) / determinant, (a * second - b * first) / determinant};
      const double rise = step.precision * first + step.natural_mean * second;
      if (!(rise > std::numeric_limits<double>::epsilon())) return site;
      double share = 1;
      NaturalParameters next = site;
      for (int halving = 0; halving < most_halvings; ++halving, share *= 0.5) {
        next = {site.precision + share * step.precision, site.natural_mean + share * step.natural_mean};
        Statistics tilted_there, normal_there;
        if (value(next, tilted_there, normal_there) >= now + sufficient * share * rise) break;
        next = site;
      }
      site = next;
    }
    return site;
  }

 private:
  double value(const NaturalParameters& site, Statistics& tilted, Statistics& normal) const {
    const NaturalParameters marginal{cavity_.precision + site.precision, cavity_.natural_mean + site.natural_mean};
    const NaturalParameters rest{belief_.precision - site.precision, belief_.natural_mean - site.natural_mean};
    if (!(marginal.precision > 0) || !statistics_of_tilted(hyper_, rest, tilted)) return -HUGE_VAL;
    normal = statistics_of_normal(marginal);
    return -tilted.log_mass - normal.log_mass;
  }

  const SpikeSlabHyper& hyper_;
  const NaturalParameters& belief_;
  const NaturalParameters& cavity_;
};

double mean_of(const NaturalParameters& a, const NaturalParameters& b) {
  return (a.natural_mean + b.natural_mean) / (a.precision + b.precision);
}

}  // namespace

void PriorSites::move_in_double_loop(const SpikeSlabHyper& hyper, LikelihoodPart& likelihood,
                                     const FeatureMarginals& marginals, double accuracy) {
  std::vector<NaturalParameters> beliefs(sites_.size());
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    beliefs[j] = {1 / marginals.variance[j], marginals.mean[j] / marginals.variance[j]};
  }
  std::vector<Index> moving = order_;
  for (int pass = 0; pass < most_passes && !moving.empty(); ++pass) {
    std::erase_if(moving, [&](Index j) {
      const NaturalParameters cavity = likelihood.cavity(j, sites_[j]), before = sites_[j];
      if (!(cavity.precision + before.precision > 0)) return true;
      const NaturalParameters after = OneSite(hyper, beliefs[j], cavity).maximum(before);
      likelihood.exchange(before, after);
      sites_[j] = after;
      return units_[j] * std::abs(mean_of(cavity, after) - mean_of(cavity, before)) <= accuracy;
    });
  }
}

}  // namespace tamis
