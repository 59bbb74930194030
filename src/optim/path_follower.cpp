// Blocks, checks and certificates; the solver on the working set is in path_inner.cpp.
#include "optim/path_follower.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

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
  PenalisedSolution& point = solving_->points.emplace_back();
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
  Block& block = *solving_;
  if (block.residuals.cols() == 0) {
    block.residuals = Matrix(n_, (settings_.longest_block + settings_.check_every - 1) / settings_.check_every);
  }
  std::ranges::copy(residual_, block.residuals.col(static_cast<Index>(block.checked.size())));
  block.checked.push_back(block.points.size() - 1);
}

void PathFollower::Block::prepare_check(Index members) {
  max_ratio.assign(checked.size(), 0.0);
  outside_ratio.assign(checked.size(), 0.0);
  dual_ridge.assign(checked.size(), 0.0);
  correlations = Matrix(members, static_cast<Index>(checked.size()));
}

void PathFollower::Block::clear() {
  points.clear();
  checked.clear();
  violators.clear();
  failed = false;
}

PathFollower::Members::Members(std::vector<Index> features, std::vector<double> gradient)
    : working(std::move(features)), by_feature(working.size()), g(std::move(gradient)) {
  std::iota(by_feature.begin(), by_feature.end(), 0);
  std::ranges::sort(by_feature, {}, [this](std::int32_t place) { return working[static_cast<std::size_t>(place)]; });
}

std::int32_t PathFollower::Members::place(Index j) const {
  const auto feature = [this](std::int32_t place) { return working[static_cast<std::size_t>(place)]; };
  const auto found = std::ranges::lower_bound(by_feature, j, {}, feature);
  return found != by_feature.end() && feature(*found) == j ? *found : -1;
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
  waiting_.clear();
  forget_ahead();
  candidates_ = std::vector<Candidate>();
  solving_ = &waiting_;
  looks_ahead_ = false;
  set_state(from);
  block_length_ = 1;
  missed_penalty_ = -1;
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
  waiting_.prepare_check(static_cast<Index>(working_.size()));
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
  const auto move_from = static_cast<float>(from - correlation_penalty_);
  const auto move_to = static_cast<float>(to - correlation_penalty_);
  const auto bar_from = static_cast<float>(near_penalty(correlation_penalty_, from));
  const auto bar_to = static_cast<float>(near_penalty(correlation_penalty_, to));
  // Marked without branches, 64 to a word; few words have anybody.
  std::vector<std::uint64_t> near(static_cast<std::size_t>((p_ + 63) / 64));
  std::size_t count = 0;
  for (std::size_t word = 0; word < near.size(); ++word) {
    const std::size_t first = 64 * word, size = std::min<std::size_t>(64, static_cast<std::size_t>(p_) - first);
    bool comes_near[64] = {};
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t s = first + k;
      const float factor = problem_.factors.empty() ? 1.0F : static_cast<float>(problem_.factors[s]);
      const float here = correlation_[s] + slope_[s] * move_from, there = correlation_[s] + slope_[s] * move_to;
      const float most_here = problem_.nonnegative ? here : std::abs(here);
      const float most_there = problem_.nonnegative ? there : std::abs(there);
      comes_near[k] = (most_here >= bar_from * factor) | (most_there >= bar_to * factor);
    }
    if (std::ranges::none_of(comes_near, std::identity())) continue;
    for (std::size_t k = 0; k < size; ++k) {
      near[word] |= std::uint64_t{comes_near[k] && place_[first + k] < 0} << k;
    }
    count += static_cast<std::size_t>(std::popcount(near[word]));
  }
  // Memory for the old and the new at once is not needed, nor for many where few are left.
  if (count > candidates_.capacity() || 2 * count < candidates_.capacity()) candidates_ = std::vector<Candidate>();
  candidates_.reserve(count);
  for (std::size_t word = 0; word < near.size(); ++word) {
    for (std::uint64_t left = near[word]; left != 0; left &= left - 1) {
      const std::size_t s = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
      candidates_.push_back({.feature = static_cast<std::uint32_t>(s),
                             .measured = 0,
                             .penalty = static_cast<float>(correlation_penalty_),
                             .correlation = correlation_[s],
                             .slope = slope_[s]});
    }
  }
}

// One that leaves the working set: how fast its correlation moves is unknown, so it is taken to keep its distance.
PathFollower::Candidate PathFollower::candidate_again(std::size_t w, double penalty) const {
  return {.feature = static_cast<std::uint32_t>(working_[w]),
          .measured = 0,
          .penalty = static_cast<float>(penalty),
          .correlation = static_cast<float>(g_[w]),
          .slope = static_cast<float>(g_[w] / penalty)};
}

// Features that came and went are dropped when the Gram matrix would outgrow its memory; as candidates they may return.
void PathFollower::trim_working_set(double penalty, double near) {
  if (columns_mode_) return;
  // Points that await their check still refer to their features.
  std::vector<bool> in_use(working_.size(), false);
  for (const PenalisedSolution& point : solving_->points) {
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
    if (far) candidates_.push_back(candidate_again(w, penalty));
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

// With its memory.
void PathFollower::forget_ahead() {
  ahead_ = Block();
  then_ = Members();
}

// The next `count` penalties, as far as there are any.
void PathFollower::plan(std::span<const double> grid, Index count) {
  const Index first = solved(), last = std::min(first + count, static_cast<Index>(grid.size()));
  planned_.clear();
  if (first >= last) return;
  planned_.assign(grid.begin() + first, grid.begin() + last);
  if (!looks_ahead_ && static_cast<Index>(working_.size()) > gram_limit_ * 3 / 4) {
    trim_working_set(planned_.front(), 0.95);
  }
  choose_candidates(planned_.front(), planned_.back());
}

void PathFollower::solve_planned() {
  const auto count = planned_.size();
  for (std::size_t k = 0; k < count && !solving_->failed; ++k) {
    next_penalty_ = planned_[std::min(k + 1, count - 1)];
    solving_->failed = !solve_penalty(planned_[k]);
    store_point(planned_[k]);
    if (solving_->failed || (count - 1 - k) % static_cast<std::size_t>(settings_.check_every) == 0) await_check();
  }
  solving_->prepare_check(static_cast<Index>(working_.size()));
}

void PathFollower::solve_block(std::span<const double> grid) {
  plan(grid, std::min(block_length_, settings_.longest_block) - static_cast<Index>(waiting_.points.size()));
  solve_planned();
}

void PathFollower::plan_ahead(std::span<const double> grid) {
  // On columns a block costs much more than the pass that may undo it.
  if (columns_mode_) forget_ahead();
  if (columns_mode_ || waiting_.points.empty() || waiting_.failed || solved() == static_cast<Index>(grid.size()))
    return;
  looks_ahead_ = true;
  solving_ = &ahead_;
  const bool known = lazy() && gradient_is_current_;
  then_ = Members(working_, known ? g_ : std::vector<double>());
  const Index length = std::min(2 * block_length_, settings_.longest_block);  // if the check goes well
  plan(grid, (length + 1) / 2);
}

void PathFollower::solve_ahead() {
  if (looks_ahead_) solve_planned();
}

void PathFollower::check(Index first, ConstMatrixView c) {
  Block& block = waiting_;
  const std::vector<Index>& working = checked_working();
  const Index points = pending();
  for (Index k = 0; k < points; ++k) {
    const double penalty = block.checked_point(k).penalty;
    const double bar = penalty * (1 + settings_.tolerance_for(static_cast<Index>(working.size())));
    double largest = block.max_ratio[static_cast<std::size_t>(k)];
    for (Index r = 0; r < c.rows; ++r) {
      const Index j = first + r;
      const double factor = problem_.factor(j) * problem_.l1_ratio;
      const double size = problem_.nonnegative ? std::max(0.0, c(r, k)) : std::abs(c(r, k));
      if (size == 0 || factor == 0) continue;
      const double ratio = size / factor;
      largest = std::max(largest, ratio);
      if (!started_ || ratio <= penalty) continue;
      const bool outside = checked_place(j) < 0;
      if (outside)
        block.outside_ratio[static_cast<std::size_t>(k)] =
            std::max(block.outside_ratio[static_cast<std::size_t>(k)], ratio);
      if (problem_.l1_ratio < 1) {
        const double excess = size - penalty * factor;
        block.dual_ridge[static_cast<std::size_t>(k)] +=
            excess * excess / (2 * penalty * problem_.factor(j) * (1 - problem_.l1_ratio));
      }
      if (ratio > bar && outside) block.violators.push_back({j, k, c(r, k)});
    }
    block.max_ratio[static_cast<std::size_t>(k)] = largest;
  }
  for (std::size_t w = 0; w < working.size(); ++w) {
    if (working[w] < first || working[w] >= first + c.rows) continue;
    for (Index k = 0; k < points; ++k) block.correlations(static_cast<Index>(w), k) = c(working[w] - first, k);
  }
  const double last = block.points.back().penalty;
  const double before = points > 1 ? block.checked_point(points - 2).penalty : correlation_penalty_;
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

// Of a checked point, in the order of checked_working().
std::vector<double> PathFollower::coefficients_of(const PenalisedSolution& point) const {
  std::vector<double> b(checked_working().size());
  for (std::size_t s = 0; s < point.support.size(); ++s) {
    b[static_cast<std::size_t>(checked_place(point.support[s]))] = point.values[s];
  }
  return b;
}

// Whether one that came to the working set later in the block should have been in at checked point k already.
bool PathFollower::misses_member(Index k) const {
  const std::vector<Index>& working = checked_working();
  const PenalisedSolution& point = waiting_.checked_point(k);
  const std::vector<double> b = coefficients_of(point);
  const double most = 10 * settings_.tolerance_for(static_cast<Index>(working.size()));
  for (std::size_t w = 0; w < working.size(); ++w) {
    const double correlation = waiting_.correlations(static_cast<Index>(w), k);
    if (b[w] == 0 && distance_from_optimal(working[w], 0, correlation, point.penalty) > most) return true;
  }
  return false;
}

// Certificate of checked point k. The residual, scaled back into the dual's feasible set, bounds the minimum from
// below.
void PathFollower::certify(Index k) {
  Block& block = waiting_;
  const std::vector<Index>& working = checked_working();
  PenalisedSolution& point = block.points[block.checked[static_cast<std::size_t>(k)]];
  const double ratio = block.max_ratio[static_cast<std::size_t>(k)];
  point.violation = std::max(0.0, block.outside_ratio[static_cast<std::size_t>(k)] / point.penalty - 1);
  const std::vector<double> b = coefficients_of(point);
  for (std::size_t w = 0; w < working.size(); ++w) {
    const double correlation = block.correlations(static_cast<Index>(w), k);
    point.violation = std::max(point.violation, distance_from_optimal(working[w], b[w], correlation, point.penalty));
  }
  const double scale = problem_.l1_ratio < 1 ? 1.0 : std::min(1.0, point.penalty / ratio);
  const double dual = dual_loss(problem_, block.residuals.column(k), ratio > 0 ? scale : 1.0) -
                      block.dual_ridge[static_cast<std::size_t>(k)];
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

// At checked point k a feature was missing.
void PathFollower::go_back_to(Index k) {
  const PenalisedSolution& point = waiting_.checked_point(k);
  last_penalty_ = point.penalty;
  set_state(point);
  earlier_.clear();
  unheard_.clear();
  gradient_is_current_ = true;
  for (std::size_t w = 0; w < working_.size(); ++w) {
    const std::int32_t place = checked_place(working_[w]);
    if (place >= 0) g_[w] = waiting_.correlations(place, k);
    if (place < 0) gradient_is_current_ = false;  // it came later
  }
  std::vector<Index> added;
  std::vector<double> correlations;
  for (const Violator& v : waiting_.violators) {
    if (v.point != k || place_[static_cast<std::size_t>(v.feature)] >= 0) continue;
    added.push_back(v.feature);
    correlations.push_back(v.correlation);
  }
  add_to_working_set(added, correlations);
}

// The pass brought the gradient at the block's last point to the last digit; what was subtracted from it since stays
// so.
void PathFollower::hear_exact_gradient() {
  const Index last = pending() - 1;
  if (!looks_ahead_) {
    for (std::size_t w = 0; w < working_.size(); ++w) g_[w] = waiting_.correlations(static_cast<Index>(w), last);
    gradient_is_current_ = true;
    return;
  }
  if (then_.g.empty()) return;
  for (std::size_t w = 0; w < working_.size(); ++w) {
    const std::int32_t place = then_.place(working_[w]);
    if (place >= 0) g_[w] += waiting_.correlations(place, last) - then_.g[static_cast<std::size_t>(place)];
  }
}

// Those before the first that lacks a feature; they get their certificates.
Index PathFollower::count_good_points() {
  Index good = pending();
  for (const Violator& v : waiting_.violators) good = std::min(good, v.point);
  std::vector<char> misses(static_cast<std::size_t>(good));
  parallel_for(good, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      misses[static_cast<std::size_t>(k)] = misses_member(k) ? 1 : 0;
      if (settings_.keep_coefficients) certify(k);
    }
  });
  const Index missing = std::ranges::find(misses, 1) - misses.begin();
  if (missing == good) return good;
  // Once for each point: where the working set's own gradient is that far off, solving again will not help.
  const double penalty = waiting_.checked_point(missing).penalty;
  return penalty == std::exchange(missed_penalty_, penalty) ? good : missing;
}

Index PathFollower::finish_check() {
  if (!started_) {
    started_ = true;
    largest_penalty_ = waiting_.max_ratio[0];
    correlation_penalty_ = last_penalty_ = largest_penalty_;
    waiting_.clear();
    return 0;
  }
  const Index points = pending(), good = count_good_points();
  correlation_penalty_ = waiting_.points.back().penalty;
  // What lies between a good point and a bad one is solved again.
  const std::size_t accepted = good > 0 ? waiting_.checked[static_cast<std::size_t>(good - 1)] + 1 : 0;
  failed_ = waiting_.failed;
  if (good < points) {
    go_back_to(good);
    ahead_.clear();
    block_length_ = std::max<Index>(1, block_length_ / 2);
    margin_ = std::min(0.5, margin_ * 1.5);
  } else {
    hear_exact_gradient();
    block_length_ = std::min(settings_.longest_block, block_length_ * 2);
    margin_ = std::max(0.05, margin_ * 0.9);
  }
  for (std::size_t k = 0; k < accepted; ++k) accept(waiting_.points[k]);
  waiting_.clear();
  if (looks_ahead_) std::swap(waiting_, ahead_);
  looks_ahead_ = false;
  solving_ = &waiting_;
  return static_cast<Index>(accepted);
}

}  // namespace tamis
