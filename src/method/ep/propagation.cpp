// Expectation propagation on the sites of the spike-and-slab prior, with EM for the hyperparameters.
//
// Algorithm  a sweep: marginals of all coefficients from the likelihood part, tilted moments of every prior, moves of
//            the sites (prior_sites.cpp); where the sites are at rest
//              EM      pi, slab and noise variance at the maximum of expected log density plus log hyperprior
// Rest       moves below rest_level that do not grow. Hyperparameters learned from sites under way feed on transients:
//            with 4088 features in 71 rows (riboflavin) they ran away in 9 of 9 runs, hence also the bound on their
//            step.
// Evidence   log_mass of the likelihood part + sum_j log (tilted mass / mass of cavity times site)
// Failures   EP is a fixed-point iteration without a guarantee, and sites of negative precision are legitimate. First
//            sites are constrained to positive precision (biased variances, said in the message). Joint likelihood:
//            then from the last state at rest (or the prior) they move one at a time, which keeps the posterior proper,
//            and then in a double loop, which settles. Factorized: more damping, a restart with fixed hyperparameters.
//            Where learning lowers the evidence it goes back, takes smaller steps, and in the end stops.
// Invariant  rested_ and proper_ are whole states; whatever ends the run, what is returned belongs together
// Papers     Minka (2001), UAI 17; Hernandez-Lobato, Hernandez-Lobato & Suarez (2015), Machine Learning 99
#include "method/ep/propagation.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

// Damping above which a step is no progress: give up.
constexpr double most_damping = 0.99;
// With a joint likelihood safer moves are tried instead of more damping from here on, unless the sites nearly rest.
constexpr double most_damping_together = 0.75;
// Sweeps before hyperparameters are learned: the first marginals are the prior's.
constexpr Index settling_sweeps = 5;
// Sites at rest: no mean is to move by more than this, in units of the predictor. Tighter once they have circled.
constexpr double first_rest_level = 0.1, rest_level = 0.03;
// In the double loop also: no sweep changes the log evidence by more.
constexpr double rest_gain = 0.1;
// The longest step of a log hyperparameter, so that the next rest is near; halved whenever learning lowers the
// objective of EM by `most_fall`, and learning ends below the shortest.
constexpr double first_longest_step = 0.5, shortest_longest_step = 0.05;
constexpr double most_fall = 1;
// The largest move has to fall to 0.7 of its minimum so far within `patience` sweeps, or the sites oscillate. Not in
// the first ones, where moves grow as features enter.
constexpr Index settling = 10, patience = 25;
// One at a time the first sweeps bring the sites near a fixed point, of any kind; if they circle, that is seen soon.
constexpr Index settling_in_turn = 20, patience_in_turn = 10;
constexpr double clearly_smaller = 0.7;
// Damping of single moves; undamped ones overshoot where features are correlated.
constexpr double least_damping_in_turn = 0.5;
// Share of the largest move to which the inner problem of the double loop is solved.
constexpr double inner_share = 1e-3;
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
      now_{PriorSites(problem)},
      proper_(now_),
      rested_{now_},
      damping_(plan.damping),
      longest_step_(first_longest_step) {
  start_at(nullptr);
}

// From the sites and hyperparameters of that state, or from the prior. The sites of rows begin anew: they settle fast.
void Propagation::start_at(const State* state) {
  likelihood_.reset();
  if (state != nullptr && !state->marginals.mean.empty()) {
    now_ = *state;
    return;
  }
  now_.hyper = prior_.start;
  now_.sites.reset(now_.hyper);
}

PropagationEnd Propagation::run() {
  while (std::ssize(trace_) < plan_.most_sweeps) {
    if (!sweep()) {
      if (!recover()) return rested_.sweep > 0 ? end_at_sweep_limit() : restore_last_proper();
      continue;
    }
    const double moved = std::max(now_.sites.largest_move(now_.marginals), likelihood_.advance(damping_));
    if (!(moved <= divergence_bound)) {
      diverged_ = diverged_ || !likelihood_.moves_in_turn();
      if (!recover()) return restore_last_proper();
      continue;
    }
    move_sites(moved);
    now_.change = moved;
    proper_ = now_;
    const bool at_rest = rests(moved) && keep_rested();
    if (at_rest) now_.change = rested_.state.change = std::max(moved, learn());
    const bool settled = at_rest && now_.change <= plan_.tolerance && std::ssize(trace_) > settling_sweeps;
    const bool goes_on = report_progress();
    if (settled) return PropagationEnd::converged;
    if (!goes_on) return PropagationEnd::stopped;
    watch(moved);
  }
  return end_at_sweep_limit();
}

// Marginals and tilted moments; false if the sites leave nothing that has an integral.
bool Propagation::sweep() {
  FeatureMarginals found;
  if (!likelihood_.refresh(now_.hyper, now_.sites.sites(), found) || !std::isfinite(found.log_mass)) return false;
  now_.marginals = std::move(found);
  now_.log_evidence = now_.marginals.log_mass + now_.sites.tilt(now_.hyper, now_.marginals, constrained_);
  return true;
}

void Propagation::move_sites(double moved) {
  switch (moves_) {
    case Moves::together:
      return now_.sites.move_together(damping_);
    case Moves::in_turn:
      return now_.sites.move_in_turn(now_.hyper, likelihood_, std::max(damping_, least_damping_in_turn));
    case Moves::double_loop:
      return now_.sites.move_in_double_loop(now_.hyper, likelihood_, now_.marginals, inner_share * moved);
  }
}

// In the first sweeps of a run moves are small because no feature has entered yet, and grow. The double loop takes
// small steps far from a fixed point, too; the evidence tells.
bool Propagation::rests(double moved) const {
  if (!has_circled()) return moved <= std::max(first_rest_level, plan_.tolerance);
  if (moved > std::max(rest_level, plan_.tolerance) || moved > progress_.last) return false;
  if (std::ssize(trace_) - progress_.begun < settling_sweeps) return false;
  const double gain = now_.log_evidence + data_.log_density_shift() - trace_.back().objective;
  return moves_ != Moves::double_loop || std::abs(gain) <= rest_gain;
}

// Where sites have circled, learning that lowers its objective by much has left the fixed point that it started from:
// back to the better state, with smaller steps. Elsewhere it may fall a little: EP's evidence is no bound.
bool Propagation::keep_rested() {
  const double objective = learned_objective();
  const bool is_worse = moves_ != Moves::together && rested_.sweep > 0 && objective < rested_.objective - most_fall;
  const bool learns = longest_step_ > 0 && (prior_.sample_inclusion || prior_.sample_slab || prior_.sample_noise);
  if (is_worse && learns) {
    longest_step_ = longest_step_ / 2 < shortest_longest_step ? 0 : longest_step_ / 2;
    start_at(&rested_.state);
    return false;
  }
  // Of given hyperparameters: nothing to go back for, but not what to return either, unless it is the end.
  if (is_worse && longest_step_ > 0 && now_.change > plan_.tolerance) return false;
  rested_.objective = moves_ == Moves::together ? objective : std::max(rested_.objective, objective);
  rested_.state = now_;
  rested_.sweep = std::ssize(trace_) + 1;
  return true;
}

// Log evidence and log density of the hyperparameters, up to a constant.
double Propagation::learned_objective() const {
  const SpikeSlabHyper& hyper = now_.hyper;
  double objective = now_.log_evidence;
  if (prior_.sample_inclusion) {
    objective += (prior_.inclusion_in - 1) * std::log(hyper.prior_inclusion) +
                 (prior_.inclusion_out - 1) * std::log1p(-hyper.prior_inclusion);
  }
  const auto inverse_gamma = [](double shape, double scale, double value) {
    return -(shape + 1) * std::log(value) - scale / value;
  };
  if (prior_.sample_slab) objective += inverse_gamma(prior_.slab_shape, prior_.slab_scale, hyper.slab_variance);
  if (prior_.sample_noise) objective += inverse_gamma(prior_.noise_shape, prior_.noise_scale, hyper.noise_variance);
  return objective;
}

// Without progress the sites circle.
void Propagation::watch(double moved) {
  progress_.last = moved;
  const Index sweeps = std::ssize(trace_);
  const bool in_turn = moves_ == Moves::in_turn;
  if (sweeps - progress_.begun <= (in_turn ? settling_in_turn : settling) ||
      moved < clearly_smaller * progress_.smallest) {
    progress_.smallest = moved;
    progress_.since = sweeps;
  }
  if (sweeps - progress_.since >= (in_turn ? patience_in_turn : patience)) change_moves();
}

// Negative precisions are the usual cause, so these are excluded first; then the damping is raised half of the way to
// 1. Joint: soon safer moves, with negative precisions again.
void Propagation::change_moves() {
  progress_.since = std::ssize(trace_);
  progress_.smallest = progress_.last;
  if (moves_ == Moves::double_loop) return;
  if (moves_ == Moves::in_turn) {
    moves_ = Moves::double_loop;
  } else if (!constrained_) {
    constrained_ = true;
    // What was learned on the way to here was learned from sites that did not rest.
    if (likelihood_.moves_in_turn()) forget_rested();
  } else if (likelihood_.moves_in_turn() && damping_ >= most_damping_together && progress_.last > rest_level) {
    constrained_ = false;
    damping_ = plan_.damping;
    moves_ = Moves::in_turn;
    start_at(&rested_.state);
  } else {
    damping_ = std::min(most_damping, 0.5 * (1 + damping_));
  }
  if (likelihood_.moves_in_turn()) progress_.begun = std::ssize(trace_);
}

void Propagation::forget_rested() {
  rested_.sweep = 0;
  rested_.state.marginals = {};
  start_at(nullptr);
}

// After an improper posterior or a runaway; false if nothing is left to try. Factorized: each time from the prior, as
// raising the damping in place would keep the sites that made it improper.
bool Propagation::recover() {
  if (likelihood_.moves_in_turn()) {
    if (moves_ == Moves::double_loop) return false;
    progress_.last = divergence_bound;  // far from rest
    change_moves();
    start_at(&rested_.state);
    return true;
  }
  if (constrained_) damping_ = 0.5 * (1 + damping_);
  constrained_ = true;
  if (damping_ > most_damping) return false;
  start_at(nullptr);
  return true;
}

// Sites under way are no result where there are some that were at rest.
PropagationEnd Propagation::end_at_sweep_limit() {
  if (rested_.sweep > 0) now_ = rested_.state;
  return PropagationEnd::sweep_limit;
}

// The last state that had not run away, if there was one.
PropagationEnd Propagation::restore_last_proper() {
  const State& last = rested_.sweep > 0 ? rested_.state : proper_;
  if (!last.marginals.mean.empty()) now_ = last;
  return PropagationEnd::improper;
}

// M step: modes of beta and inverse gamma conditionals at the expected statistics E|s|, E sum s b^2, E|y - Xb|^2, not
// further than longest_step_. Returns the largest change of a logarithm. Learning stays off after a runaway.
double Propagation::learn() {
  if (diverged_ || longest_step_ == 0 || std::ssize(trace_) < settling_sweeps) return 0;
  double in = 0, squares = 0;
  for (const TiltedPrior& feature : now_.sites.tilted()) {
    in += feature.inclusion;
    squares += feature.inclusion * feature.slab_square;
  }
  const auto p = static_cast<double>(now_.sites.tilted().size());
  double largest = 0;
  const auto step_to = [&](double& value, double best) {
    const double step = std::log(best / value);
    largest = std::max(largest, std::abs(step));
    value =
        std::abs(step) <= longest_step_ || !has_circled() ? best : value * std::exp(std::copysign(longest_step_, step));
  };
  if (prior_.sample_inclusion) {
    constexpr double least_expected = 0.1;  // features: fewer cannot be learned
    const double mode = (prior_.inclusion_in - 1 + in) / (prior_.inclusion_in + prior_.inclusion_out - 2 + p);
    step_to(now_.hyper.prior_inclusion, std::clamp(mode, least_expected / p, 1 - 1e-6));
  }
  if (prior_.sample_slab) {
    step_to(now_.hyper.slab_variance, (prior_.slab_scale + 0.5 * squares) / (prior_.slab_shape + 1 + 0.5 * in));
  }
  if (prior_.sample_noise) {
    step_to(now_.hyper.noise_variance, (prior_.noise_scale + 0.5 * now_.marginals.residual_square) /
                                           (prior_.noise_shape + 1 + 0.5 * data_.degrees_of_freedom()));
  }
  return largest;
}

// Records the sweep; false: the observer wants an end.
bool Propagation::report_progress() {
  const double objective = now_.log_evidence + data_.log_density_shift();
  const auto active = std::ranges::count_if(features(), [](const TiltedPrior& t) { return t.inclusion >= 0.5; });
  const double gain = trace_.empty() ? 0.0 : objective - trace_.back().objective;
  trace_.push_back({std::ssize(trace_) + 1, objective, gain, active, now_.change});
  if (plan_.observer == nullptr) return true;
  plan_.observer->trace(trace_.back());
  const auto sweeps = static_cast<double>(trace_.size());
  plan_.observer->progress(sweeps / (sweeps + 20), "propagation");
  return !plan_.observer->cancelled();
}

}  // namespace tamis
