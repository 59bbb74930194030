// Majorization-minimization for the mode under point-mass spikes (Yen 2011).
//
// Model      minimize F(b, b0) = sum_i w_i loss_i / noise + |b|^2 / (2 slab) + cost * (number of nonzero b_j); the
//            count is replaced by sum_j log(1 + |b_j| / w) / log(1 + 1 / width)
// Algorithm  a round: the logarithm is majorized by its tangent in |b_j|, the loss by its quadratic bound at the
//            present predictor; coordinate descent on that weighted lasso with a ridge. Neither step raises F.
// Features   in play are those of the start and those that violate the conditions at 0 when a round has settled; a
//            coefficient that has become 0 stays there unless the loss pulls harder than the slope at 0
// Certificate the largest distance of a subgradient of F from 0 over all features and the intercept. F is not convex:
//            another start may find a lower value.
// Paper      Yen (2011), Annals of Statistics 39(3)
#include "method/mm/point_mass_mode.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/kernels.hpp"

namespace tamis {
namespace {

constexpr int most_rounds = 5000;   // of majorization
constexpr int most_sweeps = 10;     // of coordinate descent in one round: each lowers the majorant
constexpr double small_step = 0.1;  // of the tolerance: a sweep that moves no gradient by more ends its round

// The problem on the features in play, dense: only the support of the start and what the gradient adds.
class Majorized {
 public:
  Majorized(const ScaledProblem& scaled, const PointMassPrior& prior, std::vector<double> b, double tolerance)
      : scaled_(scaled), prior_(prior), tolerance_(tolerance), n_(scaled.rows()) {
    mode_.b = std::move(b);
    bring_in([&](Index j) { return mode_.b[j] != 0; });
    update_fit();
  }

  PointMassMode run(Observer* observer);

 private:
  double slope_at_zero() const { return count_slope(prior_, 0); }
  double objective() const;
  void update_fit();
  void majorize();
  double sweep();
  double move_intercept();
  double intercept_violation(double sum, double total) const;
  double move(Index k);
  double violation_in_play() const;
  double violation_outside();
  double violation_of(Index j, double along) const;

  template <class Wanted>
  bool bring_in(const Wanted& wanted) {
    std::vector<Index> columns;
    const std::size_t before = play_.size();
    for (Index j = 0; j < scaled_.features(); ++j) {
      if (wanted(j) && !std::ranges::binary_search(play_.begin(), play_.begin() + before, j)) play_.push_back(j);
    }
    if (play_.size() == before) return false;
    std::ranges::sort(play_);
    for (const Index j : play_) columns.push_back(scaled_.kept()[j]);
    X_ = Matrix(n_, std::ssize(play_));
    scaled_.X().gather(Columns(columns), X_);
    return true;
  }

  const ScaledProblem& scaled_;
  const PointMassPrior& prior_;
  double tolerance_;
  Index n_;
  PointMassMode mode_;
  std::vector<Index> play_;  // rising
  Matrix X_;
  // Of the majorant: precision of each row, what it pulls at the present coefficients; slope and square of each
  // feature.
  std::vector<double> curvature_, pull_, slope_, square_;
};

void Majorized::update_fit() {
  mode_.fit.assign(n_, mode_.intercept);
  for (Index k = 0; k < std::ssize(play_); ++k) {
    const double b = mode_.b[play_[k]];
    for (Index i = 0; i < n_ && b != 0; ++i) mode_.fit[i] += b * X_(i, k);
  }
}

double Majorized::objective() const {
  std::vector<double> eta(mode_.fit);
  for (Index i = 0; i < std::ssize(scaled_.offset()); ++i) eta[i] += scaled_.offset()[i];
  double sum = scaled_.family().total_loss(scaled_.response(), eta, scaled_.weights()) / prior_.noise_variance;
  for (const double b : mode_.b) sum += 0.5 * b * b / prior_.slab_variance + count_penalty(prior_, b);
  return sum;
}

// Rows as gaussian data that touch the loss at the present predictor, and the tangent of the logarithm.
void Majorized::majorize() {
  std::vector<double> eta(mode_.fit), working(n_);
  for (Index i = 0; i < std::ssize(scaled_.offset()); ++i) eta[i] += scaled_.offset()[i];
  curvature_.resize(n_);
  pull_.resize(n_);
  scaled_.family().quadratic(scaled_.response(), eta, {}, curvature_, working);
  for (Index i = 0; i < n_; ++i) {
    curvature_[i] *= scaled_.weights()[i] / prior_.noise_variance;
    pull_[i] = curvature_[i] * (working[i] - eta[i]);
  }
  slope_.clear();
  square_.clear();
  std::vector<double> weighted(n_);
  for (Index k = 0; k < std::ssize(play_); ++k) {
    for (Index i = 0; i < n_; ++i) weighted[i] = curvature_[i] * X_(i, k);
    slope_.push_back(count_slope(prior_, mode_.b[play_[k]]));
    square_.push_back(kernels().dot(X_.col(k), weighted.data(), n_) + 1 / prior_.slab_variance);
  }
}

double Majorized::move_intercept() {
  if (!scaled_.has_intercept()) return 0;
  const double total = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  const double sum = std::accumulate(pull_.begin(), pull_.end(), 0.0);
  mode_.intercept += sum / total;
  for (Index i = 0; i < n_; ++i) pull_[i] -= curvature_[i] * sum / total;
  return intercept_violation(sum, total);
}

// In units of the slope at 0, as of a column of usual size; but under a large cost any intercept would do, so that its
// Newton step in units of the noise counts too.
double Majorized::intercept_violation(double sum, double total) const {
  const double of_slope = std::sqrt(scaled_.mean_curvature()) / slope_at_zero();
  return std::abs(sum) * std::max(of_slope, 1 / std::sqrt(total * static_cast<double>(n_)));
}

// Soft threshold of one coordinate; returns how far its gradient moved.
double Majorized::move(Index k) {
  double& b = mode_.b[play_[k]];
  const double along = kernels().dot(X_.col(k), pull_.data(), n_) + (square_[k] - 1 / prior_.slab_variance) * b;
  const double next = std::copysign(std::max(0.0, std::abs(along) - slope_[k]), along) / square_[k];
  if (next == b) return 0;
  kernels().add_weighted(b - next, curvature_.data(), X_.col(k), n_, pull_.data());
  const double moved = square_[k] * std::abs(next - b);
  b = next;
  return moved;
}

// Of coefficients in units of the slope at 0.
double Majorized::sweep() {
  const double moved_intercept = move_intercept();
  double moved = 0;
  for (Index k = 0; k < std::ssize(play_); ++k) moved = std::max(moved, move(k));
  return std::max(moved_intercept, moved / slope_at_zero());
}

// Distance of the subgradient by b_j from 0, where the loss pulls by `along`.
double Majorized::violation_of(Index j, double along) const {
  const double b = mode_.b[j], left = along - b / prior_.slab_variance;
  const double distance = b == 0 ? std::max(0.0, std::abs(left) - slope_at_zero())
                                 : std::abs(left - std::copysign(count_slope(prior_, b), b));
  return distance / slope_at_zero();
}

// pull_ is the gradient of the loss itself right after majorize().
double Majorized::violation_in_play() const {
  double largest = 0;
  if (scaled_.has_intercept()) {
    largest = intercept_violation(std::accumulate(pull_.begin(), pull_.end(), 0.0),
                                  std::accumulate(curvature_.begin(), curvature_.end(), 0.0));
  }
  for (Index k = 0; k < std::ssize(play_); ++k) {
    largest = std::max(largest, violation_of(play_[k], kernels().dot(X_.col(k), pull_.data(), n_)));
  }
  return largest;
}

// Of the features out of play; those beyond the tolerance come into play.
double Majorized::violation_outside() {
  std::vector<double> along(scaled_.features());
  scaled_.X().transpose_multiply(scaled_.kept(), std::span<const double>(pull_), std::span(along));
  double largest = 0;
  const std::vector<Index> played = play_;
  const auto outside = [&](Index j) { return !std::ranges::binary_search(played, j); };
  for (Index j = 0; j < scaled_.features(); ++j) {
    if (outside(j)) largest = std::max(largest, violation_of(j, along[j]));
  }
  if (largest > tolerance_) bring_in([&](Index j) { return outside(j) && violation_of(j, along[j]) > tolerance_; });
  return largest;
}

PointMassMode Majorized::run(Observer* observer) {
  for (Index round = 0; round < most_rounds; ++round) {
    majorize();
    mode_.violation = violation_in_play();
    mode_.objective = objective();
    const double before = mode_.trace.empty() ? mode_.objective : mode_.trace.back().objective;
    const Index active = std::ranges::count_if(mode_.b, [](double b) { return b != 0; });
    mode_.trace.push_back({round + 1, mode_.objective, before - mode_.objective, active, mode_.violation});
    mode_.cancelled = observer != nullptr && observer->cancelled();
    if (mode_.cancelled) break;
    if (mode_.violation <= tolerance_) {
      mode_.violation = std::max(mode_.violation, violation_outside());
      mode_.converged = mode_.violation <= tolerance_;
      mode_.trace.back().certificate = mode_.violation;
      if (mode_.converged) break;
      majorize();  // of the features that came
    }
    for (int k = 0; k < most_sweeps; ++k) {
      if (sweep() <= small_step * tolerance_) break;
    }
    update_fit();
  }
  return std::move(mode_);
}

}  // namespace

double count_penalty(const PointMassPrior& prior, double b) {
  const double width = prior.width * std::sqrt(prior.slab_variance);
  return prior.cost * std::log1p(std::abs(b) / width) / std::log1p(1 / prior.width);
}

double count_slope(const PointMassPrior& prior, double b) {
  const double width = prior.width * std::sqrt(prior.slab_variance);
  return prior.cost / (std::log1p(1 / prior.width) * (width + std::abs(b)));
}

PointMassMode point_mass_mode(const ScaledProblem& scaled, const PointMassPrior& prior, std::vector<double> b,
                              double tolerance, Observer* observer) {
  return Majorized(scaled, prior, std::move(b), tolerance).run(observer);
}

}  // namespace tamis
