// One prior after the other, in the working set.
#include <algorithm>
#include <cmath>

#include "method/mean_field/mean_field_path.hpp"
#include "method/mean_field/pair_moves.hpp"

namespace tamis {
namespace {}  // namespace

// Many features that leave nothing to the noise. A few that do are a find: data may be free of noise.
bool MeanFieldPath::state_interpolates() const {
  const double total = field_.total_inclusion() + remainder_.total;
  if (total > 0.9 * (rows_ - 1)) return true;
  if (!working_.is_exact()) return working_.deviance(predictor(), given_weights_) < 1e-3 * null_deviance_;
  return total > 0.5 * rows_ && field_.expected_square(remainder_) < 1e-12 * response_square_;
}

void MeanFieldPath::trace_step(double change) {
  const double energy = present_free_energy();
  note_step(hyper_.prior.slab_is_normal ? evidence_bound(energy, hyper_) : energy, change, field_.size());
}

// At the given prior, and again from the rival if that was better.
MeanFieldPath::Outcome MeanFieldPath::solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate) {
  const Outcome outcome = solve_from_here(prior);
  if (candidate == nullptr) return outcome;
  if (outcome == Outcome::solved && !is_better(*candidate, present_free_energy())) return outcome;
  remainder_ = {};
  go_to(*candidate);
  return solve_from_here(prior);
}

// The background at the present prior, as a look at this prior has found it, or from that of the last one.
void MeanFieldPath::predict_remainder() {
  const double odds = hyper_.prior.log_odds, step = odds - remainder_.log_odds;
  const auto known = std::ranges::find(foreseen_, odds, &Remainder::log_odds);
  if (known != foreseen_.end()) {
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
  field_.set_unnoticed(recording_ ? 0 : 1e-2 * sweep_tolerance());
  return working_.is_exact() ? settle_working_set() : settle_with_weights();
}

// One feature at a time, then what two at a time can do better.
MeanFieldPath::Outcome MeanFieldPath::settle_working_set() {
  if (sweep_until_still(recording_) == Outcome::interpolates) return Outcome::interpolates;
  const auto try_again = [&] { return sweep_until_still(/*traces=*/false) == Outcome::solved; };
  const auto objective = [&] {
    const double energy = present_free_energy();
    return hyper_.prior.slab_is_normal ? -evidence_bound(energy, hyper_) : energy;
  };
  const bool moved = improve_by_pairs(field_, hyper_, problem_.samples, try_again, objective);
  return moved && recording_ ? sweep_until_still(recording_) : Outcome::solved;
}

MeanFieldPath::Outcome MeanFieldPath::sweep_until_still(bool traces) {
  for (Index s = 0; s < settings_.max_sweeps; ++s) {
    const double change = field_.sweep(hyper_, remainder_).change;
    if (traces) trace_step(change);
    if (change < sweep_tolerance()) break;
    if (state_interpolates()) return Outcome::interpolates;
  }
  return state_interpolates() ? Outcome::interpolates : Outcome::solved;
}

// A few sweeps, then the weights that belong to the new predictor; settled when those no longer move anything.
MeanFieldPath::Outcome MeanFieldPath::settle_with_weights() {
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

void MeanFieldPath::solve_block(std::span<const SpikeSlab> priors,
                                std::span<const MeanFieldPoint> warm_start_candidates) {
  if (interpolates_) return;
  goes_denser_ = priors.back().log_odds > priors.front().log_odds;
  const Index count = std::min({block_length_, settings_.longest_block, std::ssize(priors) - accepted()});
  Index unchecked = 0;
  for (Index k = 0; k < count; ++k) {
    const auto next = (accepted() + k);
    // A point that was sent back is solved from where it is: it may have come from the rival already.
    const bool compares = next < std::ssize(warm_start_candidates) && !(k == 0 && rejections_ > 0);
    if (solve_point(priors[next], compares ? &warm_start_candidates[next] : nullptr) == Outcome::interpolates) {
      collapse_ahead_ = true;
      break;
    }
    const bool awaits_check = k + 1 == count || ++unchecked == settings_.check_every;
    record_point(awaits_check);
    if (awaits_check) unchecked = 0;
  }
  // What was solved before a collapse but not checked is solved again, alone.
  if (collapse_ahead_) block_.resize(checks_.empty() ? 0 : (checks_.back() + 1));
  if (block_.empty()) {
    interpolates_ = block_length_ == 1;
    block_length_ = 1;
    if (!interpolates_) {
      collapse_ahead_ = false;
      solve_block(priors, warm_start_candidates);
    }
    return;
  }
  fresh_correlations_.resize(field_.size());
  found_.assign(pending(), Remainder());
  for (Index k = 0; k < pending(); ++k) found_[k].log_odds = checked(k).hyper.prior.log_odds;
  // Candidates are those that the priors to come may raise into the working set. Sparser ones raise few, but where not
  // every prior is checked somebody may have been overlooked.
  const double span = block_.back().hyper.prior.log_odds - priors[accepted()].log_odds;
  candidate_bar_ = logit(largest_remainder) - (span < 0 && checks_all() ? 1 : 3 + 2 * std::abs(span));
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
