// The state of a MeanFieldPath: members, residual, and the likelihood's quadratic view. Solving is in field_solve.cpp,
// checking against all of X in field_check.cpp.
#include "method/mean_field/mean_field_path.hpp"

#include <algorithm>
#include <cmath>

#include "family/null_intercept.hpp"

namespace tamis {
namespace {

constexpr double typical_logit_variance = 4;
constexpr double dispensable_logit = -12;
constexpr double indispensable_logit = -5.3;  // m = .005: half of what makes a member
constexpr double stored_logit = -30;          // below this a member is not part of a point

// A path along which more features than this matter, each a little, is at its dense end. Where weights change with
// every step the Gram matrix does too, so there the working set is small.
Index default_capacity(Index p, double samples, bool exact) {
  if (p <= (exact ? 1024 : 128)) return p;
  return exact ? std::clamp<Index>(samples / 2, 384, 2048) : 128;
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
      place_(p_, -1),
      residual_(n_),
      residuals_(n_, settings.longest_block),
      block_length_(settings.longest_block) {
  take_response();
  for (Index i = 0; i < n_; ++i) response_square_ += problem_.weights[i] * y_[i] * y_[i];
  if (!working_.is_exact()) response_square_ = typical_logit_variance;
}

void MeanFieldPath::take_response() {
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
  // As many features as rows, explaining all of the response, have this mean square. A narrower slab is no slab:
  // nothing in it could be told from the spike, and inclusion would mean nothing.
  double typical = 0;
  for (const double chi : problem_.curvature) typical += chi / static_cast<double>(p_);
  field_.set_least_variances(1e-13 * response_square_,
                             response_square_ / (problem_.samples * (typical > 0 ? typical : 1)));
  rebuild_residual();
  update_working_set_correlations();
  if (!working_.is_exact()) {
    go_to_null();
    null_deviance_ = working_.deviance(predictor(), given_weights_);
  }
  record_point(/*awaits_check=*/true);
}

// The view at the model without features keeps its intercept: bound and likelihood have the same slope there.
void MeanFieldPath::go_to_null() {
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

// A new quadratic view of the likelihood, at the present field and the best intercept for it.
void MeanFieldPath::update_weights() {
  move_residual();
  std::vector<double> weighted(n_);
  weigh_residual(weighted);
  update_working_response();
}

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
  take_response();
  const std::span<const double> response = working_.response();
  for (Index i = 0; i < n_; ++i) residual_[i] = response[i] - eta[i];
  field_.update_weights();
  update_working_set_correlations();
}

// Into the state of a point; the background is the caller's to set before.
void MeanFieldPath::go_to(const MeanFieldPoint& point) {
  set_members(point);
  rebuild_residual();
  if (working_.is_exact()) return update_working_set_correlations();
  // The view belonged to another state: the residual of this one, intercept and all, is what the new view is taken at.
  for (double& r : residual_) r += intercept_ - point.intercept;
  intercept_ = point.intercept;
  update_working_response();
}

// Coefficients changed since the residual was formed.
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

void MeanFieldPath::rebuild_residual() {
  residual_ = y_;
  intercept_ = y_mean_;
  std::ranges::fill(in_residual_, 0.0);
  for (Index i = 0; i < std::ssize(remainder_.fit); ++i) residual_[i] -= remainder_.fit[i];
  move_residual();
}

// Centers the residual; its weighted copy, and its square.
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

// The present state joins the block. One that awaits a check leaves its residual, and the background's part of its free
// energy comes with the check; another is as good as the background that it was solved with.
void MeanFieldPath::record_point(bool awaits_check) {
  move_residual();
  std::vector<double> unused(awaits_check ? 0 : n_);
  weigh_residual(awaits_check ? residuals_.column(pending()) : std::span<double>(unused));
  MeanFieldPoint& point = block_.emplace_back(present_point());
  measure_errors(point);
  if (awaits_check) {
    point.free_energy = field_.free_energy(hyper_, {});
    used_.push_back(remainder_);
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

// Room for `needed` newcomers, and for `wanted` if that costs nobody who matters: first those leave who do not; if that
// is not enough for the needed, the least probable go back to the background. Returns how many stay.
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
  for (const Index j : field_.features()) place_[j] = -1;
  for (Index l = 0; l < std::ssize(places); ++l) {
    place_[field_.features()[places[l]]] = static_cast<std::int32_t>(l);
    in_residual_[l] = in_residual_[places[l]];
  }
  in_residual_.resize(places.size());
  field_.keep(places);
}

void MeanFieldPath::admit(std::span<const Index> features, std::span<const double> correlations) {
  for (Index k = 0; k < std::ssize(features); ++k) {
    place_[features[k]] = static_cast<std::int32_t>(field_.size() + static_cast<Index>(k));
  }
  field_.append(features, correlations);
  in_residual_.resize(field_.size(), 0.0);
}

void MeanFieldPath::set_members(const MeanFieldPoint& point) {
  std::vector<Index> absent;
  for (const Index j : point.features) {
    if (place_[j] < 0) absent.push_back(j);
  }
  if (field_.size() + std::ssize(absent) > field_.capacity()) {
    std::vector<Index> kept;
    for (const Index j : point.features) {
      if (place_[j] >= 0) kept.push_back(place_[j]);
    }
    std::ranges::sort(kept);
    keep(kept);
  }
  admit(absent, std::vector<double>(absent.size(), 0.0));
  field_.clear();
  for (Index s = 0; s < std::ssize(point.features); ++s) {
    field_.set_member(place_[point.features[s]], point.logits[s], point.means[s], point.variances[s]);
  }
  hyper_ = point.hyper;
}

void MeanFieldPath::restart(const MeanFieldPoint& from) {
  points_.clear();
  interpolates_ = collapse_ahead_ = false;
  block_length_ = settings_.longest_block;
  rejections_ = 0;
  remainder_ = {};
  foreseen_.clear();
  last_movement_.clear();
  go_to(from);
}

FeaturePosteriors MeanFieldPath::state() const {
  FeaturePosteriors state = all_;
  if (state.logits.empty()) state = {std::vector<double>(p_, -1e3), std::vector<double>(p_), std::vector<double>(p_)};
  for (Index k = 0; k < field_.size(); ++k) {
    const auto j = (field_.features()[k]);
    state.logits[j] = field_.logits()[k];
    state.means[j] = field_.means()[k];
    state.variances[j] = field_.variances()[k];
  }
  return state;
}

}  // namespace tamis
