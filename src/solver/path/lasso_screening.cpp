// KKT conditions of a block of lasso points on all features, certificates, and what a violation does.
//
// Input      c = X'R for panels of columns, R the residuals w_i (-loss') of the checked points, in any order of the
//            panels and from several threads (take_correlations).
// KKT        |c_j - f_j (1 - l1_ratio) penalty b_j| <= f_j l1_ratio penalty, with equality and the sign of b_j where
//            b_j != 0. Outside the working set b_j = 0, so that |c_j| / (f_j l1_ratio) against the penalty decides.
// Gap        Let theta = s R be feasible for the dual: |X_j'theta| <= f_j l1_ratio penalty. Then the minimum is at
//            least dual_loss(theta), and gap = (objective - dual) / null loss. Two values of theta are tried, see
//            certify().
// Slopes     Two consecutive correlations of a feature give its slope in the penalty, by which choose_candidates()
//            predicts who enters next.
// Threads    Maxima do not depend on the order of the threads; sums and lists do, so these are sorted by feature
//            before they are used (merge_panels). Results are equal to the last bit on any number of threads.
// Not taken  safe screening by dual balls (GAP SAFE, Fercoq, Gramfort & Salmon 2015): all correlations are computed in
//            the shared pass anyway, so that there is no feature left to save work on.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "solver/path/lasso_path.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

// Calls visit(r, size) for the rows of c whose size in column k exceeds the threshold. They are few: compared without
// branches first, which vectorizes, then visited.
template <class Visit>
void LassoPath::for_each_above(Index first, ConstMatrixView c, Index k, double penalty, const Visit& visit) const {
  constexpr Index chunk = 64;
  const double bar = penalty * problem_.l1_ratio;
  for (Index from = 0; from < c.rows; from += chunk) {
    const Index count = std::min(chunk, c.rows - from);
    const double* correlation = c.col(k) + from;
    const double* factor = problem_.factors.empty() ? nullptr : problem_.factors.data() + first + from;
    double size[chunk];
    bool above[chunk];
    for (Index s = 0; s < count; ++s)
      size[s] = problem_.nonnegative ? std::max(0.0, correlation[s]) : std::abs(correlation[s]);
    for (Index s = 0; s < count; ++s) above[s] = size[s] > (factor != nullptr ? bar * factor[s] : bar);
    for (Index s = 0; s < count; ++s) {
      if (above[s]) visit(from + s, size[s]);
    }
  }
}

// Largest ratio |c_j| / (f_j l1_ratio), violators outside the working set, and for the elastic net the price of the
// unscaled dual point: the conjugate of l1 |b| + l2 b^2 / 2 at u is (|u| - l1)_+^2 / (2 l2).
LassoPath::PanelSummary LassoPath::summarize_panel(Index first, ConstMatrixView c, Index k) const {
  const double penalty = waiting_.checked_point(k).penalty;
  const double bar = penalty * (1 + settings_.tolerance_for(std::ssize(checked_working())));
  PanelSummary panel;
  for_each_above(first, c, k, penalty, [&](Index r, double size) {
    const Index j = first + r;
    const double factor = problem_.factor(j) * problem_.l1_ratio;
    if (factor == 0) return;
    const double ratio = size / factor;
    panel.max_ratio = std::max(panel.max_ratio, ratio);
    if (!started_) return;
    if (problem_.l1_ratio < 1) {
      const double excess = size - penalty * factor;
      panel.dual_ridge += excess * excess / (2 * penalty * problem_.factor(j) * (1 - problem_.l1_ratio));
    }
    if (checked_place(j) >= 0) return;
    panel.outside_ratio = std::max(panel.outside_ratio, ratio);
    if (ratio > bar) panel.violators.push_back({j, k, c(r, k)});
  });
  return panel;
}

// Called by several threads at once: summaries are merged under a lock, correlations written to disjoint places.
void LassoPath::take_correlations(Index first, ConstMatrixView c) {
  const Index points = pending();
  for (Index k = 0; k < points; ++k) {
    const PanelSummary panel = summarize_panel(first, c, k);
    if (!waiting_.changes_summary(k, panel)) continue;
    const std::lock_guard lock(panel_mutex_);
    waiting_.add(k, first, panel);
  }
  store_working_set_correlations(first, c);
  const double last = waiting_.points.back().penalty;
  const double before = points > 1 ? waiting_.checked_point(points - 2).penalty : correlation_penalty_;
  const double run = last - before;
  // Correlations are kept in single precision: over so short a step in the penalty their difference is rounding error.
  const bool too_short = std::abs(run) < 1e-4 * last;
  for (Index r = 0; r < c.rows; ++r) {
    const Index j = first + r;
    const double now = c(r, points - 1);
    const double then = points > 1 ? c(r, points - 2) : static_cast<double>(correlation_[j]);
    slope_[j] = too_short || !started_ ? 0.0F : static_cast<float>((now - then) / run);
    correlation_[j] = static_cast<float>(now);
  }
}

void LassoPath::store_working_set_correlations(Index first, ConstMatrixView c) {
  const auto note = [&](std::int32_t place, Index r) {
    for (Index k = 0; k < c.cols; ++k) waiting_.correlations(k, place) = c(r, k);
  };
  if (solving_lookahead_) {
    for (const std::int32_t place : snapshot_.between(first, first + c.rows))
      note(place, snapshot_.feature(place) - first);
    return;
  }
  for (Index r = 0; r < c.rows; ++r) {
    const std::int32_t place = place_[first + r];
    if (place >= 0) note(place, r);
  }
}

namespace {

// Read by threads that hold no lock.
double shared_value(double& value) { return std::atomic_ref(value).load(std::memory_order_relaxed); }
void raise_shared(double& value, double least) {
  if (least > value) std::atomic_ref(value).store(least, std::memory_order_relaxed);
}

}  // namespace

// Read without the lock: most panels change no maximum and have no violator, and threads that wrote all the same would
// contend for the cache line. A stale read is harmless, because add() compares again.
bool LassoPath::Block::changes_summary(Index k, const PanelSummary& panel) {
  const Index s = k;
  return panel.dual_ridge > 0 || !panel.violators.empty() || panel.max_ratio > shared_value(max_ratio[s]) ||
         panel.outside_ratio > shared_value(outside_ratio[s]);
}

void LassoPath::Block::add(Index k, Index first, const PanelSummary& panel) {
  const Index s = k;
  raise_shared(max_ratio[s], panel.max_ratio);
  raise_shared(outside_ratio[s], panel.outside_ratio);
  violators.insert(violators.end(), panel.violators.begin(), panel.violators.end());
  if (panel.dual_ridge > 0) ridges.push_back({.first = first, .point = k, .value = panel.dual_ridge});
}

void LassoPath::Block::merge_panels() {
  std::ranges::sort(violators, {}, &Violator::feature);
  std::ranges::sort(ridges, {}, &DualRidgeTerm::first);
  for (const DualRidgeTerm& part : ridges) dual_ridge[part.point] += part.value;
}

// Of a checked point, in the order of checked_working().
std::vector<double> LassoPath::coefficients_of(const PenalizedSolution& point) const {
  std::vector<double> b(checked_working().size());
  for (Index s = 0; s < std::ssize(point.support); ++s) {
    b[checked_place(point.support[s])] = point.values[s];
  }
  return b;
}

// Whether a feature that joined the working set later in the block violates the KKT conditions at checked point k,
// where it was still outside. Ten tolerances: a member that is solved to one tolerance must not send the block back.
bool LassoPath::kkt_violated_in_set(Index k) const {
  const std::vector<Index>& working = checked_working();
  const PenalizedSolution& point = waiting_.checked_point(k);
  const std::vector<double> b = coefficients_of(point);
  const double most = 10 * settings_.tolerance_for(std::ssize(working));
  for (Index w = 0; w < std::ssize(working); ++w) {
    const double correlation = waiting_.correlations(k, w);
    if (b[w] == 0 && distance_from_optimal(working[w], 0, correlation, point.penalty) > most) return true;
  }
  return false;
}

// Certificate of checked point k: KKT violation and duality gap. Two dual points are tried and the better bound counts:
//   theta = s R, s = min(1, penalty / max_j |c_j| / (f_j l1_ratio)), feasible for the L1 part alone;
//   theta = R, elastic net only: every theta is feasible, at the price sum_j (|c_j| - l1_j)_+^2 / (2 l2_j), which is
//   large where the ridge part is weak.
void LassoPath::certify(Index k) {
  Block& block = waiting_;
  const std::vector<Index>& working = checked_working();
  PenalizedSolution& point = block.points[block.checked[k]];
  const double ratio = block.max_ratio[k];
  point.violation = std::max(0.0, block.outside_ratio[k] / point.penalty - 1);
  const std::vector<double> b = coefficients_of(point);
  for (Index w = 0; w < std::ssize(working); ++w) {
    const double correlation = block.correlations(k, w);
    point.violation = std::max(point.violation, distance_from_optimal(working[w], b[w], correlation, point.penalty));
  }
  const double scale = ratio > 0 ? std::min(1.0, point.penalty / ratio) : 1.0;
  double dual = dual_loss(problem_, block.residuals.column(k), scale);
  if (problem_.l1_ratio < 1 && scale < 1) {
    const double price = block.dual_ridge[k];
    dual = std::max(dual, dual_loss(problem_, block.residuals.column(k), 1.0) - price);
  }
  point.gap = null_loss_ > 0 ? std::max(0.0, point.objective - dual) / null_loss_ : 0.0;
}

void LassoPath::accept_point(PenalizedSolution& point) {
  if (settings_.keep_coefficients) {
    solutions_.push_back(std::move(point));
    return;
  }
  PenalizedSolution& kept = solutions_.emplace_back();
  kept.penalty = point.penalty;
  kept.held_out = point.held_out;
}

// Returns to checked point k, at which a feature was missing, with its exact correlations, and adds the violators
// there.
void LassoPath::rewind_to(Index k) {
  const PenalizedSolution& point = waiting_.checked_point(k);
  last_penalty_ = point.penalty;
  set_state(point);
  previous_b_.clear();
  pending_step_.clear();
  gradient_is_current_ = true;
  for (Index w = 0; w < std::ssize(working_); ++w) {
    const std::int32_t place = checked_place(working_[w]);
    if (place >= 0) g_[w] = waiting_.correlations(k, place);
    if (place < 0) gradient_is_current_ = false;  // it came later
  }
  std::vector<Index> added;
  std::vector<double> correlations;
  for (const Violator& v : waiting_.violators) {
    if (v.point != k || place_[v.feature] >= 0) continue;
    added.push_back(v.feature);
    correlations.push_back(v.correlation);
  }
  add_to_working_set(added, correlations);
}

// The pass computed X'residual of the working set at the block's last point in double precision: g_ sheds the rounding
// of the single-precision Gram matrix. Steps that the lookahead took since then remain subtracted.
void LassoPath::take_exact_gradient() {
  const Index last = pending() - 1;
  if (!solving_lookahead_) {
    for (Index w = 0; w < std::ssize(working_); ++w) g_[w] = waiting_.correlations(last, w);
    gradient_is_current_ = true;
    return;
  }
  if (snapshot_.g.empty()) return;
  for (Index w = 0; w < std::ssize(working_); ++w) {
    const std::int32_t place = snapshot_.place(working_[w]);
    if (place >= 0) g_[w] += waiting_.correlations(last, place) - snapshot_.g[place];
  }
}

// The number of checked points before the first that lacks a feature; their certificates are computed on the way.
Index LassoPath::count_valid_points() {
  Index good = pending();
  for (const Violator& v : waiting_.violators) good = std::min(good, v.point);
  std::vector<char> misses(good);
  parallel_for(good, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      misses[k] = kkt_violated_in_set(k) ? 1 : 0;
      if (settings_.keep_coefficients) certify(k);
    }
  });
  const Index missing = std::ranges::find(misses, 1) - misses.begin();
  if (missing == good) return good;
  // Once for each point: if the members violate the conditions again after a second solve, a third will not help.
  const double penalty = waiting_.checked_point(missing).penalty;
  return penalty == std::exchange(resolved_penalty_, penalty) ? good : missing;
}

Index LassoPath::accept_points() {
  waiting_.merge_panels();
  if (!started_) {
    started_ = true;
    largest_penalty_ = waiting_.max_ratio[0];
    correlation_penalty_ = last_penalty_ = largest_penalty_;
    waiting_.clear();
    return 0;
  }
  const Index points = pending(), good = count_valid_points();
  correlation_penalty_ = waiting_.points.back().penalty;
  // Unchecked points between the last good and the first bad one are solved again.
  const Index accepted = good > 0 ? waiting_.checked[good - 1] + 1 : 0;
  failed_ = waiting_.failed;
  if (good < points) {
    rewind_to(good);
    lookahead_.clear();
    block_length_ = std::max<Index>(1, block_length_ / 2);
    margin_ = std::min(0.5, margin_ * 1.5);
  } else {
    take_exact_gradient();
    block_length_ = std::min(settings_.longest_block, block_length_ * 2);
    margin_ = std::max(0.05, margin_ * 0.9);
  }
  for (Index k = 0; k < accepted; ++k) accept_point(waiting_.points[k]);
  waiting_.clear();
  if (solving_lookahead_) std::swap(waiting_, lookahead_);
  solving_lookahead_ = false;
  solving_ = &waiting_;
  return accepted;
}

}  // namespace tamis
