// Blocks of penalties and who is foreseen to matter in them; checks are in path_check.cpp, the solver on the working
// set in path_inner.cpp.
#include "solver/path/lasso_path.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "family/null_intercept.hpp"
#include "solver/path/negligible.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

LassoPath::LassoPath(PenalizedLoss problem, PathSettings settings)
    : PenaltyPath(std::move(problem), settings),
      n_(problem_.X.rows()),
      p_(problem_.X.cols()),
      place_(p_, -1),
      eta_(n_),
      residual_(n_),
      curvature_(n_),
      change_(n_),
      correlation_(p_),
      slope_(p_) {
  // A Gram step costs the size of the working set, a column step some multiple of the stored entries.
  const double stored = problem_.X.stored_per_column();
  const double by_memory = std::sqrt(4 * settings_.gram_share * stored * static_cast<double>(p_));
  gram_limit_ = static_cast<Index>(std::max(64.0, std::min(by_memory, 8 * stored)));
  gram_limit_ = std::min(gram_limit_, p_);
  gram_ = GramModel(gram_limit_);
  penalty_.nonnegative = problem_.nonnegative;
}

void LassoPath::record_point(double penalty) {
  update_predictor();
  PenalizedSolution& point = solving_->points.emplace_back();
  point.penalty = penalty;
  point.intercept = intercept_;
  point.loss = loss_;
  point.objective = objective_at(penalty);
  point.gap = point.violation = std::numeric_limits<double>::quiet_NaN();  // until it is certified
  const Index active = std::ranges::count_if(b_, [](double b) { return b != 0; });
  point.support.reserve(active);
  point.values.reserve(active);
  for (Index w = 0; w < std::ssize(working_); ++w) {
    if (b_[w] == 0) continue;
    point.support.push_back(static_cast<std::int32_t>(working_[w]));
    point.values.push_back(b_[w]);
  }
  for (Index i = 0; i < std::ssize(problem_.validation_weights); ++i) {
    if (problem_.validation_weights[i] > 0)
      point.held_out += problem_.validation_weights[i] * problem_.likelihood.deviance(problem_.y[i], eta_[i]);
  }
}

// The point stored last is among those that the next pass checks.
void LassoPath::queue_check() {
  Block& block = *solving_;
  if (block.residuals.cols() == 0) {
    block.residuals = Matrix(n_, (settings_.longest_block + settings_.check_every - 1) / settings_.check_every);
  }
  std::ranges::copy(residual_, block.residuals.col(std::ssize(block.checked)));
  block.checked.push_back(block.points.size() - 1);
}

void LassoPath::Block::prepare_check(Index members) {
  max_ratio.assign(checked.size(), 0.0);
  outside_ratio.assign(checked.size(), 0.0);
  dual_ridge.assign(checked.size(), 0.0);
  ridges.clear();
  correlations = Matrix(std::ssize(checked), members);
}

void LassoPath::Block::clear() {
  points.clear();
  checked.clear();
  violators.clear();
  failed = false;
}

LassoPath::WorkingSetSnapshot::WorkingSetSnapshot(std::vector<Index> features, std::vector<double> gradient)
    : working(std::move(features)), by_feature(working.size()), g(std::move(gradient)) {
  std::iota(by_feature.begin(), by_feature.end(), 0);
  std::ranges::sort(by_feature, {}, [this](std::int32_t place) { return working[place]; });
}

std::int32_t LassoPath::WorkingSetSnapshot::place(Index j) const {
  const std::span<const std::int32_t> found = between(j, j + 1);
  return found.empty() ? -1 : found.front();
}

std::span<const std::int32_t> LassoPath::WorkingSetSnapshot::between(Index first, Index last) const {
  const auto feature_at = [this](std::int32_t place) { return feature(place); };
  const auto begin = std::ranges::lower_bound(by_feature, first, {}, feature_at);
  auto end = begin;
  while (end != by_feature.end() && feature(*end) < last) ++end;
  return {begin, end};
}

void LassoPath::set_coefficients(const PenalizedSolution& point) {
  std::vector<Index> absent;
  std::ranges::fill(b_, 0.0);
  // Those that are members take their values first: adding the others may drop members whose coefficient is 0.
  for (Index s = 0; s < std::ssize(point.support); ++s) {
    const std::int32_t place = place_[point.support[s]];
    if (place >= 0) b_[place] = point.values[s];
    if (place < 0) absent.push_back(point.support[s]);
  }
  add_to_working_set(absent, std::vector<double>(absent.size(), 0.0));
  for (Index s = 0; s < std::ssize(point.support); ++s) {
    b_[place_[point.support[s]]] = point.values[s];
  }
  b_in_predictor_ = b_;
  intercept_ = point.intercept;
}

// Coefficients and, from scratch, the predictors that belong to them.
void LassoPath::set_state(const PenalizedSolution& point) {
  set_coefficients(point);
  std::ranges::fill(eta_, intercept_);
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) eta_[i] += problem_.offset[i];
  const std::vector<Index> support = columns_of(point);
  problem_.X.multiply_add(Columns(support), std::span<const double>(point.values), std::span<double>(eta_));
  evaluate();
}

void LassoPath::restart(const PenalizedSolution& from) {
  solutions_.clear();
  waiting_.clear();
  discard_lookahead();
  candidates_ = std::vector<Candidate>();
  solving_ = &waiting_;
  solving_lookahead_ = false;
  set_state(from);
  block_length_ = 1;
  resolved_penalty_ = -1;
  previous_b_.clear();
  last_penalty_ = from.penalty;
  failed_ = false;
}

void LassoPath::offer(const PenalizedSolution& point) {
  restart(point);
  predictor_is_current_ = false;  // the intercept answers
  record_point(point.penalty);
  queue_check();
  waiting_.prepare_check(std::ssize(working_));
}

std::vector<double> LassoPath::curvature_of_support(const PenalizedSolution& point) const {
  const std::vector<Index> support = columns_of(point);
  return curvature_of(problem_, eta_, Columns(support));
}

void LassoPath::start() {
  if (problem_.intercept) {
    intercept_ = null_intercept(problem_.likelihood, problem_.y, problem_.weights, problem_.offset);
  }
  std::ranges::fill(eta_, intercept_);
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) eta_[i] += problem_.offset[i];
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
  record_point(0);
  queue_check();
  waiting_.prepare_check(std::ssize(working_));
}

// What a small gradient is where there is no penalty to compare with: the size of the residual, times the spread of the
// smallest unpenalized column; and never below the rounding error of the predictor.
double LassoPath::null_gradient_unit() const {
  double residual = 0, predictor = 0, spread = problem_.intercept_unit;
  for (Index i = 0; i < n_; ++i) {
    const Index s = i;
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
void LassoPath::choose_candidates(double from, double to) {
  candidates_.clear();
  candidates_are_measured_ = false;
  const auto move_from = static_cast<float>(from - correlation_penalty_);
  const auto move_to = static_cast<float>(to - correlation_penalty_);
  const auto bar_from = static_cast<float>(screening_threshold(correlation_penalty_, from));
  const auto bar_to = static_cast<float>(screening_threshold(correlation_penalty_, to));
  // Marked without branches, 64 to a word; few words have anybody.
  std::vector<std::uint64_t> near((p_ + 63) / 64);
  std::size_t count = 0;
  for (Index word = 0; word < std::ssize(near); ++word) {
    const Index first = 64 * word, size = std::min<Index>(64, p_ - first);
    bool comes_near[64] = {};
    for (Index k = 0; k < size; ++k) {
      const Index s = first + k;
      const float factor = problem_.factors.empty() ? 1.0F : static_cast<float>(problem_.factors[s]);
      const float here = correlation_[s] + slope_[s] * move_from, there = correlation_[s] + slope_[s] * move_to;
      const float most_here = problem_.nonnegative ? here : std::abs(here);
      const float most_there = problem_.nonnegative ? there : std::abs(there);
      comes_near[k] = (most_here >= bar_from * factor) | (most_there >= bar_to * factor);
    }
    if (std::ranges::none_of(comes_near, std::identity())) continue;
    for (Index k = 0; k < size; ++k) {
      near[word] |= std::uint64_t{comes_near[k] && place_[first + k] < 0} << k;
    }
    count += std::popcount(near[word]);
  }
  // Memory for the old and the new at once is not needed, nor for many where few are left.
  if (count > candidates_.capacity() || 2 * count < candidates_.capacity()) candidates_ = std::vector<Candidate>();
  candidates_.reserve(count);
  for (Index word = 0; word < std::ssize(near); ++word) {
    for (std::uint64_t left = near[word]; left != 0; left &= left - 1) {
      const Index s = 64 * word + std::countr_zero(left);
      candidates_.push_back({.feature = static_cast<std::uint32_t>(s),
                             .measured = 0,
                             .penalty = static_cast<float>(correlation_penalty_),
                             .correlation = correlation_[s],
                             .slope = slope_[s]});
    }
  }
}

// One that leaves the working set: how fast its correlation moves is unknown, so it is taken to keep its distance.
LassoPath::Candidate LassoPath::to_candidate(std::size_t w, double penalty) const {
  return {.feature = static_cast<std::uint32_t>(working_[w]),
          .measured = 0,
          .penalty = static_cast<float>(penalty),
          .correlation = static_cast<float>(g_[w]),
          .slope = static_cast<float>(g_[w] / penalty)};
}

// Features that came and went are dropped when the Gram matrix would outgrow its memory; as candidates they may return.
void LassoPath::trim_working_set(double penalty, double near) {
  if (columns_mode_) return;
  // Points that await their check still refer to their features.
  std::vector<bool> in_use(working_.size(), false);
  for (const PenalizedSolution& point : solving_->points) {
    for (const std::int32_t j : point.support) {
      in_use[place_[j]] = true;
    }
  }
  std::vector<std::int32_t> kept;
  for (Index w = 0; w < std::ssize(working_); ++w) {
    const double f = strength(working_[w], penalty);
    const bool far = b_[w] == 0 && !in_use[w] && std::abs(g_[w]) < near * f * problem_.l1_ratio;
    place_[working_[w]] = far ? -1 : static_cast<std::int32_t>(kept.size());
    if (!far) kept.push_back(static_cast<std::int32_t>(w));
    if (far) candidates_.push_back(to_candidate(w, penalty));
  }
  previous_b_.resize(working_.size(), 0.0);
  for (Index k = 0; k < std::ssize(kept); ++k) {
    const Index w = kept[k];
    working_[k] = working_[w];
    b_[k] = b_[w];
    b_in_predictor_[k] = b_in_predictor_[w];
    g_[k] = g_[w];
    previous_b_[k] = previous_b_[w];
  }
  working_.resize(kept.size());
  b_.resize(kept.size());
  b_in_predictor_.resize(kept.size());
  g_.resize(kept.size());
  previous_b_.resize(kept.size());
  gram_.keep(kept);
}

// With its memory.
void LassoPath::discard_lookahead() {
  lookahead_ = Block();
  snapshot_ = WorkingSetSnapshot();
}

// The next `count` penalties, as far as there are any.
void LassoPath::plan(std::span<const double> grid, Index count) {
  const Index first = solved(), last = std::min(first + count, std::ssize(grid));
  planned_.clear();
  if (first >= last) return;
  planned_.assign(grid.begin() + first, grid.begin() + last);
  if (!solving_lookahead_ && std::ssize(working_) > gram_limit_ * 3 / 4) {
    trim_working_set(planned_.front(), 0.95);
  }
  choose_candidates(planned_.front(), planned_.back());
}

void LassoPath::solve_planned() {
  const Index count = std::ssize(planned_);
  for (Index k = 0; k < count && !solving_->failed; ++k) {
    next_penalty_ = planned_[std::min(k + 1, count - 1)];
    solving_->failed = !solve_penalty(planned_[k]);
    record_point(planned_[k]);
    if (solving_->failed || (count - 1 - k) % settings_.check_every == 0) queue_check();
  }
  solving_->prepare_check(std::ssize(working_));
}

void LassoPath::solve_block(std::span<const double> grid) {
  plan(grid, std::min(block_length_, settings_.longest_block) - std::ssize(waiting_.points));
  solve_planned();
}

void LassoPath::plan_lookahead(std::span<const double> grid) {
  // On columns a block costs much more than the pass that may undo it.
  if (columns_mode_) discard_lookahead();
  if (columns_mode_ || waiting_.points.empty() || waiting_.failed || solved() == std::ssize(grid)) return;
  solving_lookahead_ = true;
  solving_ = &lookahead_;
  const bool known = lazy() && gradient_is_current_;
  snapshot_ = WorkingSetSnapshot(working_, known ? g_ : std::vector<double>());
  const Index length = std::min(2 * block_length_, settings_.longest_block);  // if the check goes well
  plan(grid, (length + 1) / 2);
}

void LassoPath::solve_lookahead() {
  if (solving_lookahead_) solve_planned();
}

}  // namespace tamis
