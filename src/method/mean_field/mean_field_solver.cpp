// One prior after the other, in the working set.
#include <algorithm>
#include <cmath>

#include "method/mean_field/mean_field_path.hpp"
#include "method/mean_field/pair_moves.hpp"

namespace tamis {
namespace {}  // namespace

// Many features that leave nothing to the noise. A few that do are a find: data may be free of noise.
bool FieldFollower::interpolates() const {
  const double total = field_.total_inclusion() + background_.total;
  if (total > 0.9 * (rows_ - 1)) return true;
  if (!working_.is_exact()) return working_.deviance(predictor(), given_weights_) < 1e-3 * null_deviance_;
  return total > 0.5 * rows_ && field_.expected_square(background_) < 1e-12 * response_square_;
}

void FieldFollower::trace_step(double change) {
  const double energy = present_free_energy();
  note_step(hyper_.prior.slab_is_normal ? evidence_bound(energy, hyper_) : energy, change, field_.size());
}

// At the given prior, and again from the rival if that was better.
FieldFollower::Outcome FieldFollower::solve_point(const SpikeSlab& prior, const FieldPoint* rival) {
  const Outcome outcome = solve_from_here(prior);
  if (rival == nullptr) return outcome;
  if (outcome == Outcome::solved && !is_better(*rival, present_free_energy())) return outcome;
  background_ = {};
  go_to(*rival);
  return solve_from_here(prior);
}

// The background at the present prior, as a look at this prior has found it, or from that of the last one.
void FieldFollower::foresee_background() {
  const double odds = hyper_.prior.log_odds, step = odds - background_.log_odds;
  const auto known = std::ranges::find(foreseen_, odds, &Background::log_odds);
  if (known != foreseen_.end()) {
    background_ = *known;
  } else if (step != 0 && !background_.fit.empty()) {
    background_.scale_odds(std::exp(std::clamp(growth_ * step, -3.0, 3.0)));
    background_.log_odds = odds;
  } else {
    return;
  }
  rebuild_residual();
  take_correlations();
}

FieldFollower::Outcome FieldFollower::solve_from_here(const SpikeSlab& prior) {
  const SpikeSlab learnt = hyper_.prior;
  hyper_.prior = prior;
  if (hyper_.learn_slab && started_on_path_) hyper_.prior.slab_variance = learnt.slab_variance;
  if (hyper_.learn_odds && started_on_path_) hyper_.prior.log_odds = learnt.log_odds;
  started_on_path_ = true;
  foresee_background();
  if (record_ && trace_.empty()) trace_step(0);
  field_.set_unnoticed(record_ ? 0 : 1e-2 * sweep_tolerance());
  return working_.is_exact() ? settle() : settle_with_weights();
}

// One feature at a time, then what two at a time can do better.
FieldFollower::Outcome FieldFollower::settle() {
  if (sweep_until_still(record_) == Outcome::collapsed) return Outcome::collapsed;
  const auto try_again = [&] { return sweep_until_still(/*traces=*/false) == Outcome::solved; };
  const auto objective = [&] {
    const double energy = present_free_energy();
    return hyper_.prior.slab_is_normal ? -evidence_bound(energy, hyper_) : energy;
  };
  const bool moved = improve_by_pairs(field_, hyper_, problem_.samples, try_again, objective);
  return moved && record_ ? sweep_until_still(record_) : Outcome::solved;
}

FieldFollower::Outcome FieldFollower::sweep_until_still(bool traces) {
  for (Index s = 0; s < settings_.max_sweeps; ++s) {
    const double change = field_.sweep(hyper_, background_).change;
    if (traces) trace_step(change);
    if (change < sweep_tolerance()) break;
    if (interpolates()) return Outcome::collapsed;
  }
  return interpolates() ? Outcome::collapsed : Outcome::solved;
}

// A few sweeps, then the weights that belong to the new predictor; settled when those no longer move anything.
FieldFollower::Outcome FieldFollower::settle_with_weights() {
  constexpr Index sweeps_per_view = 5;
  const double enough = record_ ? tolerance_ : 10 * sweep_tolerance();
  for (Index view = 0; view < settings_.max_sweeps; ++view) {
    const double moved = field_.sweep(hyper_, background_).change;
    for (Index s = 1; s < sweeps_per_view && moved >= enough; ++s) {
      if (field_.sweep(hyper_, background_).change < 0.1 * moved) break;
    }
    reweigh();
    if (record_) trace_step(moved);
    if (moved < enough) break;
    if (view % 16 == 15 && interpolates()) return Outcome::collapsed;
  }
  return interpolates() ? Outcome::collapsed : Outcome::solved;
}

void FieldFollower::solve_block(std::span<const SpikeSlab> priors, std::span<const FieldPoint> rivals) {
  if (collapsed_) return;
  goes_denser_ = priors.back().log_odds > priors.front().log_odds;
  const Index count = std::min({block_length_, settings_.longest_block, std::ssize(priors) - accepted()});
  Index unchecked = 0;
  for (Index k = 0; k < count; ++k) {
    const auto next = (accepted() + k);
    // A point that was sent back is solved from where it is: it may have come from the rival already.
    const bool compares = next < rivals.size() && !(k == 0 && rejections_ > 0);
    if (solve_point(priors[next], compares ? &rivals[next] : nullptr) == Outcome::collapsed) {
      collapse_ahead_ = true;
      break;
    }
    const bool awaits_check = k + 1 == count || ++unchecked == settings_.check_every;
    store_point(awaits_check);
    if (awaits_check) unchecked = 0;
  }
  // What was solved before a collapse but not checked is solved again, alone.
  if (collapse_ahead_) block_.resize(checks_.empty() ? 0 : (checks_.back() + 1));
  if (block_.empty()) {
    collapsed_ = block_length_ == 1;
    block_length_ = 1;
    if (!collapsed_) {
      collapse_ahead_ = false;
      solve_block(priors, rivals);
    }
    return;
  }
  fresh_correlations_.resize(field_.size());
  found_.assign(pending(), Background());
  for (Index k = 0; k < pending(); ++k) found_[k].log_odds = checked(k).hyper.prior.log_odds;
  // Candidates are those that the priors to come may raise into the working set. Sparser ones raise few, but where not
  // every prior is checked somebody may have been overlooked.
  const double span = block_.back().hyper.prior.log_odds - priors[accepted()].log_odds;
  candidate_bar_ = logit(largest_background) - (span < 0 && checks_all() ? 1 : 3 + 2 * std::abs(span));
  if (record_) all_ = {std::vector<double>(p_, -1e3), std::vector<double>(p_), std::vector<double>(p_)};
}

std::vector<FieldPoint> FieldFollower::explore(std::span<const SpikeSlab> priors, std::span<const FieldPoint> rivals) {
  std::vector<FieldPoint> solved;
  for (Index k = 0; k < std::ssize(priors); ++k) {
    const FieldPoint before = present_point();
    if (solve_point(priors[k], k < rivals.size() ? &rivals[k] : nullptr) == Outcome::collapsed) {
      restart(before);
      break;
    }
    solved.push_back(present_point());
  }
  return solved;
}

}  // namespace tamis
