// Solves a block of priors on the working set of a MeanFieldPath, without touching the other columns of X.
//
// Algorithm  per prior: predict the remainder, then
//              gaussian   sweeps to convergence, pair moves
//              otherwise  a few sweeps, a new quadratic bound and its Gram matrix, until the bound moves nothing
//            a warm-start candidate of lower free energy (the other direction of a path) is solved as well and kept
// Invariant  the block ends before the first prior whose solution interpolates the data; points whose solve is not
//            followed by a check are not kept past it
// Hazard     the free energy of the flat slab is unbounded below where features interpolate the rows, so it cannot rank
//            such states: they are detected (state_interpolates) and end the path.
#include <algorithm>
#include <cmath>

#include "method/mean_field/interpolation.hpp"
#include "method/mean_field/mean_field_path.hpp"
#include "method/mean_field/pair_moves.hpp"

namespace tamis {

// Nearly as many features as rows, or so many that what they leave may be an accident. Non-gaussian: a deviance below
// 0.1 % of the null model's, that is, separation.
bool MeanFieldPath::state_interpolates() const {
  const double total = field_.total_inclusion() + remainder_.total;
  if (total > 0.9 * (rows_ - 1)) return true;
  if (!working_.is_exact()) return working_.deviance(predictor(), given_weights_) < 1e-3 * null_deviance_;
  const double left = field_.expected_square(remainder_) / response_square_;
  return features_interpolate(total, rows_, p_, left, !hyper_.prior.slab_is_normal);
}

void MeanFieldPath::trace_step(double change) {
  const double energy = present_free_energy();
  record_step(hyper_.prior.slab_is_normal ? evidence_bound(energy, hyper_) : energy, change, field_.size());
}

// Solves at the given prior from the present state, and again from the candidate if that has the lower free energy.
MeanFieldPath::Outcome MeanFieldPath::solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate) {
  const Outcome outcome = solve_from_here(prior);
  if (candidate == nullptr) return outcome;
  if (outcome == Outcome::solved && !is_better(*candidate, present_free_energy())) return outcome;
  remainder_ = {};
  set_state(*candidate);
  return solve_from_here(prior);
}

// Remainder at the present prior: the one that a rejected pass found for this prior, or that of the last prior scaled
// by the growth of the odds. Each m is so small that it is proportional to the odds.
void MeanFieldPath::predict_remainder() {
  const double odds = hyper_.prior.log_odds, step = odds - remainder_.log_odds;
  const auto known = std::ranges::find(predicted_remainders_, odds, &Remainder::log_odds);
  if (known != predicted_remainders_.end()) {
    remainder_ = *known;
  } else if (step != 0 && !remainder_.fit.empty()) {
    remainder_.scale_odds(std::exp(std::clamp(growth_ * step, -3.0, 3.0)));
    remainder_.log_odds = odds;
  } else {
    return;
  }
  rebuild_residual();
  update_working_set_correlations();
}

MeanFieldPath::Outcome MeanFieldPath::solve_from_here(const SpikeSlab& prior) {
  const SpikeSlab learned = hyper_.prior;
  hyper_.prior = prior;
  if (hyper_.learn_slab && started_on_path_) hyper_.prior.slab_variance = learned.slab_variance;
  if (hyper_.learn_odds && started_on_path_) hyper_.prior.log_odds = learned.log_odds;
  started_on_path_ = true;
  predict_remainder();
  if (recording_ && trace_.empty()) trace_step(0);
  field_.set_negligible_step(recording_ ? 0 : 1e-2 * sweep_tolerance());
  return working_.is_exact() ? solve_working_set() : solve_reweighted();
}

// Sweeps, then pair moves; after a recorded move the sweeps run once more so that the trace ends with its convergence.
MeanFieldPath::Outcome MeanFieldPath::solve_working_set() {
  if (sweep_to_convergence(recording_) == Outcome::interpolates) return Outcome::interpolates;
  const auto solve_again = [&] { return sweep_to_convergence(/*traces=*/false) == Outcome::solved; };
  const auto objective = [&] {
    const double energy = present_free_energy();
    return hyper_.prior.slab_is_normal ? -evidence_bound(energy, hyper_) : energy;
  };
  const bool moved = improve_by_pairs(field_, hyper_, problem_.samples, solve_again, objective);
  return moved && recording_ ? sweep_to_convergence(recording_) : Outcome::solved;
}

MeanFieldPath::Outcome MeanFieldPath::sweep_to_convergence(bool traces) {
  for (Index s = 0; s < settings_.max_sweeps; ++s) {
    const double change = field_.sweep(hyper_, remainder_).change;
    if (traces) trace_step(change);
    if (change < sweep_tolerance()) break;
    if (state_interpolates()) return Outcome::interpolates;
  }
  return state_interpolates() ? Outcome::interpolates : Outcome::solved;
}

// Majorize-minimize: up to five sweeps at a fixed quadratic bound, then a new one. Sweeping to convergence in between
// would be wasted on a bound that is about to change. Converged when the first sweep after a new bound moves nothing.
MeanFieldPath::Outcome MeanFieldPath::solve_reweighted() {
  constexpr Index sweeps_per_view = 5;
  const double enough = recording_ ? tolerance_ : 10 * sweep_tolerance();
  for (Index view = 0; view < settings_.max_sweeps; ++view) {
    const double moved = field_.sweep(hyper_, remainder_).change;
    for (Index s = 1; s < sweeps_per_view && moved >= enough; ++s) {
      if (field_.sweep(hyper_, remainder_).change < 0.1 * moved) break;
    }
    update_weights();
    if (recording_) trace_step(moved);
    if (moved < enough) break;
    if (view % 16 == 15 && state_interpolates()) return Outcome::interpolates;
  }
  return state_interpolates() ? Outcome::interpolates : Outcome::solved;
}

// Priors ahead are solved on the present working set on the chance that it is complete: a pass over X costs more than
// solving the block, so points that have to be solved again are cheap beside the passes saved.
void MeanFieldPath::solve_block(std::span<const SpikeSlab> priors,
                                std::span<const MeanFieldPoint> warm_start_candidates) {
  if (interpolates_) return;
  goes_denser_ = priors.back().log_odds > priors.front().log_odds;
  const Index count = std::min({block_length_, settings_.longest_block, std::ssize(priors) - accepted()});
  Index unchecked = 0;
  for (Index k = 0; k < count; ++k) {
    const auto next = (accepted() + k);
    // A rejected point continues from its own state, which may be the solution from the candidate already.
    const bool compares = next < std::ssize(warm_start_candidates) && !(k == 0 && rejections_ > 0);
    if (solve_point(priors[next], compares ? &warm_start_candidates[next] : nullptr) == Outcome::interpolates) {
      interpolation_ahead_ = true;
      break;
    }
    const bool awaits_check = k + 1 == count || ++unchecked == settings_.check_every;
    record_point(awaits_check);
    if (awaits_check) unchecked = 0;
  }
  // Points solved before an interpolating one but not checked are solved again, alone.
  if (interpolation_ahead_) block_.resize(checks_.empty() ? 0 : (checks_.back() + 1));
  if (block_.empty()) {
    interpolates_ = block_length_ == 1;
    block_length_ = 1;
    if (!interpolates_) {
      interpolation_ahead_ = false;
      solve_block(priors, warm_start_candidates);
    }
    return;
  }
  fresh_correlations_.resize(field_.size());
  found_.assign(pending(), Remainder());
  for (Index k = 0; k < pending(); ++k) found_[k].log_odds = checked(k).hyper.prior.log_odds;
  // Candidates are features that coming priors may lift above the threshold of the working set. Towards sparser priors
  // few rise, so the bar is high, unless not every prior is checked and violations may have been overlooked.
  const double span = block_.back().hyper.prior.log_odds - priors[accepted()].log_odds;
  candidate_bar_ = logit(working_set_threshold) - (span < 0 && checks_all() ? 1 : 3 + 2 * std::abs(span));
  if (recording_) all_ = {std::vector<double>(p_, -1e3), std::vector<double>(p_), std::vector<double>(p_)};
}

std::vector<MeanFieldPoint> MeanFieldPath::solve_on_working_set(std::span<const SpikeSlab> priors,
                                                                std::span<const MeanFieldPoint> warm_start_candidates) {
  std::vector<MeanFieldPoint> solved;
  for (Index k = 0; k < std::ssize(priors); ++k) {
    const MeanFieldPoint before = present_point();
    if (solve_point(priors[k], k < std::ssize(warm_start_candidates) ? &warm_start_candidates[k] : nullptr) ==
        Outcome::interpolates) {
      restart(before);
      break;
    }
    solved.push_back(present_point());
  }
  return solved;
}

}  // namespace tamis
