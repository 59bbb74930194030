// State of a MeanFieldPath: members of the working set, residual, and the quadratic bound of the likelihood.
//
// Model      y_i ~ family(eta_i), eta = offset + b0 + X alpha + f, alpha the working set's coefficients and f the joint
//            fit of the remainder. Non-gaussian: weights and working response of a quadratic bound at the present mean
//            and variance of eta (Jaakkola & Jordan 2000, Statistics and Computing 10), so that free energies stay
//            bounds
// Algorithm  mean_field_solver.cpp: solve a block of priors on the working set
//            mean_field_screening.cpp: one pass over X, newcomers and remainder
//            remainder.cpp: fixed-point iteration of the remainder
// Invariant  residual_ = response - intercept_ - X in_residual_ - f; position_[feature of member k] = k, -1 for all
//            others; in_residual_ and the sweep's coefficients differ only between a solve and the next move_residual
#include "method/mean_field/mean_field_path.hpp"

#include <algorithm>
#include <cmath>

#include "family/null_intercept.hpp"

namespace tamis {
namespace {

constexpr double typical_logit_variance = 4;  // of eta, where no response gives the scale: most rows within 4 logits
// Members below this (m = 6e-6) leave first when room is needed; the remainder represents them as well.
constexpr double dispensable_logit = -12;
constexpr double indispensable_logit = -5.3;  // m = .005: half of what makes a member, so that none leaves and returns
constexpr double stored_logit = -30;          // m = 1e-13: below this a member is not part of a point

// Half the samples: a prior under which more features than that matter is at the dense end of the path. With
// iteratively reweighted data the Gram matrix is formed anew at every step, so there the working set is small.
Index default_capacity(Index p, double samples, bool exact) {
  if (p <= (exact ? 1024 : 128)) return p;
  return exact ? std::clamp<Index>(static_cast<Index>(samples / 2), 384, 2048) : 128;
}

}  // namespace

MeanFieldPath::MeanFieldPath(MeanFieldProblem problem, MeanFieldPathSettings settings)
    : MeanFieldPathBase(std::move(problem)),
      settings_(settings),
      n_(problem_.X.rows()),
      p_(problem_.X.cols()),
      working_(problem_.likelihood, problem_.y, problem_.weights, problem_.samples),
      rows_(problem_.samples),
      given_weights_(working_.is_exact() ? std::vector<double>() : problem_.weights),
      y_(n_),
      field_(problem_,
             settings.capacity > 0 ? settings.capacity : default_capacity(p_, problem_.samples, working_.is_exact())),
      position_(p_, -1),
      residual_(n_),
      residuals_(n_, settings.longest_block),
      block_length_(settings.longest_block) {
  center_response();
  for (Index i = 0; i < n_; ++i) response_square_ += problem_.weights[i] * y_[i] * y_[i];
  if (!working_.is_exact()) response_square_ = typical_logit_variance;
}

// Working response without offset, centered by its weighted mean; the intercept is profiled out of gaussian problems.
void MeanFieldPath::center_response() {
  const std::span<const double> response = working_.response();
  y_mean_ = 0;
  for (Index i = 0; i < n_; ++i) {
    y_[i] = response[i] - (problem_.offset.empty() ? 0.0 : problem_.offset[i]);
    if (problem_.intercept) y_mean_ += problem_.weights[i] * y_[i];
  }
  for (double& y : y_) y -= y_mean_;
}

void MeanFieldPath::start(const MeanFieldParameters& hyper) {
  hyper_ = hyper;
  if (working_.is_exact() && hyper_.learn_noise) hyper_.noise_precision = 1 / response_square_;
  if (!working_.is_exact()) {
    hyper_.learn_noise = false;
    hyper_.noise_precision = 1;
  }
  // Lower bound of a learned slab: with it as many features as rows explain the whole response. A narrower one cannot
  // be distinguished from the spike, and inclusion would lose its meaning.
  double typical = 0;
  for (const double chi : problem_.curvature) typical += chi / static_cast<double>(p_);
  field_.set_least_variances(1e-13 * response_square_,
                             response_square_ / (problem_.samples * (typical > 0 ? typical : 1)));
  rebuild_residual();
  update_working_set_correlations();
  if (!working_.is_exact()) {
    set_null_state();
    null_deviance_ = working_.deviance(predictor(), given_weights_);
  }
  record_point(/*awaits_check=*/true);
}

// The quadratic bound touches the likelihood at the null model, where both have the same gradient, so the maximum
// likelihood intercept of the null model remains optimal under the bound.
void MeanFieldPath::set_null_state() {
  if (problem_.intercept) {
    const double best = null_intercept(problem_.likelihood, problem_.y, given_weights_, problem_.offset);
    for (double& r : residual_) r += intercept_ - best;
    intercept_ = best;
  }
  update_working_response();
}

// The predictor that the residual belongs to.
std::vector<double> MeanFieldPath::predictor() const {
  std::vector<double> eta(working_.response().begin(), working_.response().end());
  for (Index i = 0; i < n_; ++i) eta[i] -= residual_[i];
  return eta;
}

// Renews the quadratic bound at the present posteriors, with the intercept at its optimum under the old one.
void MeanFieldPath::update_weights() {
  move_residual();
  std::vector<double> weighted(n_);
  weigh_residual(weighted);
  update_working_response();
}

// The optimal bound depends on E eta_i^2: mean of eta, and the variance sum_k Var(s_k w_k) x_ik^2 of the members plus
// that of the remainder, which is spread evenly over the rows. Its optimum in the variational parameters never raises
// F.
void MeanFieldPath::update_working_response() {
  const std::vector<double> eta = predictor();
  std::vector<double> variance(n_, remainder_.variance);
  std::vector<double> column(n_);
  for (Index k = 0; k < field_.size(); ++k) {
    const double mean = field_.means()[k], m = field_.inclusion()[k];
    const double spread = m * ((1 - m) * mean * mean + field_.variances()[k]);
    if (spread < 1e-12) continue;
    problem_.X.gather(Columns::range(field_.features()[k], 1), std::span<double>(column));
    for (Index i = 0; i < n_; ++i) variance[i] += spread * column[i] * column[i];
  }
  working_.update(eta, variance);
  problem_.weights.assign(working_.weights().begin(), working_.weights().end());
  problem_.samples = working_.total();
  field_.set_working(working_.constant());
  center_response();
  const std::span<const double> response = working_.response();
  for (Index i = 0; i < n_; ++i) residual_[i] = response[i] - eta[i];
  field_.update_weights();
  update_working_set_correlations();
}

// Restores the state of a point; the caller sets the remainder before.
void MeanFieldPath::set_state(const MeanFieldPoint& point) {
  set_members(point);
  rebuild_residual();
  if (working_.is_exact()) return update_working_set_correlations();
  // The bound belonged to another state. The residual with the point's own intercept gives its predictor, and the bound
  // is renewed there.
  for (double& r : residual_) r += intercept_ - point.intercept;
  intercept_ = point.intercept;
  update_working_response();
}

// One product with the columns whose coefficients have changed. Bitwise comparison is enough: coefficients that sweeps
// left alone are unchanged.
void MeanFieldPath::move_residual() {
  std::vector<Index> changed;
  std::vector<double> by;
  const std::span<const double> now = field_.coefficients();
  in_residual_.resize(now.size(), 0.0);
  for (Index k = 0; k < std::ssize(now); ++k) {
    if (now[k] == in_residual_[k]) continue;
    changed.push_back(field_.features()[k]);
    by.push_back(in_residual_[k] - now[k]);
    in_residual_[k] = now[k];
  }
  if (changed.empty()) return;
  problem_.X.multiply_add(Columns(changed), std::span<const double>(by), std::span<double>(residual_));
}

// From y on, which drops the rounding errors of all updates.
void MeanFieldPath::rebuild_residual() {
  residual_ = y_;
  intercept_ = y_mean_;
  std::ranges::fill(in_residual_, 0.0);
  for (Index i = 0; i < std::ssize(remainder_.fit); ++i) residual_[i] -= remainder_.fit[i];
  move_residual();
}

// Centers the residual, which is the optimal intercept step; stores its weighted copy, and its square in the sweep.
void MeanFieldPath::weigh_residual(std::span<double> weighted) {
  double mean = 0, square = 0;
  if (problem_.intercept) {
    for (Index i = 0; i < n_; ++i) mean += problem_.weights[i] * residual_[i];
  }
  intercept_ += mean;
  for (Index i = 0; i < n_; ++i) {
    residual_[i] -= mean;
    weighted[i] = problem_.weights[i] * residual_[i];
    square += weighted[i] * residual_[i];
  }
  field_.set_square(square);
}

// Correlations of the working set and the residual's square, from the residual itself.
void MeanFieldPath::update_working_set_correlations() {
  std::vector<double> weighted(n_);
  weigh_residual(weighted);
  if (field_.size() == 0) return;
  problem_.X.transpose_multiply(Columns(field_.features()), std::span<const double>(weighted), field_.correlations());
}

MeanFieldPoint MeanFieldPath::present_point() const {
  MeanFieldPoint point;
  point.hyper = hyper_;
  point.free_energy = present_free_energy();
  point.intercept = intercept_;
  point.precision = hyper_.noise_precision * problem_.samples;
  for (Index j = 0; j < field_.size(); ++j) {
    if (field_.logits()[j] < stored_logit) continue;
    point.features.push_back(static_cast<std::int32_t>(field_.features()[j]));
    point.logits.push_back(field_.logits()[j]);
    point.means.push_back(field_.means()[j]);
    point.variances.push_back(field_.variances()[j]);
    point.total += field_.inclusion()[j];
    point.active += field_.inclusion()[j] > 0.5 ? 1 : 0;
  }
  return point;
}

// Appends the present state to the block. A point that awaits a check leaves its residual for the pass, which adds the
// remainder's part of the free energy (update_remainder); an unchecked one has the remainder that it was solved with.
void MeanFieldPath::record_point(bool awaits_check) {
  move_residual();
  std::vector<double> unused(awaits_check ? 0 : n_);
  weigh_residual(awaits_check ? residuals_.column(pending()) : std::span<double>(unused));
  MeanFieldPoint& point = block_.emplace_back(present_point());
  measure_errors(point);
  if (awaits_check) {
    point.free_energy = field_.free_energy(hyper_, {});
    assumed_.push_back(remainder_);
    checks_.push_back(std::ssize(block_) - 1);
  } else {
    point.total += remainder_.total;
    point.certificate = remainder_tolerance();
  }
}

void MeanFieldPath::measure_errors(MeanFieldPoint& point) const {
  if (!working_.is_exact()) {
    const std::vector<double> eta = predictor();
    point.training_error = working_.deviance(eta, given_weights_);
    point.held_out = working_.deviance(eta, problem_.validation_weights);
    return;
  }
  point.training_error = field_.square();
  for (Index i = 0; i < std::ssize(problem_.validation_weights); ++i) {
    if (problem_.validation_weights[i] > 0)
      point.held_out += problem_.validation_weights[i] * residual_[i] * residual_[i];
  }
}

// Makes room for `needed` newcomers, and for `wanted` as far as dispensable members leave it. If those are too few for
// `needed`, the least probable members return to the remainder. Returns the number of members kept.
Index MeanFieldPath::make_room(Index needed, Index wanted) {
  if (field_.size() + wanted <= field_.capacity()) return field_.size();
  std::vector<double> ranked(field_.logits().begin(), field_.logits().end());
  std::ranges::sort(ranked, std::ranges::greater());
  const auto mattering = std::ranges::find_if(ranked, [](double l) { return l <= dispensable_logit; }) - ranked.begin();
  const Index most = std::max<Index>(0, field_.capacity() - needed);
  double bar = dispensable_logit;
  if (mattering > most) bar = std::min(ranked[most], indispensable_logit);
  std::vector<Index> kept;
  for (Index k = 0; k < field_.size(); ++k) {
    if (field_.logits()[k] > bar) kept.push_back(k);
  }
  keep(kept);
  return field_.size();
}

void MeanFieldPath::keep(std::span<const Index> places) {
  for (const Index j : field_.features()) position_[j] = -1;
  for (Index l = 0; l < std::ssize(places); ++l) {
    position_[field_.features()[places[l]]] = static_cast<std::int32_t>(l);
    in_residual_[l] = in_residual_[places[l]];
  }
  in_residual_.resize(places.size());
  field_.keep(places);
}

void MeanFieldPath::admit(std::span<const Index> features, std::span<const double> correlations) {
  for (Index k = 0; k < std::ssize(features); ++k) {
    position_[features[k]] = static_cast<std::int32_t>(field_.size() + k);
  }
  field_.append(features, correlations);
  in_residual_.resize(field_.size(), 0.0);
}

// Members that the point lacks are set to zero but stay while there is room: their Gram columns cost a pass to form.
void MeanFieldPath::set_members(const MeanFieldPoint& point) {
  std::vector<Index> absent;
  for (const Index j : point.features) {
    if (position_[j] < 0) absent.push_back(j);
  }
  if (field_.size() + std::ssize(absent) > field_.capacity()) {
    std::vector<Index> kept;
    for (const Index j : point.features) {
      if (position_[j] >= 0) kept.push_back(position_[j]);
    }
    std::ranges::sort(kept);
    keep(kept);
  }
  admit(absent, std::vector<double>(absent.size(), 0.0));
  field_.clear();
  for (Index s = 0; s < std::ssize(point.features); ++s) {
    field_.set_member(position_[point.features[s]], point.logits[s], point.means[s], point.variances[s]);
  }
  hyper_ = point.hyper;
}

void MeanFieldPath::restart(const MeanFieldPoint& from) {
  points_.clear();
  interpolates_ = interpolation_ahead_ = false;
  block_length_ = settings_.longest_block;
  rejections_ = 0;
  remainder_ = {};
  predicted_remainders_.clear();
  last_movement_.clear();
  set_state(from);
}

FeaturePosteriors MeanFieldPath::state() const {
  FeaturePosteriors state = all_;
  if (state.logits.empty()) state = {std::vector<double>(p_, -1e3), std::vector<double>(p_), std::vector<double>(p_)};
  for (Index k = 0; k < field_.size(); ++k) {
    const Index j = field_.features()[k];
    state.logits[j] = field_.logits()[k];
    state.means[j] = field_.means()[k];
    state.variances[j] = field_.variances()[k];
  }
  return state;
}

}  // namespace tamis
