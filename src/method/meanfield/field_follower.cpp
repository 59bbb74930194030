#include "method/meanfield/field_follower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/branch_free.hpp"
#include "base/vectorised.hpp"

namespace tamis {
namespace {

constexpr double negligible_logit = -30;     // m = 1e-13
constexpr double largest_background = 0.01;  // inclusion above which a feature belongs into the working set
constexpr int most_rejections = 50;          // of one point, before it is taken with the certificate that it has
constexpr double typical_logit_variance = 4;
constexpr double dispensable_logit = -12;
constexpr double stored_logit = -30;
constexpr Index few_features = 384;  // all of them are in the working set from the beginning

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

// A path along which more features than this matter, each a little, is at its dense end. Where weights change with
// every step the Gram matrix does too, so there the working set is small.
Index default_capacity(Index p, double samples, bool exact) {
  if (p <= (exact ? 1024 : 128)) return p;
  return exact ? std::clamp<Index>(static_cast<Index>(samples / 2), 384, 2048) : 128;
}

}  // namespace

FieldFollower::FieldFollower(FieldProblem problem, FollowerSettings settings)
    : FieldPath(std::move(problem)),
      settings_(settings),
      n_(problem_.X.rows()),
      p_(problem_.X.cols()),
      working_(problem_.likelihood, problem_.y, problem_.weights, problem_.samples),
      rows_(problem_.samples),
      given_weights_(working_.is_exact() ? std::vector<double>() : problem_.weights),
      y_(at(n_)),
      field_(problem_,
             settings.capacity > 0 ? settings.capacity : default_capacity(p_, problem_.samples, working_.is_exact())),
      place_(at(p_), -1),
      residual_(at(n_)),
      residuals_(n_, settings.longest_block) {
  take_response();
  for (Index i = 0; i < n_; ++i) response_square_ += problem_.weights[at(i)] * y_[at(i)] * y_[at(i)];
  if (!working_.is_exact()) response_square_ = typical_logit_variance;
}

void FieldFollower::take_response() {
  const std::span<const double> response = working_.response();
  y_mean_ = 0;
  for (Index i = 0; i < n_; ++i) {
    y_[at(i)] = response[at(i)] - (problem_.offset.empty() ? 0.0 : problem_.offset[at(i)]);
    if (problem_.intercept) y_mean_ += problem_.weights[at(i)] * y_[at(i)];
  }
  for (double& y : y_) y -= y_mean_;
}

void FieldFollower::start(const FieldHyper& hyper) {
  hyper_ = hyper;
  if (working_.is_exact() && hyper_.learn_noise) hyper_.noise_precision = 1 / response_square_;
  if (!working_.is_exact()) {
    hyper_.learn_noise = false;
    hyper_.noise_precision = 1;
  }
  // As many features as rows, explaining all of the response, have this mean square. A narrower slab is no slab:
  // nothing in it could be told from the spike, and inclusion would mean nothing.
  double typical = 0;
  for (const double chi : problem_.curvature) typical += chi / static_cast<double>(p_);
  field_.set_least_variances(1e-13 * response_square_,
                             response_square_ / (problem_.samples * (typical > 0 ? typical : 1)));
  rebuild_residual();
  take_correlations();
  if (!working_.is_exact()) {
    for (int round = 0; round < 50; ++round) reweigh();
    null_deviance_ = working_.deviance(predictor(), given_weights_);
  }
  store_point(/*awaits_check=*/true);
}

// The predictor that the residual belongs to.
std::vector<double> FieldFollower::predictor() const {
  std::vector<double> eta(working_.response().begin(), working_.response().end());
  for (Index i = 0; i < n_; ++i) eta[at(i)] -= residual_[at(i)];
  return eta;
}

// A new quadratic view of the likelihood, at the present field and the best intercept for it.
void FieldFollower::reweigh() {
  move_residual();
  std::vector<double> weighted(at(n_));
  weigh_residual(weighted);
  take_view();
}

void FieldFollower::take_view() {
  const std::vector<double> eta = predictor();
  std::vector<double> variance(at(n_), background_.variance);
  std::vector<double> column(at(n_));
  for (Index k = 0; k < field_.size(); ++k) {
    const double mean = field_.means()[at(k)], m = field_.inclusion()[at(k)];
    const double spread = m * ((1 - m) * mean * mean + field_.variances()[at(k)]);
    if (spread < 1e-12) continue;
    problem_.X.gather(Columns::range(field_.features()[at(k)], 1), std::span<double>(column));
    for (Index i = 0; i < n_; ++i) variance[at(i)] += spread * column[at(i)] * column[at(i)];
  }
  working_.update(eta, variance);
  problem_.weights.assign(working_.weights().begin(), working_.weights().end());
  problem_.samples = working_.total();
  field_.set_working(working_.constant());
  take_response();
  const std::span<const double> response = working_.response();
  for (Index i = 0; i < n_; ++i) residual_[at(i)] = response[at(i)] - eta[at(i)];
  field_.reweigh();
  take_correlations();
}

// Into the state of a point; the background is the caller's to set before.
void FieldFollower::go_to(const FieldPoint& point) {
  set_members(point);
  rebuild_residual();
  if (working_.is_exact()) return take_correlations();
  // The view belonged to another state: the residual of this one, intercept and all, is what the new view is taken at.
  for (double& r : residual_) r += intercept_ - point.intercept;
  intercept_ = point.intercept;
  take_view();
}

// Coefficients changed since the residual was formed.
void FieldFollower::move_residual() {
  std::vector<Index> changed;
  std::vector<double> by;
  const std::span<const double> now = field_.coefficients();
  in_residual_.resize(now.size(), 0.0);
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (now[k] == in_residual_[k]) continue;
    changed.push_back(field_.features()[k]);
    by.push_back(in_residual_[k] - now[k]);
    in_residual_[k] = now[k];
  }
  if (changed.empty()) return;
  problem_.X.multiply_add(Columns(changed), std::span<const double>(by), std::span<double>(residual_));
}

void FieldFollower::rebuild_residual() {
  residual_ = y_;
  intercept_ = y_mean_;
  std::ranges::fill(in_residual_, 0.0);
  for (std::size_t i = 0; i < background_.fit.size(); ++i) residual_[i] -= background_.fit[i];
  move_residual();
}

// Centres the residual; its weighted copy, and its square.
void FieldFollower::weigh_residual(std::span<double> weighted) {
  double mean = 0, square = 0;
  if (problem_.intercept) {
    for (Index i = 0; i < n_; ++i) mean += problem_.weights[at(i)] * residual_[at(i)];
  }
  intercept_ += mean;
  for (Index i = 0; i < n_; ++i) {
    residual_[at(i)] -= mean;
    weighted[at(i)] = problem_.weights[at(i)] * residual_[at(i)];
    square += weighted[at(i)] * residual_[at(i)];
  }
  field_.set_square(square);
}

// Correlations of the working set and the residual's square, from the residual itself.
void FieldFollower::take_correlations() {
  std::vector<double> weighted(at(n_));
  weigh_residual(weighted);
  if (field_.size() == 0) return;
  problem_.X.transpose_multiply(Columns(field_.features()), std::span<const double>(weighted), field_.correlations());
}

FieldPoint FieldFollower::present_point() const {
  FieldPoint point;
  point.hyper = hyper_;
  point.free_energy = present_free_energy();
  point.intercept = intercept_;
  point.precision = hyper_.noise_precision * problem_.samples;
  for (Index j = 0; j < field_.size(); ++j) {
    if (field_.logits()[at(j)] < stored_logit) continue;
    point.features.push_back(static_cast<std::int32_t>(field_.features()[at(j)]));
    point.logits.push_back(field_.logits()[at(j)]);
    point.means.push_back(field_.means()[at(j)]);
    point.variances.push_back(field_.variances()[at(j)]);
    point.total += field_.inclusion()[at(j)];
    point.active += field_.inclusion()[at(j)] > 0.5 ? 1 : 0;
  }
  return point;
}

// The present state joins the block. One that awaits a check leaves its residual, and the background's part of its free
// energy comes with the check; another is as good as the background that it was solved with.
void FieldFollower::store_point(bool awaits_check) {
  move_residual();
  std::vector<double> unused(awaits_check ? 0 : at(n_));
  weigh_residual(awaits_check ? residuals_.column(pending()) : std::span<double>(unused));
  FieldPoint& point = block_.emplace_back(present_point());
  measure_errors(point);
  if (awaits_check) {
    point.free_energy = field_.free_energy(hyper_, {});
    used_.push_back(background_);
    checks_.push_back(static_cast<Index>(block_.size()) - 1);
  } else {
    point.total += background_.total;
    point.certificate = background_tolerance();
  }
}

void FieldFollower::measure_errors(FieldPoint& point) const {
  if (!working_.is_exact()) {
    const std::vector<double> eta = predictor();
    point.training_error = working_.deviance(eta, given_weights_);
    point.held_out = working_.deviance(eta, problem_.judged);
    return;
  }
  point.training_error = field_.square();
  for (std::size_t i = 0; i < problem_.judged.size(); ++i) {
    if (problem_.judged[i] > 0) point.held_out += problem_.judged[i] * residual_[i] * residual_[i];
  }
}

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

FieldFollower::Outcome FieldFollower::solve_from_here(const SpikeSlab& prior) {
  const SpikeSlab learnt = hyper_.prior;
  hyper_.prior = prior;
  if (hyper_.learn_slab && started_on_path_) hyper_.prior.slab_variance = learnt.slab_variance;
  if (hyper_.learn_odds && started_on_path_) hyper_.prior.log_odds = learnt.log_odds;
  started_on_path_ = true;
  const double step = hyper_.prior.log_odds - background_.log_odds;
  if (step != 0 && !background_.fit.empty()) {
    background_.scale_odds(std::exp(std::clamp(growth_ * step, -3.0, 3.0)));
    background_.log_odds = hyper_.prior.log_odds;
    rebuild_residual();
    take_correlations();
  }
  if (record_ && trace_.empty()) trace_step(0);
  field_.set_unnoticed(record_ ? 0 : 1e-2 * tolerance_);
  return working_.is_exact() ? settle() : settle_with_weights();
}

FieldFollower::Outcome FieldFollower::settle() {
  for (Index s = 0; s < settings_.max_sweeps; ++s) {
    const double change = field_.sweep(hyper_, background_).change;
    if (record_) trace_step(change);
    if (change < tolerance_) break;
    if (interpolates()) return Outcome::collapsed;
  }
  return interpolates() ? Outcome::collapsed : Outcome::solved;
}

// A few sweeps, then the weights that belong to the new predictor; settled when those no longer move anything.
FieldFollower::Outcome FieldFollower::settle_with_weights() {
  constexpr Index sweeps_per_view = 5;
  const double enough = record_ ? tolerance_ : 10 * tolerance_;
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
  const Index count =
      std::min({block_length_, settings_.longest_block, static_cast<Index>(priors.size()) - accepted()});
  Index unchecked = 0;
  for (Index k = 0; k < count; ++k) {
    const auto next = at(accepted() + k);
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
  if (collapse_ahead_) block_.resize(checks_.empty() ? 0 : at(checks_.back() + 1));
  if (block_.empty()) {
    collapsed_ = block_length_ == 1;
    block_length_ = 1;
    if (!collapsed_) {
      collapse_ahead_ = false;
      solve_block(priors, rivals);
    }
    return;
  }
  fresh_correlations_.resize(at(field_.size()));
  found_.assign(at(pending()), Background());
  for (Index k = 0; k < pending(); ++k) found_[at(k)].log_odds = checked(k).hyper.prior.log_odds;
  // Candidates are those that the priors to come may raise into the working set.
  const double span = std::abs(priors[at(accepted())].log_odds - block_.back().hyper.prior.log_odds);
  candidate_bar_ = logit(largest_background) - 3 - 2 * span;
  if (record_) all_ = {std::vector<double>(at(p_), -1e3), std::vector<double>(at(p_)), std::vector<double>(at(p_))};
}

void FieldFollower::check_start(Index first, ConstMatrixView c) {
  for (Index r = 0; r < c.rows; ++r) {
    const double chi = problem_.curvature[at(first + r)];
    if (!(chi > 0)) continue;
    const double gain = 0.5 * checked(0).precision * c(r, 0) * c(r, 0) / chi;
    strongest_ = std::max(strongest_, gain);
    if (gain >= candidate_bar_) candidates_.push_back({first + r, 0, gain, {c(r, 0)}});
  }
  keep_best_candidates(p_ <= few_features ? field_.capacity() : 2 * most_candidates());
}

void FieldFollower::keep_best_candidates(Index count) {
  if (static_cast<Index>(candidates_.size()) <= count) return;
  const auto last = candidates_.begin() + count;
  std::ranges::nth_element(candidates_, last, std::ranges::greater(), &Newcomer::rank);
  candidate_bar_ = last->rank;
  candidates_.erase(last, candidates_.end());
}

// What the features of a panel would be at pending point k, given their correlations with the residual. If the
// background is in the residual, so is each feature's own part, which is put back: c = correlation + chi coefficient,
// where the coefficient follows from c; small as it is, two rounds find it. False: all of them are negligible.
bool FieldFollower::believe(Index k, Index first, std::span<const double> correlations, Beliefs& out) const {
  const FieldHyper& hyper = checked(k).hyper;
  const double precision = checked(k).precision;
  const auto count = correlations.size();
  const double* c = correlations.data();
  const double* chi = problem_.curvature.data() + first;
  double *prior = out.prior.data(), *shrinkage = out.shrinkage.data();
  double *mean = out.mean.data(), *logit = out.logit.data(), *m = out.m.data();
  double last_chi = -1;
  SpikeSlab::Lens lens{};
  for (std::size_t r = 0; r < count; ++r) {
    if (chi[r] != last_chi) lens = hyper.prior.lens(precision * chi[r]);
    last_chi = chi[r];
    prior[r] = lens.prior_logit;
    shrinkage[r] = lens.shrinkage;
  }
  double largest = 2 * negligible_logit;
  vectorised([=, &largest] {
    double top = largest;
    for (std::size_t r = 0; r < count; ++r) {
      mean[r] = chi[r] > 0 ? shrinkage[r] * c[r] / chi[r] : 0.0;
      logit[r] =
          chi[r] > 0 ? prior[r] + 0.5 * precision * chi[r] * mean[r] * mean[r] / shrinkage[r] : 2 * negligible_logit;
      top = top > logit[r] ? top : logit[r];
    }
    largest = top;
  });
  if (largest < negligible_logit) return false;
  const int rounds = used_[at(k)].fit.empty() ? 0 : 2;
  const double least = least_in_fit(), most = largest_background;
  vectorised([=] {
    for (std::size_t r = 0; r < count; ++r) {
      const double alone = mean[r], half = 0.5 * precision * chi[r] / shrinkage[r];
      double l = logit[r];
      const auto coin = [](double x) { return 1 / (1 + branch_free::exp(-(x > -700 ? x : -700))); };
      double own = coin(l);
      for (int round = 0; round < rounds; ++round) {
        // Below what the joint fit contains there is nothing to put back; above, the feature is not in it.
        const double part = own < least ? 0.0 : own < most ? own : most;
        const double whole = alone / (1 - shrinkage[r] * part);
        mean[r] = whole;
        l = prior[r] + half * whole * whole;
        own = coin(l);
      }
      logit[r] = chi[r] > 0 ? l : 2 * negligible_logit;
      m[r] = own;
    }
  });
  return true;
}

FieldFollower::Belief FieldFollower::belief_of(Index k, Index j, double correlation) const {
  Beliefs one(1);
  believe(k, j, std::span(&correlation, 1), one);
  return one.at(0);
}

// One feature of the background, with sign -1 one that leaves it. Those whose coefficients are too small to be in the
// joint fit count with what their best value gains.
void FieldFollower::add_to(Background& background, const FieldPoint& point, double chi, const Belief& b,
                           double sign) const {
  const FieldHyper& hyper = point.hyper;
  const double m = b.m, square = b.mean * b.mean;
  const double information = point.precision * chi;
  const double variance = hyper.prior.slab_is_normal ? b.shrinkage / information : 0.0;
  const double second = m * (square + variance);
  background.total += sign * m;
  background.second += sign * second;
  background.local -= sign * m * (1 + m * (0.5 + m * (1.0 / 3 + m * 0.25)));  // -log(1 - m)
  if (m < least_in_fit()) return;
  double gain = b.logit - b.prior;  // inclusion cost + log odds
  if (hyper.prior.slab_is_normal) gain += 0.5 * ((square + variance) / hyper.prior.slab_variance - 1);
  if (hyper.prior.weight_variance > 0) gain += 0.5 * square / hyper.prior.weight_variance;
  background.local += sign * m * gain;
  background.variance += sign * chi * (second - m * m * square);
}

void FieldFollower::check(Index first, ConstMatrixView c) {
  if (!started_) return check_start(first, c);
  const Index points = pending();
  for (Index r = 0; r < c.rows; ++r) {
    const std::int32_t place = place_[at(first + r)];
    if (place >= 0) fresh_correlations_[at(place)] = c(r, points - 1);
  }
  const auto rows = at(c.rows);
  Beliefs beliefs(rows);
  Matrix fits(c.rows, points);
  std::vector<Index> missed(rows, points);
  std::vector<bool> counts(rows, false);
  for (Index k = 0; k < points; ++k) {
    const bool any = believe(k, first, c.column(k), beliefs);
    if (!any && !record_) continue;
    for (std::size_t r = 0; r < rows; ++r) {
      const auto j = at(first) + r;
      if (place_[j] >= 0) continue;
      const Belief b = beliefs.at(r);
      if (record_) record(j, b);
      if (b.logit < negligible_logit) continue;
      if (b.m > largest_background) {
        missed[r] = std::min(missed[r], k);
        continue;
      }
      add_to(found_[at(k)], checked(k), problem_.curvature[j], b, 1);
      if (b.m < least_in_fit()) continue;
      fits(static_cast<Index>(r), k) = b.m * b.mean;
      counts[r] = true;
    }
    if (k + 1 < points) continue;
    for (std::size_t r = 0; r < rows; ++r) {
      const bool wanted = missed[r] < points || beliefs.logit[r] > candidate_bar_;
      if (place_[at(first) + r] < 0 && wanted)
        note_newcomer(first, static_cast<Index>(r), c, missed[r], beliefs.logit[r]);
    }
  }
  keep_best_candidates(most_candidates());
  add_joint_fit(first, counts, fits);
}

void FieldFollower::note_newcomer(Index first, Index r, ConstMatrixView c, Index missed, double logit) {
  Newcomer newcomer{first + r, missed, logit, {}};
  for (Index k = 0; k < c.cols; ++k) newcomer.correlations[at(k)] = c(r, k);
  (missed < c.cols ? violators_ : candidates_).push_back(newcomer);
}

void FieldFollower::add_joint_fit(Index first, const std::vector<bool>& counts, const Matrix& fits) {
  std::vector<Index> columns;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r]) columns.push_back(first + static_cast<Index>(r));
  }
  if (columns.empty()) return;
  Matrix chosen(static_cast<Index>(columns.size()), fits.cols());
  for (Index k = 0; k < fits.cols(); ++k) {
    for (std::size_t s = 0; s < columns.size(); ++s) chosen(static_cast<Index>(s), k) = fits(columns[s] - first, k);
  }
  if (joint_fits_.cols() != fits.cols()) joint_fits_ = Matrix(n_, fits.cols());
  problem_.X.multiply_add(Columns(columns), chosen, joint_fits_);
}

void FieldFollower::record(std::size_t j, const Belief& b) {
  all_.logits[j] = b.logit;
  all_.means[j] = b.mean;
  const double information = checked(0).precision * problem_.curvature[j];
  all_.variances[j] = hyper_.prior.slab_is_normal ? b.shrinkage / information : 0.0;
}

// Members that do not matter leave when the room is needed. Returns how many stay.
Index FieldFollower::make_room(Index count) {
  if (field_.size() + count <= field_.capacity()) return field_.size();
  std::vector<Index> kept;
  for (Index k = 0; k < field_.size(); ++k) {
    if (field_.logits()[at(k)] > dispensable_logit) kept.push_back(k);
  }
  keep(kept);
  return field_.size();
}

void FieldFollower::keep(std::span<const Index> places) {
  for (const Index j : field_.features()) place_[at(j)] = -1;
  for (std::size_t l = 0; l < places.size(); ++l) {
    place_[at(field_.features()[at(places[l])])] = static_cast<std::int32_t>(l);
    in_residual_[l] = in_residual_[at(places[l])];
  }
  in_residual_.resize(places.size());
  field_.keep(places);
}

void FieldFollower::admit(std::span<const Index> features, std::span<const double> correlations) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    place_[at(features[k])] = static_cast<std::int32_t>(field_.size() + static_cast<Index>(k));
  }
  field_.append(features, correlations);
  in_residual_.resize(at(field_.size()), 0.0);
}

// Those who were missed, and candidates for what comes; each takes its share out of the background, and begins with it.
// False when they are too many.
bool FieldFollower::admit_newcomers(Index point) {
  const Index room = field_.capacity() - make_room(static_cast<Index>(violators_.size() + candidates_.size()));
  if (static_cast<Index>(violators_.size()) > room) return false;
  keep_best_candidates(room - static_cast<Index>(violators_.size()));
  std::vector<Index> features;
  std::vector<double> taken, correlations;
  std::vector<Belief> beliefs;
  for (const std::vector<Newcomer>* list : {&violators_, &candidates_}) {
    for (const Newcomer& newcomer : *list) {
      features.push_back(newcomer.feature);
      correlations.push_back(newcomer.correlations[at(point)]);
      Belief& b = beliefs.emplace_back(belief_of(point, newcomer.feature, correlations.back()));
      if (b.m > largest_background) b.m = 0;  // it had no share
      taken.push_back(b.m < least_in_fit() ? 0.0 : -b.m * b.mean);
      if (b.m > 0) add_to(background_, checked(point), problem_.curvature[at(newcomer.feature)], b, -1);
    }
  }
  if (!background_.fit.empty()) {
    problem_.X.multiply_add(Columns(features), std::span<const double>(taken), std::span<double>(background_.fit));
  }
  const Index before = field_.size();
  admit(features, correlations);
  for (std::size_t k = 0; k < beliefs.size() && record_; ++k) {
    if (beliefs[k].m == 0) continue;
    const double chi = problem_.curvature[at(features[k])];
    const bool normal = hyper_.prior.slab_is_normal;
    field_.set_member(before + static_cast<Index>(k), beliefs[k].logit, beliefs[k].mean,
                      normal ? beliefs[k].shrinkage / (checked(point).precision * chi) : 0.0);
  }
  return true;
}

void FieldFollower::set_members(const FieldPoint& point) {
  std::vector<Index> absent;
  for (const Index j : point.features) {
    if (place_[at(j)] < 0) absent.push_back(j);
  }
  if (field_.size() + static_cast<Index>(absent.size()) > field_.capacity()) {
    std::vector<Index> kept;
    for (const Index j : point.features) {
      if (place_[at(j)] >= 0) kept.push_back(place_[at(j)]);
    }
    std::ranges::sort(kept);
    keep(kept);
  }
  admit(absent, std::vector<double>(absent.size(), 0.0));
  field_.clear();
  for (std::size_t s = 0; s < point.features.size(); ++s) {
    field_.set_member(place_[at(point.features[s])], point.logits[s], point.means[s], point.variances[s]);
  }
  hyper_ = point.hyper;
}

// Puts the background that was found at pending point k in place of the one that the point was solved with: its free
// energy, and how far the joint fit has moved, in posterior sds.
void FieldFollower::settle_background(Index k) {
  FieldPoint& point = block_[at(checks_[at(k)])];
  const std::vector<double>& found = found_[at(k)].fit;
  const std::vector<double>& used = used_[at(k)].fit;
  double mean = 0, square = 0, along = 0;
  if (!found.empty() || !used.empty()) {
    for (Index i = 0; i < n_; ++i) {
      const double d = (found.empty() ? 0.0 : found[at(i)]) - (used.empty() ? 0.0 : used[at(i)]);
      mean += problem_.weights[at(i)] * d;
      square += problem_.weights[at(i)] * d * d;
      along += residuals_(i, k) * d;
    }
    if (problem_.intercept) square -= mean * mean;
  }
  const double precision = point.precision;
  point.certificate = std::sqrt(std::max(0.0, square) * precision);
  if (record_ && (hyper_.learn_slab || hyper_.learn_odds)) {
    FieldHyper next = hyper_;  // a recorded point is the only one of its block, and still in place
    point.certificate = std::max(point.certificate, field_.update_hyper(next, found_[at(k)]));
  }
  point.total += found_[at(k)].total;
  point.free_energy += found_[at(k)].local + precision * (0.5 * (found_[at(k)].variance + square) - along);
}

// How fast the background grows with the prior's log odds: as the odds themselves, or faster as the noise falls.
void FieldFollower::note_growth(Index k) {
  const double odds = checked(k).hyper.prior.log_odds, total = found_[at(k)].total;
  if (noted_total_ > 0 && total > 0 && std::abs(odds - noted_odds_) > 1e-3) {
    growth_ = std::clamp(std::log(total / noted_total_) / (odds - noted_odds_), 0.5, 2.0);
  }
  if (odds != noted_odds_) {
    noted_odds_ = odds;
    noted_total_ = total;
  }
}

Index FieldFollower::finish_check() {
  if (!started_) return finish_start();
  const Index points = pending();
  if (points == 0) return 0;
  for (Index k = 0; k < joint_fits_.cols(); ++k) {
    found_[at(k)].fit.assign(joint_fits_.col(k), joint_fits_.col(k) + n_);
  }
  joint_fits_ = {};
  Index good = points;  // checks passed
  for (const Newcomer& v : violators_) good = std::min(good, v.point);
  for (Index k = 0; k < good; ++k) {
    settle_background(k);
    const bool rests = checked(k).certificate <= background_tolerance() || (k == 0 && rejections_ >= most_rejections);
    if (!rests) good = k;
  }
  const Index next = std::min(good, points - 1);
  const Index taken = good == 0 ? 0 : checks_[at(good - 1)] + 1;  // points of the block
  rejections_ = taken == 0 ? rejections_ + 1 : good < points ? 1 : 0;
  note_growth(next);
  const bool stays = !record_ && good == points && used_.back().fit.empty() && found_.back().fit.empty();
  if (stays) std::ranges::copy(fresh_correlations_, field_.correlations().begin());
  background_ = std::move(found_[at(next)]);
  points_.insert(points_.end(), block_.begin(), block_.begin() + taken);
  if (good < points) {
    go_to(block_[at(taken)]);
    block_length_ = std::max<Index>(1, taken);
    collapse_ahead_ = false;
  } else {
    block_length_ = std::min(settings_.longest_block, 2 * block_length_);
    if (collapse_ahead_) {
      collapse_ahead_ = false;
      block_length_ = 1;  // the next point will show
    }
  }
  // A recorded point stays as it was checked.
  if (!(record_ && good == points) && !admit_newcomers(next)) {
    collapsed_ = true;
  } else if (!stays) {
    rebuild_residual();
    take_correlations();
  }
  clear_block();
  return taken;
}

// The null model has been seen: the strongest features are the first working set.
Index FieldFollower::finish_start() {
  started_ = true;
  std::vector<Index> features;
  std::vector<double> correlations;
  for (const Newcomer& v : candidates_) {
    features.push_back(v.feature);
    correlations.push_back(v.correlations[0]);
  }
  clear_block();
  admit(features, correlations);
  return 0;
}

void FieldFollower::clear_block() {
  violators_.clear();
  candidates_.clear();
  block_.clear();
  checks_.clear();
  used_.clear();
}

std::vector<FieldPoint> FieldFollower::explore(std::span<const SpikeSlab> priors, std::span<const FieldPoint> rivals) {
  std::vector<FieldPoint> solved;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    const FieldPoint before = present_point();
    if (solve_point(priors[k], k < rivals.size() ? &rivals[k] : nullptr) == Outcome::collapsed) {
      restart(before);
      break;
    }
    solved.push_back(present_point());
  }
  return solved;
}

void FieldFollower::restart(const FieldPoint& from) {
  points_.clear();
  collapsed_ = collapse_ahead_ = false;
  block_length_ = 1;
  rejections_ = 0;
  background_ = {};
  go_to(from);
}

FieldState FieldFollower::state() const {
  FieldState state = all_;
  if (state.logits.empty())
    state = {std::vector<double>(at(p_), -1e3), std::vector<double>(at(p_)), std::vector<double>(at(p_))};
  for (Index k = 0; k < field_.size(); ++k) {
    const auto j = at(field_.features()[at(k)]);
    state.logits[j] = field_.logits()[at(k)];
    state.means[j] = field_.means()[at(k)];
    state.variances[j] = field_.variances()[at(k)];
  }
  return state;
}

}  // namespace tamis
