// Sites of the spike-and-slab prior: tilted moments and moves.
//
// Algorithm  after marginals N(m_j, v_j) of all coefficients from the likelihood part
//              cavity    precision 1 / v_j - site, natural mean m_j / v_j - site
//              tilted    mass, mean and variance of prior times cavity                                     (tilted.cpp)
//              site      the normal that turns the cavity into the tilted moments, mixed with the old one by `damping`
// Negative   site precisions are legitimate: the tilted variance exceeds the cavity's where a coefficient may be in or
//            out. Moved together they can make the joint normal improper. Moved in turn they cannot: the new joint is
//            the old conditional given coefficient j times a proper marginal of it.
// Paper      Minka (2001), UAI 17
#include "method/ep/prior_sites.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

// Precision that a constrained site keeps, in units of the slab's.
constexpr double least_precision = 1e-3;
// Of the largest wanted move: sites that want less wait for another sweep.
constexpr double least_share = 1e-3;

}  // namespace

PriorSites::PriorSites(const ScaledProblem& problem)
    : sites_(problem.features()), target_(sites_), tilted_(sites_.size()) {
  for (const double square : problem.curvature()) units_.push_back(std::sqrt(square / problem.samples()));
}

void PriorSites::reset(const SpikeSlabHyper& hyper) {
  const double variance =
      hyper.prior_inclusion * hyper.slab_variance + (1 - hyper.prior_inclusion) * hyper.spike_variance;
  sites_.assign(sites_.size(), {1 / variance, 0});
}

double PriorSites::tilt(const SpikeSlabHyper& hyper, const FeatureMarginals& marginals, bool constrained) {
  double log_evidence = 0;
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    const NaturalParameters cavity{1 / marginals.variance[j] - sites_[j].precision,
                                   marginals.mean[j] / marginals.variance[j] - sites_[j].natural_mean};
    target_[j] = sites_[j];
    if (!(cavity.precision > 0)) continue;  // improper cavity: the site waits until the others have grown
    tilted_[j] = tilt_prior(hyper, cavity);
    log_evidence += log_scale(tilted_[j], cavity, sites_[j]);
    target_[j] = site_of(tilted_[j], cavity);
    const double least = least_precision / hyper.slab_variance;
    if (constrained && !(target_[j].precision >= least)) {
      // The nearest site that keeps the tilted mean; the variance comes out smaller.
      target_[j] = {least, tilted_[j].mean * (cavity.precision + least) - cavity.natural_mean};
    }
  }
  return log_evidence;
}

// To first order: delta m = v_new (delta natural mean - delta precision m), the criterion that damping cannot fake.
double PriorSites::largest_move(const FeatureMarginals& marginals) {
  std::vector<double> moves(sites_.size());
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    const double moved = target_[j].natural_mean - sites_[j].natural_mean -
                         (target_[j].precision - sites_[j].precision) * marginals.mean[j];
    // To first order in the marginal that it will have.
    const double precision = 1 / marginals.variance[j] + target_[j].precision - sites_[j].precision;
    moves[j] = units_[j] * std::abs(moved) / std::max(precision, 1 / marginals.variance[j]);
  }
  const double largest = moves.empty() ? 0.0 : *std::ranges::max_element(moves);
  order_.clear();
  for (Index j = 0; j < std::ssize(moves); ++j) {
    if (moves[j] > least_share * largest) order_.push_back(j);
  }
  std::ranges::stable_sort(order_, std::ranges::greater(), [&](Index j) { return moves[j]; });
  return largest;
}

void PriorSites::move_together(double damping) {
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    sites_[j].precision = damping * sites_[j].precision + (1 - damping) * target_[j].precision;
    sites_[j].natural_mean = damping * sites_[j].natural_mean + (1 - damping) * target_[j].natural_mean;
  }
}

void PriorSites::move_in_turn(const SpikeSlabHyper& hyper, LikelihoodPart& likelihood, double damping) {
  for (const Index j : order_) {
    const NaturalParameters cavity = likelihood.cavity(j, sites_[j]);
    if (!(cavity.precision > 0)) continue;
    const NaturalParameters target = site_of(tilt_prior(hyper, cavity), cavity);
    const NaturalParameters moved{
        damping * sites_[j].precision + (1 - damping) * target.precision,
        damping * sites_[j].natural_mean + (1 - damping) * target.natural_mean,
    };
    likelihood.exchange(sites_[j], moved);
    sites_[j] = moved;
  }
}

}  // namespace tamis
