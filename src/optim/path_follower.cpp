// Blocks, checks and certificates; the solver on the working set is in path_inner.cpp.
#include "optim/path_follower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamis/base/parallel.hpp"

namespace tamis {

PathFollower::PathFollower(PenalisedLoss problem, FollowSettings settings)
    : Follower(std::move(problem), settings),
      n_(problem_.X.rows()),
      p_(problem_.X.cols()),
      place_(static_cast<std::size_t>(p_), -1),
      eta_(static_cast<std::size_t>(n_)),
      residual_(static_cast<std::size_t>(n_)),
      curvature_(static_cast<std::size_t>(n_)),
      change_(static_cast<std::size_t>(n_)),
      residuals_(n_, (settings_.longest_block + settings_.check_every - 1) / settings_.check_every),
      correlation_(static_cast<std::size_t>(p_)),
      slope_(static_cast<std::size_t>(p_)) {
  // A Gram step costs the size of the working set, a column step some multiple of the stored entries.
  const double stored = problem_.X.stored_per_column();
  const double by_memory = std::sqrt(4 * settings_.gram_share * stored * static_cast<double>(p_));
  gram_limit_ = static_cast<Index>(std::max(64.0, std::min(by_memory, 8 * stored)));
  gram_limit_ = std::min(gram_limit_, p_);
  gram_ = GramModel(gram_limit_);
  penalty_.nonnegative = problem_.nonnegative;
}

void PathFollower::store_point(double penalty) {
  update_predictor();
  PenalisedSolution& point = block_.emplace_back();
  point.penalty = penalty;
  point.intercept = intercept_;
  point.loss = loss_;
  point.objective = objective_at(penalty);
  point.gap = point.violation = std::numeric_limits<double>::quiet_NaN();  // until it is certified
  const auto active = static_cast<std::size_t>(std::ranges::count_if(b_, [](double b) { return b != 0; }));
  point.support.reserve(active);
  point.values.reserve(active);
  for (std::size_t w = 0; w < working_.size(); ++w) {
    if (b_[w] == 0) continue;
    point.support.push_back(static_cast<std::int32_t>(working_[w]));
    point.values.push_back(b_[w]);
  }
  for (std::size_t i = 0; i < problem_.judged.size(); ++i) {
    if (problem_.judged[i] > 0)
      point.held_out += problem_.judged[i] * problem_.likelihood.deviance(problem_.y[i], eta_[i]);
  }
}

// The point stored last is among those that the next pass checks.
void PathFollower::await_check() {
  std::ranges::copy(residual_, residuals_.col(pending()));
  checked_.push_back(block_.size() - 1);
}

const PenalisedSolution& PathFollower::checked_point(Index k) const {
  return block_[checked_[static_cast<std::size_t>(k)]];
}

void PathFollower::set_coefficients(const PenalisedSolution& point) {
  std::vector<Index> absent;
  std::ranges::fill(b_, 0.0);
  // Those that are members take their values first: adding the others may drop members whose coefficient is 0.
  for (std::size_t s = 0; s < point.support.size(); ++s) {
    const std::int32_t place = place_[static_cast<std::size_t>(point.support[s])];
    if (place >= 0) b_[static_cast<std::size_t>(place)] = point.values[s];
    if (place < 0) absent.push_back(point.support[s]);
  }
  add_to_working_set(absent, std::vector<double>(absent.size(), 0.0));
  for (std::size_t s = 0; s < point.support.size(); ++s) {
    b_[static_cast<std::size_t>(place_[static_cast<std::size_t>(point.support[s])])] = point.values[s];
  }
  b_of_eta_ = b_;
  intercept_ = point.intercept;
}

// Coefficients and, from scratch, the predictors that belong to them.
void PathFollower::set_state(const PenalisedSolution& point) {
  set_coefficients(point);
  std::ranges::fill(eta_, intercept_);
  for (std::size_t i = 0; i < problem_.offset.size(); ++i) eta_[i] += problem_.offset[i];
  const std::vector<Index> support = columns_of(point);
  problem_.X.multiply_add(Columns(support), std::span<const double>(point.values), std::span<double>(eta_));
  evaluate();
}

void PathFollower::restart(const PenalisedSolution& from) {
  solutions_.clear();
  set_state(from);
  block_length_ = 1;
  earlier_.clear();
  last_penalty_ = from.penalty;
  failed_ = false;
}

void PathFollower::start() {
  if (!problem_.offset.empty()) std::ranges::copy(problem_.offset, eta_.begin());
  double mean = 0;
  for (Index i = 0; i < n_; ++i)
    mean += problem_.weights[static_cast<std::size_t>(i)] * problem_.y[static_cast<std::size_t>(i)];
  if (problem_.intercept && problem_.offset.empty()) {
    intercept_ = problem_.likelihood.link(mean);
    std::ranges::fill(eta_, intercept_);
  }
  evaluate();
  std::vector<Index> free_features;
  for (Index j = 0; j < p_ && !problem_.factors.empty(); ++j) {
    if (problem_.factor(j) == 0) free_features.push_back(j);
  }
  refresh_hessian();
  if (problem_.likelihood.is_quadratic()) update_predictor();
  if (!free_features.empty()) {
    std::vector<double> correlations(free_features.size());
    problem_.X.transpose_multiply(Columns(free_features), std::span<const double>(residual_),
                                  std::span<double>(correlations));
    add_to_working_set(free_features, correlations);
  }
  failed_ = !solve_working_set(null_gradient_unit() / problem_.l1_ratio);
  null_loss_ = loss_ - saturated_loss(problem_.likelihood, problem_.y, problem_.weights);
  store_point(0);
  await_check();
  max_ratio_.assign(1, 0.0);
  dual_ridge_.assign(1, 0.0);
  working_correlations_ = Matrix(static_cast<Index>(working_.size()), 1);
}

// What a small gradient is where there is no penalty to compare with: the size of the residual, times the spread of the
// smallest unpenalised column; and never below the rounding error of the predictor.
double PathFollower::null_gradient_unit() const {
  double residual = 0, predictor = 0, spread = 1;
  for (Index i = 0; i < n_; ++i) {
    const auto s = static_cast<std::size_t>(i);
    residual += std::abs(residual_[s]);
    predictor = std::max(predictor, std::abs(eta_[s]));
  }
  for (Index k = 0; k < gram_.size(); ++k) {
    if (gram_.diagonal(k) > 0) spread = std::min(spread, std::sqrt(gram_.diagonal(k)));
  }
  const double unit = spread * std::max(residual, 1e-9 * predictor);
  return unit > 0 ? unit : 1.0;
}

// Features whose correlation, continued along its slope, comes near the penalty by the end of the block.
void PathFollower::choose_candidates(double from, double to) {
  candidates_.clear();
  candidates_are_measured_ = false;
  const auto near = static_cast<float>((1 - margin_) * problem_.l1_ratio);
  const auto move_from = static_cast<float>(from - correlation_penalty_);
  const auto move_to = static_cast<float>(to - correlation_penalty_);
  const float bar_from = near * static_cast<float>(from), bar_to = near * static_cast<float>(to);
  constexpr Index stretch = 64;  // marked without branches; few have anybody
  for (Index first = 0; first < p_; first += stretch) {
    const Index count = std::min(stretch, p_ - first);
    bool comes_near[stretch], any = false;
    for (Index k = 0; k < count; ++k) {
      const auto s = static_cast<std::size_t>(first + k);
      const float factor = problem_.factors.empty() ? 1.0F : static_cast<float>(problem_.factors[s]);
      const float here = correlation_[s] + slope_[s] * move_from, there = correlation_[s] + slope_[s] * move_to;
      const float most_here = problem_.nonnegative ? here : std::abs(here);
      const float most_there = problem_.nonnegative ? there : std::abs(there);
      comes_near[k] = (most_here >= bar_from * factor) | (most_there >= bar_to * factor);
      any |= comes_near[k];
    }
    for (Index k = 0; k < count && any; ++k) {
      const auto s = static_cast<std::size_t>(first + k);
      if (!comes_near[k] || place_[s] >= 0) continue;
      candidates_.push_back(
          {.feature = first + k, .penalty = correlation_penalty_, .correlation = correlation_[s], .slope = slope_[s]});
    }
  }
}

// Features that came and went are dropped when the Gram matrix would outgrow its memory; candidates bring back those
// that are still near the penalty.
void PathFollower::trim_working_set(double penalty, double near) {
  if (columns_mode_) return;
  // Points that await their check still refer to their features.
  std::vector<bool> in_use(working_.size(), false);
  for (const PenalisedSolution& point : block_) {
    for (const std::int32_t j : point.support) {
      in_use[static_cast<std::size_t>(place_[static_cast<std::size_t>(j)])] = true;
    }
  }
  std::vector<std::int32_t> kept;
  for (std::size_t w = 0; w < working_.size(); ++w) {
    const double f = strength(working_[w], penalty);
    const bool far = b_[w] == 0 && !in_use[w] && std::abs(g_[w]) < near * f * problem_.l1_ratio;
    place_[static_cast<std::size_t>(working_[w])] = far ? -1 : static_cast<std::int32_t>(kept.size());
    if (!far) kept.push_back(static_cast<std::int32_t>(w));
  }
  earlier_.resize(working_.size(), 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const auto w = static_cast<std::size_t>(kept[k]);
    working_[k] = working_[w];
    b_[k] = b_[w];
    b_of_eta_[k] = b_of_eta_[w];
    g_[k] = g_[w];
    earlier_[k] = earlier_[w];
  }
  working_.resize(kept.size());
  b_.resize(kept.size());
  b_of_eta_.resize(kept.size());
  g_.resize(kept.size());
  earlier_.resize(kept.size());
  gram_.keep(kept);
}

void PathFollower::solve_block(std::span<const double> grid) {
  const Index first = accepted();
  const Index count = std::min({block_length_, settings_.longest_block, static_cast<Index>(grid.size()) - first});
  if (count <= 0) return;
  if (static_cast<Index>(working_.size()) > gram_limit_ * 3 / 4) {
    trim_working_set(grid[static_cast<std::size_t>(first)], 0.95);
  }
  choose_candidates(grid[static_cast<std::size_t>(first)], grid[static_cast<std::size_t>(first + count - 1)]);
  for (Index k = 0; k < count && !failed_; ++k) {
    const double penalty = grid[static_cast<std::size_t>(first + k)];
    next_penalty_ = grid[static_cast<std::size_t>(std::min(first + k + 1, first + count - 1))];
    failed_ = !solve_penalty(penalty);
    store_point(penalty);
    if (failed_ || (count - 1 - k) % settings_.check_every == 0) await_check();
  }
  max_ratio_.assign(checked_.size(), 0.0);
  outside_ratio_.assign(checked_.size(), 0.0);
  dual_ridge_.assign(checked_.size(), 0.0);
  working_correlations_ = Matrix(static_cast<Index>(working_.size()), pending());
}

void PathFollower::check(Index first, ConstMatrixView c) {
  const Index points = pending();
  for (Index k = 0; k < points; ++k) {
    const double penalty = checked_point(k).penalty;
    const double bar = penalty * (1 + tolerance_here());
    double largest = max_ratio_[static_cast<std::size_t>(k)];
    for (Index r = 0; r < c.rows; ++r) {
      const Index j = first + r;
      const double factor = problem_.factor(j) * problem_.l1_ratio;
      const double size = problem_.nonnegative ? std::max(0.0, c(r, k)) : std::abs(c(r, k));
      if (size == 0 || factor == 0) continue;
      const double ratio = size / factor;
      largest = std::max(largest, ratio);
      if (!started_ || ratio <= penalty) continue;
      const bool outside = place_[static_cast<std::size_t>(j)] < 0;
      if (outside)
        outside_ratio_[static_cast<std::size_t>(k)] = std::max(outside_ratio_[static_cast<std::size_t>(k)], ratio);
      if (problem_.l1_ratio < 1) {
        const double excess = size - penalty * factor;
        dual_ridge_[static_cast<std::size_t>(k)] +=
            excess * excess / (2 * penalty * problem_.factor(j) * (1 - problem_.l1_ratio));
      }
      if (ratio > bar && outside) violators_.push_back({j, k, c(r, k)});
    }
    max_ratio_[static_cast<std::size_t>(k)] = largest;
  }
  for (std::size_t w = 0; w < working_.size(); ++w) {
    if (working_[w] < first || working_[w] >= first + c.rows) continue;
    for (Index k = 0; k < points; ++k) working_correlations_(static_cast<Index>(w), k) = c(working_[w] - first, k);
  }
  const double last = block_.back().penalty;
  const double before = points > 1 ? checked_point(points - 2).penalty : correlation_penalty_;
  const double run = last - before;
  // Correlations are kept in single precision: over a step this short their difference is rounding, not slope.
  const bool too_short = std::abs(run) < 1e-4 * last;
  for (Index r = 0; r < c.rows; ++r) {
    const auto j = static_cast<std::size_t>(first + r);
    const double now = c(r, points - 1);
    const double then = points > 1 ? c(r, points - 2) : correlation_[j];
    slope_[j] = too_short || !started_ ? 0.0F : static_cast<float>((now - then) / run);
    correlation_[j] = static_cast<float>(now);
  }
}

// Certificate of checked point k. The residual, scaled back into the dual's feasible set, bounds the minimum from
// below.
void PathFollower::certify(Index k) {
  PenalisedSolution& point = block_[checked_[static_cast<std::size_t>(k)]];
  const double ratio = max_ratio_[static_cast<std::size_t>(k)];
  point.violation = std::max(0.0, outside_ratio_[static_cast<std::size_t>(k)] / point.penalty - 1);
  std::vector<double> b(working_.size());
  for (std::size_t s = 0; s < point.support.size(); ++s) {
    b[static_cast<std::size_t>(place_[static_cast<std::size_t>(point.support[s])])] = point.values[s];
  }
  for (std::size_t w = 0; w < working_.size(); ++w) {
    const double correlation = working_correlations_(static_cast<Index>(w), k);
    point.violation = std::max(point.violation, distance_from_optimal(working_[w], b[w], correlation, point.penalty));
  }
  const double scale = problem_.l1_ratio < 1 ? 1.0 : std::min(1.0, point.penalty / ratio);
  const double dual =
      dual_loss(problem_, residuals_.column(k), ratio > 0 ? scale : 1.0) - dual_ridge_[static_cast<std::size_t>(k)];
  point.gap = null_loss_ > 0 ? std::max(0.0, point.objective - dual) / null_loss_ : 0.0;
}

void PathFollower::accept(PenalisedSolution& point) {
  if (settings_.keep_coefficients) {
    solutions_.push_back(std::move(point));
    return;
  }
  PenalisedSolution& kept = solutions_.emplace_back();
  kept.penalty = point.penalty;
  kept.held_out = point.held_out;
}

Index PathFollower::finish_check() {
  if (!started_) {
    started_ = true;
    largest_penalty_ = max_ratio_[0];
    correlation_penalty_ = last_penalty_ = largest_penalty_;
    block_.clear();
    checked_.clear();
    return 0;
  }
  const Index points = pending();
  Index good = points;
  for (const Violator& v : violators_) good = std::min(good, v.point);
  correlation_penalty_ = block_.back().penalty;
  // What lies between a good point and a bad one is solved again.
  const std::size_t accepted = good > 0 ? checked_[static_cast<std::size_t>(good - 1)] + 1 : 0;
  if (settings_.keep_coefficients) {
    parallel_for(good, 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) certify(k);
    });
  }
  for (std::size_t k = 0; k < accepted; ++k) accept(block_[k]);
  if (good < points) {
    last_penalty_ = checked_point(good).penalty;
    set_state(checked_point(good));
    earlier_.clear();
    for (std::size_t w = 0; w < working_.size(); ++w) g_[w] = working_correlations_(static_cast<Index>(w), good);
    std::vector<Index> added;
    std::vector<double> correlations;
    for (const Violator& v : violators_) {
      if (v.point != good) continue;
      added.push_back(v.feature);
      correlations.push_back(v.correlation);
    }
    add_to_working_set(added, correlations);
    block_length_ = std::max<Index>(1, block_length_ / 2);
    margin_ = std::min(0.5, margin_ * 1.5);
  } else {
    for (std::size_t w = 0; w < working_.size(); ++w) g_[w] = working_correlations_(static_cast<Index>(w), points - 1);
    block_length_ = std::min(settings_.longest_block, block_length_ * 2);
    margin_ = std::max(0.05, margin_ * 0.9);
  }
  gradient_is_current_ = true;
  violators_.clear();
  block_.clear();
  checked_.clear();
  return static_cast<Index>(accepted);
}

}  // namespace tamis
