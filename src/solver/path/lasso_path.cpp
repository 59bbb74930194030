// Lasso and elastic-net path of one problem, with few passes over X: blocks of penalties, candidates, lookahead.
//
// Model      min_b  sum_i w_i loss(y_i, b0 + x_i'b) + penalty sum_j f_j (l1_ratio |b_j| + (1 - l1_ratio)/2 b_j^2)
// Algorithm  for blocks of up to 8 penalties, largest first
//              1 predict which features enter: correlations continued along their slope (choose_candidates)
//              2 solve each penalty on the working set: proximal Newton (working_set_solver.cpp)
//              3 one pass X'R over the block's residuals: KKT conditions, duality gaps (lasso_screening.cpp)
//              4 no violation: accept the block, double its length
//                violation at point k: accept the points before k, add the violators, rewind to k, halve the length
//            Beside the pass of step 3 half of the next block is solved (plan_lookahead, solve_lookahead): the pass
//            streams X, the solver works in cache. A violation discards that half block.
// Invariants At every checked point that is accepted, features outside the working set satisfy the KKT conditions to
//            tolerance_for(size of the set); members at zero satisfy them to ten times that, unless one repetition did
//            not help (count_valid_points). With check_every > 1, which folds use, points between checked ones are
//            solved on the working set only.
//            place_[working_[w]] == w, and -1 for all others; b_, g_ and b_in_predictor_ are as long as working_.
//            eta_ = offset + intercept_ + X b_in_predictor_; residual_, curvature_ and loss_ belong to that eta_.
// Papers     Friedman, Hastie & Tibshirani (2010) JSS 33(1), the path; Tibshirani et al. (2012) JRSS B 74(2), strong
//            rules, which the slopes replace; Lee, Sun & Saunders (2014) SIAM J. Optim. 24(3), proximal Newton.
//            Why blocks, and what was measured: docs/decisions/0003.
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
  // A step of coordinate descent costs k on a Gram matrix of k members and about 2 x stored entries on a column, but
  // the Gram matrix is read in order and in single precision: it pays up to eight times the stored entries. Its memory,
  // k^2/2 floats, is bounded by a share of X's: k = sqrt(4 share stored p). Below 64 members it is always cheap.
  const double stored = problem_.X.stored_per_column();
  const double by_memory = std::sqrt(4 * settings_.gram_share * stored * static_cast<double>(p_));
  gram_limit_ = static_cast<Index>(std::max(64.0, std::min(by_memory, 8 * stored)));
  gram_limit_ = std::min(gram_limit_, p_);
  gram_ = GramModel(gram_limit_);
  penalty_.nonnegative = problem_.nonnegative;
}

double LassoPath::objective_at(double penalty) const {
  double total = loss_;
  for (Index w = 0; w < std::ssize(working_); ++w) {
    if (b_[w] != 0) total += penalty_term(strength(working_[w], penalty), problem_.l1_ratio, b_[w]);
  }
  return total;
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

// Marks the point recorded last as one of those that the next pass checks, and keeps its residual for X'R.
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
  // Members take their values first: adding the absent features may trim members whose coefficient is 0.
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

// Coefficients, and the linear predictor computed anew from them: increments accumulate rounding error over a path.
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
  predictor_is_current_ = false;  // the intercept is refitted to the new support
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

// Unit of the gradients in the null model, where there is no penalty to compare them with: the size that x'residual
// would have for the unpenalized column of the smallest norm, were it not orthogonal to the residual. Never below the
// rounding error of the predictor, or a perfect fit by unpenalized features would be asked for digits that it cannot
// have.
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

// Features whose correlation c_j, continued along its slope in the penalty, comes near the penalty within the block:
//   |c_j + slope_j (penalty - measured_at)| >= (1 - margin) f_j l1_ratio penalty   at either end of the block.
// For a quadratic loss the lasso's correlations are piecewise linear in the penalty: exact until the support changes;
// the margin covers the changes. The sequential strong rule bounds the slope by 1 instead and would keep, eight
// penalties ahead, about a third of all features.
void LassoPath::choose_candidates(double from, double to) {
  candidates_.clear();
  candidates_are_measured_ = false;
  const auto move_from = static_cast<float>(from - correlation_penalty_);
  const auto move_to = static_cast<float>(to - correlation_penalty_);
  const auto bar_from = static_cast<float>(screening_threshold(correlation_penalty_, from));
  const auto bar_to = static_cast<float>(screening_threshold(correlation_penalty_, to));
  // Marked without branches, 64 features to a word, so that the loop vectorizes; few words have a bit set.
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
  // Freed before it is reserved anew: old and new list are never held at once, and a large one is not kept for few.
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

// A member that leaves the working set, as a candidate. Its slope is unknown; correlation / penalty keeps the ratio of
// both constant, so that it returns only if the next measurement finds it nearer.
LassoPath::Candidate LassoPath::to_candidate(std::size_t w, double penalty) const {
  return {.feature = static_cast<std::uint32_t>(working_[w]),
          .measured = 0,
          .penalty = static_cast<float>(penalty),
          .correlation = static_cast<float>(g_[w]),
          .slope = static_cast<float>(g_[w] / penalty)};
}

// Drops members at zero whose correlation is below `near` times their threshold, when the Gram matrix would outgrow its
// memory. They become candidates and may return. Not in columns mode, where a member at zero costs one column of a
// sweep.
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

// Frees the memory too: on columns nothing is solved ahead any more.
void LassoPath::discard_lookahead() {
  lookahead_ = Block();
  snapshot_ = WorkingSetSnapshot();
}

// The next `count` penalties of the grid behind those already solved, and the candidates for them.
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
  // On columns a block costs much more than the pass, and a violation would discard it.
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
