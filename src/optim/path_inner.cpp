// PathFollower's solver on the working set: proximal Newton around coordinate descent.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "optim/path_follower.hpp"

namespace tamis {

void PathFollower::evaluate() {
  problem_.likelihood.derivatives(problem_.y, eta_, residual_, curvature_);
  for (std::size_t i = 0; i < eta_.size(); ++i) {
    residual_[i] *= problem_.weights[i];
    curvature_[i] *= problem_.weights[i];
  }
  loss_ = problem_.likelihood.total_loss(problem_.y, eta_, problem_.weights);
  gradient_is_current_ = false;
}

double PathFollower::objective_at(double penalty) const {
  double total = loss_;
  for (std::size_t w = 0; w < working_.size(); ++w) {
    if (b_[w] != 0) total += penalty_term(strength(working_[w], penalty), problem_.l1_ratio, b_[w]);
  }
  return total;
}

void PathFollower::take_gradient() {
  problem_.X.transpose_multiply(Columns(working_), std::span<const double>(residual_), std::span<double>(g_));
  gradient_is_current_ = true;
}

void PathFollower::refresh_hessian() {
  if (columns_mode_) {
    columns_.reset(curvature_, problem_.intercept);
    return;
  }
  gram_.reset(curvature_, problem_.intercept);
  gram_.append(problem_.X, working_, working_);
  hessian_is_fresh_ = true;
}

void PathFollower::add_to_working_set(std::span<const Index> added, std::span<const double> correlations) {
  for (std::size_t a = 0; a < added.size(); ++a) {
    place_[static_cast<std::size_t>(added[a])] = static_cast<std::int32_t>(working_.size());
    working_.push_back(added[a]);
    b_.push_back(0);
    g_.push_back(correlations[a]);
  }
  if (columns_mode_) {
    columns_.append(problem_.X, added);
  } else if (static_cast<Index>(working_.size()) <= gram_limit_) {
    gram_.append(problem_.X, working_, added);
  } else {
    columns_mode_ = true;
    gram_ = GramModel();
    columns_.reset(curvature_, problem_.intercept);
    columns_.append(problem_.X, working_);
  }
}

// A path point is a stepping stone. Where few features are in, exactness costs nothing; where hundreds are, the last
// digits cost most of the time, so there the tolerance grows with the square of their number.
double PathFollower::tolerance_here() const {
  const double k = static_cast<double>(working_.size()) / 500;
  return std::max(settings_.tolerance, settings_.dense_tolerance * std::min(1.0, k * k));
}

void PathFollower::set_penalty(double penalty, double tolerance) {
  const std::size_t size = working_.size();
  penalty_.l1.resize(size);
  penalty_.l2.resize(size);
  penalty_.slack.resize(size);
  for (std::size_t w = 0; w < size; ++w) {
    const double f = strength(working_[w], penalty);
    penalty_.l1[w] = f * problem_.l1_ratio;
    penalty_.l2[w] = f * (1 - problem_.l1_ratio);
    penalty_.slack[w] = tolerance * problem_.l1_ratio * (f > 0 ? f : penalty);
  }
}

// Distance of feature j's subgradient from zero, in units of its threshold.
double PathFollower::distance_from_optimal(Index j, double b, double correlation, double penalty) const {
  const double f = strength(j, penalty);
  if (std::isinf(f)) return 0;
  const double l1 = f * problem_.l1_ratio;
  const double pull = correlation - f * (1 - problem_.l1_ratio) * b;
  const double distance = b != 0 ? std::abs(pull - std::copysign(l1, b))
                                 : std::max(0.0, (problem_.nonnegative ? pull : std::abs(pull)) - l1);
  return distance / (problem_.l1_ratio * (f > 0 ? f : penalty));
}

double PathFollower::working_violation(double penalty) const {
  double largest = 0;
  for (std::size_t w = 0; w < working_.size(); ++w) {
    largest = std::max(largest, distance_from_optimal(working_[w], b_[w], g_[w], penalty));
  }
  if (problem_.intercept) {
    const double sum = std::accumulate(residual_.begin(), residual_.end(), 0.0);
    largest = std::max(largest, std::abs(sum) / (problem_.l1_ratio * penalty));
  }
  return largest;
}

// Takes the step in step_ (with changed_, changed_by_): predictors, intercept, loss and derivatives follow.
void PathFollower::apply_step() {
  std::ranges::fill(change_, 0.0);
  problem_.X.multiply_add(Columns(changed_), std::span<const double>(changed_by_), std::span<double>(change_));
  last_intercept_step_ = 0;
  if (problem_.intercept) {
    const std::span<const double> h = columns_mode_ ? std::span<const double>(curvature_) : gram_.curvature();
    double left = 0, total = 0;
    for (std::size_t i = 0; i < change_.size(); ++i) {
      left += residual_[i] - h[i] * change_[i];
      total += h[i];
    }
    last_intercept_step_ = total > 0 ? left / total : 0.0;
    intercept_ += last_intercept_step_;
    for (double& c : change_) c += last_intercept_step_;
  }
  for (std::size_t i = 0; i < eta_.size(); ++i) eta_[i] += change_[i];
  evaluate();
}

void PathFollower::list_changes() {
  changed_.clear();
  changed_by_.clear();
  for (std::size_t w = 0; w < step_.size(); ++w) {
    if (step_[w] == 0) continue;
    changed_.push_back(working_[w]);
    changed_by_.push_back(step_[w]);
  }
}

// Along a lasso path coefficients are piecewise linear in the penalty: continue the line through the last two points,
// without letting a coefficient cross zero, and coordinate descent has only the bends left to find.
void PathFollower::extrapolate(double penalty) {
  const double run = last_penalty_ - earlier_penalty_;
  if (earlier_.empty() || run == 0 || penalty >= last_penalty_) return;
  const double ratio = (penalty - last_penalty_) / run;
  const double before = objective_at(penalty);
  step_.assign(b_.size(), 0.0);
  for (std::size_t w = 0; w < earlier_.size(); ++w) {
    if (b_[w] == 0 || earlier_[w] == 0) continue;
    step_[w] = ratio * (b_[w] - earlier_[w]);
    if ((b_[w] + step_[w]) * b_[w] < 0) step_[w] = -b_[w];
  }
  list_changes();
  for (std::size_t w = 0; w < step_.size(); ++w) b_[w] += step_[w];
  const bool keep = problem_.likelihood.is_quadratic() && !columns_mode_ && gradient_is_current_;
  if (keep) gram_.move(step_, g_);
  apply_step();
  gradient_is_current_ = keep;
  if (!problem_.likelihood.is_quadratic()) ensure_descent(penalty, before);
}

// One quadratic model and its minimiser. Returns false when no decrease of the objective can be found.
bool PathFollower::newton_step(double penalty, double violation, double tolerance) {
  const bool quadratic = problem_.likelihood.is_quadratic();
  // An inexact model needs no exact minimiser: a tenth of the present violation is enough.
  set_penalty(penalty, quadratic ? 0.5 * tolerance : std::max(0.5 * tolerance, 0.1 * violation));
  const double before = objective_at(penalty);
  step_.assign(b_.begin(), b_.end());
  if (columns_mode_) {
    columns_.reset(curvature_, problem_.intercept);
    sweeps_ += columns_.descend(b_, residual_, penalty_, settings_.max_sweeps).sweeps;
  } else {
    if (problem_.intercept) {
      const double sum = std::accumulate(residual_.begin(), residual_.end(), 0.0);
      for (std::size_t w = 0; w < g_.size(); ++w) g_[w] -= gram_.column_sums()[w] * sum / gram_.total_curvature();
    }
    sweeps_ += gram_.descend(b_, g_, penalty_, settings_.max_sweeps).sweeps;
  }
  for (std::size_t w = 0; w < b_.size(); ++w) step_[w] = b_[w] - step_[w];
  list_changes();
  apply_step();
  if (!quadratic) return ensure_descent(penalty, before);
  gradient_is_current_ = !columns_mode_;
  return std::isfinite(loss_);
}

// Halves the last step until the objective does not rise; the Hessian that misled us is renewed.
bool PathFollower::ensure_descent(double penalty, double before) {
  const double allowed = before + 1e-13 * std::abs(before) + 1e-300;
  double taken = 1;
  while (!(objective_at(penalty) <= allowed)) {
    if (taken < 1e-6) return false;
    const double back = 0.5 * taken;
    taken -= back;
    for (std::size_t w = 0; w < b_.size(); ++w) b_[w] -= back * step_[w];
    if (problem_.intercept) intercept_ -= back * last_intercept_step_;
    for (std::size_t i = 0; i < eta_.size(); ++i) eta_[i] -= back * change_[i];
    evaluate();
  }
  if (taken < 1 && !columns_mode_) refresh_hessian();
  return true;
}

bool PathFollower::solve_working_set(double penalty) {
  double previous = std::numeric_limits<double>::infinity();
  for (Index step = 0; step < settings_.max_newton; ++step) {
    if (!gradient_is_current_) take_gradient();
    const double violation = working_violation(penalty);
    const double tolerance = tolerance_here();
    if (violation <= tolerance) return true;
    // A stale Hessian that contracts too slowly is renewed: it costs one Gram matrix, a step only two products.
    if (!problem_.likelihood.is_quadratic() && !columns_mode_ && !hessian_is_fresh_ && violation > 0.3 * previous) {
      refresh_hessian();
    }
    previous = violation;
    if (!newton_step(penalty, violation, tolerance)) return violation <= 10 * tolerance;
    hessian_is_fresh_ = false;
  }
  return false;
}

std::vector<Index> PathFollower::violating_candidates(double penalty, std::vector<double>& correlations) {
  std::erase_if(candidates_, [&](Index j) { return place_[static_cast<std::size_t>(j)] >= 0; });
  std::vector<double> c(candidates_.size());
  problem_.X.transpose_multiply(Columns(candidates_), std::span<const double>(residual_), std::span<double>(c));
  std::vector<Index> added;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const double size = problem_.nonnegative ? c[k] : std::abs(c[k]);
    if (size <= strength(candidates_[k], penalty) * problem_.l1_ratio * (1 + tolerance_here())) continue;
    added.push_back(candidates_[k]);
    correlations.push_back(c[k]);
  }
  return added;
}

bool PathFollower::solve_penalty(double penalty) {
  const std::vector<double> here = b_;
  extrapolate(penalty);
  earlier_ = here;
  earlier_penalty_ = last_penalty_;
  last_penalty_ = penalty;
  while (true) {
    if (!solve_working_set(penalty)) return false;
    std::vector<double> correlations;
    const std::vector<Index> added = violating_candidates(penalty, correlations);
    if (added.empty()) return true;
    add_to_working_set(added, correlations);
  }
}

}  // namespace tamis
