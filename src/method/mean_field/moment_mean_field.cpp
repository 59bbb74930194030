// vg on tall data, from X'WX, X'Wy and y'Wy alone.
//
// The working set of MeanFieldSweep holds all features, so its optimum is the optimum: no screening, no remainder, no
// check. X is read once; the moments of a fold's training rows are those of all rows minus the held-out ones, and the
// held-out error is a quadratic form in the held-out moments. Only the latter are kept in float, one matrix per fold:
// held-out rows are the smaller part, so the rounding is relative to the smaller term of the difference.
//
// Invariant  present_ is the last solution and the only state between calls. The sweep with its p x p Gram matrix lives
//            for one call: with ten folds ten of them at once would not fit where one does.
// Note       with 20 rows per feature or more nothing interpolates, so a path never ends early here.
#include "method/mean_field/moment_mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "method/mean_field/pair_moves.hpp"

namespace tamis {
namespace {

constexpr Index max_sweeps = 500;

}  // namespace

MomentMeanField::MomentMeanField(MeanFieldProblem problem, const CrossProducts<double>& total,
                                 const CrossProducts<float>* held_out)
    : MeanFieldPathBase(std::move(problem)),
      held_out_(held_out),
      products_(total, held_out, problem_.intercept),
      features_(problem_.X.cols()) {
  std::iota(features_.begin(), features_.end(), Index{0});
  response_square_ = products_.yy;
}

void MomentMeanField::start(const MeanFieldParameters& hyper) {
  hyper_ = hyper;
  if (hyper_.learn_noise) hyper_.noise_precision = 1 / response_square_;
  const double precision = hyper_.noise_precision * problem_.samples;
  for (const Index j : features_) {
    const double chi = products_.entry(j, j);
    if (chi > 0) strongest_ = std::max(strongest_, 0.5 * precision * products_.xy[j] * products_.xy[j] / chi);
  }
  present_.hyper = hyper_;
}

// Floors of the noise and slab variances as in MeanFieldPath::start.
MeanFieldSweep MomentMeanField::make_field() const {
  MeanFieldSweep field(problem_, std::ssize(features_));
  field.assign(features_, [&](Index i, Index j) { return products_.entry(i, j); });
  field.set_least_variances(1e-13 * response_square_, response_square_ / problem_.samples);
  return field;
}

void MomentMeanField::set_state(MeanFieldSweep& field, const MeanFieldPoint& point) const {
  field.clear();
  for (Index s = 0; s < std::ssize(point.features); ++s) {
    field.set_member(point.features[s], point.logits[s], point.means[s], point.variances[s]);
  }
  field.take_products(products_.xy, products_.yy);
}

MeanFieldPoint MomentMeanField::point_of(const MeanFieldSweep& field) const {
  MeanFieldPoint point;
  point.hyper = hyper_;
  point.precision = hyper_.noise_precision * problem_.samples;
  point.free_energy = field.free_energy(hyper_, {});
  point.training_error = field.square();
  point.intercept = products_.y_mean;
  for (const Index j : features_) {
    constexpr double stored_logit = -30;
    point.intercept -= products_.x_means[j] * field.coefficients()[j];
    if (field.logits()[j] < stored_logit) continue;
    point.features.push_back(static_cast<std::int32_t>(j));
    point.logits.push_back(field.logits()[j]);
    point.means.push_back(field.means()[j]);
    point.variances.push_back(field.variances()[j]);
    point.total += field.inclusion()[j];
    point.active += field.inclusion()[j] > 0.5 ? 1 : 0;
  }
  if (held_out_ != nullptr) point.held_out = held_out_error(field.coefficients());
  return point;
}

// Mean square of y - a - x'b over the held-out rows from their moments:
//   y'y - 2 a sum(y) + a^2 weight + b'X'Xb + 2 a b'sum(x) - 2 b'X'y,
// over nonzero b only. It cancels when the fit is nearly exact, hence the bound at 0.
double MomentMeanField::held_out_error(std::span<const double> b) const {
  double intercept = products_.y_mean;
  for (Index j = 0; j < std::ssize(b); ++j) intercept -= products_.x_means[j] * b[j];
  double sum = held_out_->yy - 2 * intercept * held_out_->y_sum + intercept * intercept * held_out_->weight;
  for (const Index j : features_) {
    if (b[j] == 0) continue;
    double product = held_out_->entry(j, j) * b[j];
    for (Index i = j + 1; i < std::ssize(b); ++i) {
      if (b[i] != 0) product += 2 * held_out_->entry(i, j) * b[i];
    }
    sum += b[j] * (product + 2 * intercept * held_out_->x_sums[j] - 2 * held_out_->xy[j]);
  }
  return std::max(0.0, sum / held_out_->weight);
}

// Sweeps to convergence, pair moves, and at the end correlations and square afresh from the moments, so that the
// rounding of running updates does not pass from one prior to the next.
void MomentMeanField::solve(MeanFieldSweep& field, const SpikeSlab& prior) {
  hyper_.prior = prior;
  field.set_negligible_step(recording_ ? 0 : 1e-2 * tolerance_);
  if (recording_ && trace_.empty()) record_step(field.free_energy(hyper_, {}), 0, field.size());
  sweep_to_convergence(field, recording_);
  const auto solve_again = [&] {
    sweep_to_convergence(field, /*traces=*/false);
    return true;
  };
  const auto objective = [&] { return field.free_energy(hyper_, {}); };
  if (improve_by_pairs(field, hyper_, problem_.samples, solve_again, objective) && recording_) {
    sweep_to_convergence(field, recording_);
  }
  field.take_products(products_.xy, products_.yy);
}

void MomentMeanField::sweep_to_convergence(MeanFieldSweep& field, bool traces) {
  for (Index s = 0; s < max_sweeps; ++s) {
    const double change = field.sweep(hyper_, {}).change;
    if (traces) record_step(field.free_energy(hyper_, {}), change, field.size());
    if (change < tolerance_) break;
  }
}

void MomentMeanField::solve_point(MeanFieldSweep& field, const SpikeSlab& prior, const MeanFieldPoint* candidate) {
  solve(field, prior);
  if (candidate == nullptr || !is_better(*candidate, field.free_energy(hyper_, {}))) return;
  hyper_ = candidate->hyper;
  set_state(field, *candidate);
  solve(field, prior);
}

std::vector<MeanFieldPoint> MomentMeanField::solve_on_working_set(
    std::span<const SpikeSlab> priors, std::span<const MeanFieldPoint> warm_start_candidates) {
  std::vector<MeanFieldPoint> solved;
  MeanFieldSweep field = make_field();
  hyper_ = present_.hyper;
  set_state(field, present_);
  for (Index k = 0; k < std::ssize(priors); ++k) {
    solve_point(field, priors[k], k < std::ssize(warm_start_candidates) ? &warm_start_candidates[k] : nullptr);
    solved.push_back(point_of(field));
  }
  if (!solved.empty()) present_ = solved.back();
  hyper_ = present_.hyper;
  if (recording_ && !solved.empty()) {
    const auto copy = [](std::span<const double> v) { return std::vector<double>(v.begin(), v.end()); };
    all_ = {copy(field.logits()), copy(field.means()), copy(field.variances())};
  }
  return solved;
}

void MomentMeanField::solve_block(std::span<const SpikeSlab> priors,
                                  std::span<const MeanFieldPoint> warm_start_candidates) {
  const auto done = accepted();
  const std::vector<MeanFieldPoint> solved = solve_on_working_set(
      priors.subspan(done), warm_start_candidates.subspan(std::min(done, std::ssize(warm_start_candidates))));
  points_.insert(points_.end(), solved.begin(), solved.end());
}

void MomentMeanField::restart(const MeanFieldPoint& from) {
  present_ = from;
  hyper_ = from.hyper;
  points_.clear();
}

FeaturePosteriors MomentMeanField::state() const { return all_; }

}  // namespace tamis
