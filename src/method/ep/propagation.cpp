// Expectation propagation on the sites of the spike-and-slab prior, with EM for the hyperparameters.
//
// Algorithm  a sweep, after marginals N(m_j, v_j) of all coefficients from the likelihood part
//              cavity    precision 1 / v_j - site, natural mean m_j / v_j - site
//              tilted    mass, mean and variance of prior times cavity                                     (tilted.cpp)
//              site      the normal that turns the cavity into the tilted moments, mixed with the old one by `damping`
//              EM        pi, slab and noise variance at the maximum of expected log density plus log hyperprior
// Evidence   log_mass of the likelihood part + sum_j log (tilted mass / mass of cavity times site)
// Failures   EP is a fixed-point iteration without a guarantee, and sites of negative precision are legitimate. In this
//            order: sites constrained to positive precision (biased variances, said in the message), more damping, a
//            restart from the prior with fixed hyperparameters, and at last the state before it diverged
// Invariant  last_finite_ is the last state with a proper posterior before a runaway; whatever ends the run,
//            marginals_, tilted_ and hyper_ belong together
// Papers     Minka (2001), UAI 17; Hernandez-Lobato, Hernandez-Lobato & Suarez (2015), Machine Learning 99
#include "method/ep/propagation.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

// Damping above which a step is no progress: give up.
constexpr double most_damping = 0.99;
// Precision that a constrained site keeps, in units of the slab's.
constexpr double least_precision = 1e-3;
// Sweeps before hyperparameters are learned: the first marginals are the prior's.
constexpr Index settling_sweeps = 5;
// The largest move has to fall to 0.7 of its minimum so far within `patience` sweeps, or the sites oscillate. Not in
// the first ones, where moves grow as features enter.
constexpr Index settling = 10, patience = 25;
constexpr double clearly_smaller = 0.7;
// Divergence: a coefficient that moves the predictor by 1e4 standard deviations of a gaussian response, or 1e4 logits.
// Factorized sites of many correlated features reinforce each other, and the slab variance learned from them does too.
constexpr double divergence_bound = 1e4;

}  // namespace

Propagation::Propagation(const ScaledProblem& problem, const HyperPrior& prior, const PropagationPlan& plan,
                         LikelihoodPart& likelihood)
    : data_(problem),
      prior_(prior),
      plan_(plan),
      likelihood_(likelihood),
      hyper_(prior.start),
      tilted_(problem.features()),
      damping_(plan.damping) {
  // The normal of the prior's own variance.
  const double variance =
      hyper_.prior_inclusion * hyper_.slab_variance + (1 - hyper_.prior_inclusion) * hyper_.spike_variance;
  sites_.assign(tilted_.size(), {1 / variance, 0});
  target_ = sites_;
}

PropagationEnd Propagation::run() {
  while (std::ssize(trace_) < plan_.most_sweeps) {
    while (!refresh()) {
      if (!fall_back()) return restore_last_finite();
    }
    tilted_moments();
    const double moved = std::max(update_sites(), likelihood_.advance(damping_));
    if (!(moved <= divergence_bound)) {
      diverged_ = true;
      if (!fall_back()) return restore_last_finite();
      continue;
    }
    last_finite_ = {marginals_, tilted_, hyper_};
    change_ = std::max(moved, em_step());
    const bool settled = change_ <= plan_.tolerance && std::ssize(trace_) > settling_sweeps;
    if (!report_progress()) return settled ? PropagationEnd::converged : PropagationEnd::stopped;
    if (settled) return PropagationEnd::converged;
    adapt_damping(moved);
  }
  return PropagationEnd::sweep_limit;
}

bool Propagation::refresh() {
  FeatureMarginals found;
  if (!likelihood_.refresh(hyper_, sites_, found) || !std::isfinite(found.log_mass)) return false;
  marginals_ = std::move(found);
  return true;
}

// Without progress sites oscillate. Negative precisions are the usual cause, so these are excluded first; then the
// damping is raised half of the way to 1.
void Propagation::adapt_damping(double moved) {
  const Index sweep = trace_.size();
  if (sweep <= settling || moved < clearly_smaller * smallest_move_) {
    smallest_move_ = moved;
    smallest_at_ = sweep;
  }
  if (sweep - smallest_at_ < patience) return;
  smallest_at_ = sweep;
  smallest_move_ = moved;
  if (!constrained_) {
    constrained_ = true;
  } else {
    damping_ = std::min(most_damping, 0.5 * (1 + damping_));
  }
}

// After an improper posterior or a runaway: constrained sites first, then more damping, each time from the prior.
// Raising the damping in place would keep the sites that made it improper.
bool Propagation::fall_back() {
  if (constrained_) damping_ = 0.5 * (1 + damping_);
  constrained_ = true;
  if (damping_ > most_damping) return false;
  likelihood_.reset();
  hyper_ = prior_.start;
  const double variance =
      hyper_.prior_inclusion * hyper_.slab_variance + (1 - hyper_.prior_inclusion) * hyper_.spike_variance;
  sites_.assign(sites_.size(), {1 / variance, 0});
  return true;
}

// The last state that had not run away, if there was one.
PropagationEnd Propagation::restore_last_finite() {
  if (!last_finite_.marginals.mean.empty()) {
    marginals_ = last_finite_.marginals;
    tilted_ = last_finite_.tilted;
    hyper_ = last_finite_.hyper;
  }
  return PropagationEnd::improper;
}

// Tilted moments of every prior given its cavity, the site that would reproduce them, and the log evidence. A site of
// negative precision arises where the tilted variance exceeds the cavity's: the coefficient may be in or out.
void Propagation::tilted_moments() {
  log_evidence_ = marginals_.log_mass;
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    const NaturalParameters cavity{1 / marginals_.variance[j] - sites_[j].precision,
                                   marginals_.mean[j] / marginals_.variance[j] - sites_[j].natural_mean};
    target_[j] = sites_[j];
    if (!(cavity.precision > 0)) continue;  // improper cavity: the site waits until the others have grown
    tilted_[j] = tilt_prior(hyper_, cavity);
    log_evidence_ += log_scale(tilted_[j], cavity, sites_[j]);
    target_[j] = site_of(tilted_[j], cavity);
    const double least = least_precision / hyper_.slab_variance;
    if (constrained_ && !(target_[j].precision >= least)) {
      // The nearest site that keeps the tilted mean; the variance comes out smaller.
      target_[j] = {least, tilted_[j].mean * (cavity.precision + least) - cavity.natural_mean};
    }
  }
}

// Damped move of all sites at once. Returns the largest undamped move of a mean in units of the predictor, to first
// order: delta m = v_new (delta natural mean - delta precision m), the convergence criterion that damping cannot fake.
double Propagation::update_sites() {
  double largest = 0;
  for (Index j = 0; j < std::ssize(sites_); ++j) {
    const double unit = std::sqrt(data_.curvature()[j] / data_.samples());
    const double moved = target_[j].natural_mean - sites_[j].natural_mean -
                         (target_[j].precision - sites_[j].precision) * marginals_.mean[j];
    // To first order in the marginal that it will have.
    const double precision = 1 / marginals_.variance[j] + target_[j].precision - sites_[j].precision;
    largest = std::max(largest, unit * std::abs(moved) / std::max(precision, 1 / marginals_.variance[j]));
    sites_[j].precision = damping_ * sites_[j].precision + (1 - damping_) * target_[j].precision;
    sites_[j].natural_mean = damping_ * sites_[j].natural_mean + (1 - damping_) * target_[j].natural_mean;
  }
  return largest;
}

// M step: modes of beta and inverse gamma conditionals at the expected statistics E|s|, E sum s b^2, E|y - Xb|^2.
// Returns the largest change of a logarithm. Learning stays off after a runaway.
double Propagation::em_step() {
  if (std::ssize(trace_) < settling_sweeps || diverged_) return 0;
  const auto p = static_cast<double>(sites_.size());
  double in = 0, squares = 0;
  for (const TiltedPrior& feature : tilted_) {
    in += feature.inclusion;
    squares += feature.inclusion * feature.slab_square;
  }
  const SpikeSlabHyper before = hyper_;
  if (prior_.sample_inclusion) {
    constexpr double least_expected = 0.1;  // features: fewer cannot be learned
    const double mode = (prior_.inclusion_in - 1 + in) / (prior_.inclusion_in + prior_.inclusion_out - 2 + p);
    hyper_.prior_inclusion = std::clamp(mode, least_expected / p, 1 - 1e-6);
  }
  if (prior_.sample_slab) {
    hyper_.slab_variance = (prior_.slab_scale + 0.5 * squares) / (prior_.slab_shape + 1 + 0.5 * in);
  }
  if (prior_.sample_noise) {
    hyper_.noise_variance = (prior_.noise_scale + 0.5 * marginals_.residual_square) /
                            (prior_.noise_shape + 1 + 0.5 * data_.degrees_of_freedom());
  }
  const auto step = [](double a, double b) { return std::abs(std::log(b / a)); };
  return std::max({step(before.prior_inclusion, hyper_.prior_inclusion),
                   step(before.slab_variance, hyper_.slab_variance),
                   step(before.noise_variance, hyper_.noise_variance)});
}

// Records the sweep; false: the observer wants an end.
bool Propagation::report_progress() {
  const double objective = log_evidence_ + data_.log_density_shift();
  const auto active = std::ranges::count_if(tilted_, [](const TiltedPrior& t) { return t.inclusion >= 0.5; });
  const double gain = trace_.empty() ? 0.0 : objective - trace_.back().objective;
  trace_.push_back({std::ssize(trace_) + 1, objective, gain, active, change_});
  if (plan_.observer == nullptr) return true;
  plan_.observer->trace(trace_.back());
  const auto sweeps = static_cast<double>(trace_.size());
  plan_.observer->progress(sweeps / (sweeps + 20), "propagation");
  return !plan_.observer->cancelled();
}

}  // namespace tamis
