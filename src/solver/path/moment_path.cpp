// Lasso and elastic-net path of a quadratic loss from cross-products alone: n enters only the one pass that made them.
//
// Model      1/2 b'Gb - b'c + penalty, with centered moments per unit of weight
//              G = X'WX/w - m m',  c = X'Wy/w - m ybar,  s = y'Wy/w - ybar^2      (m, ybar 0 without intercept)
//            of the training rows: those of all rows minus those of the held-out rows of the fold.
// Algorithm  for each penalty: extrapolate from the last two points; coordinate descent on G in single precision;
//            gradient g = c - Gb in double precision; if descent was slow, Newton step on the support; repeat until the
//            KKT conditions hold for all p features. No screening: G is in memory.
// Derived    r'y = s - b'c and r'r = r'y - b'g give loss, objective and duality gap without a residual vector;
//            b'(X'WX)b of the held-out rows gives the validation error.
// Hazard     r'r is a difference: near a perfect fit it loses digits, so it is cut at 0 and the gap is relative to the
//            null loss. Fold products are held in floats: they are subtracted, and their share of G is about 1 / folds.
// Papers     Friedman, Hastie & Tibshirani (2010) JSS 33(1), covariance updates.
#include "solver/path/moment_path.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/simd_dispatch.hpp"

namespace tamis {

MomentPath::MomentPath(PenalizedLoss problem, PathSettings settings, const CrossProducts<double>& total,
                       const CrossProducts<float>* held_out)
    : PenaltyPath(std::move(problem), settings),
      total_(total),
      held_out_(held_out),
      p_(problem_.X.cols()),
      products_(total, held_out, problem_.intercept),
      gram_(0),
      b_(p_),
      g_(p_) {
  penalty_.nonnegative = problem_.nonnegative;
}

template <class Number>
void MomentPath::add_product(const CrossProducts<Number>& products, double scale, std::span<double> out) const {
  constexpr Index lanes = 8;  // sums at a time: one alone would wait for each addition
  const double* coefficients = b_.data();
  double* to = out.data();
  simd_dispatch([&] {
    for (Index j = 0; j < p_; ++j) {
      const Number* column = products.packed.data() + products.start(j);
      const double b = scale * coefficients[j];
      double sums[lanes] = {};
      Index i = j + 1;
      for (; i + lanes <= p_; i += lanes) {
#pragma GCC ivdep
        for (Index l = 0; l < lanes; ++l) {
          const auto entry = static_cast<double>(column[i + l]);
          to[i + l] += entry * b;
          sums[l] += entry * coefficients[i + l];
        }
      }
      double sum = 0;
      for (; i < p_; ++i) {
        to[i] += static_cast<double>(column[i]) * b;
        sum += static_cast<double>(column[i]) * coefficients[i];
      }
      for (const double part : sums) sum += part;
      to[j] += static_cast<double>(column[j]) * b + scale * sum;
    }
  });
}

// g = c - Gb in double precision: the descent's copy of G is in single precision, and its g drifts by its rounding.
void MomentPath::take_gradient() {
  double mean = 0;
  for (Index j = 0; j < std::ssize(b_); ++j) mean += products_.x_means[j] * b_[j];
  for (Index j = 0; j < std::ssize(g_); ++j) g_[j] = products_.xy[j] + products_.x_means[j] * mean;
  add_product(total_, -1 / products_.weight, g_);
  if (held_out_ == nullptr) return;
  held_out_product_.assign(b_.size(), 0.0);
  add_product(*held_out_, 1.0, held_out_product_);
  for (Index j = 0; j < std::ssize(g_); ++j) g_[j] += held_out_product_[j] / products_.weight;
}

void MomentPath::set_penalty(double penalty, double tolerance) {
  penalty_.l1.resize(b_.size());
  penalty_.l2.resize(b_.size());
  penalty_.step_tolerance.resize(b_.size());
  for (Index j = 0; j < std::ssize(b_); ++j) {
    const double f = strength(j, penalty);
    penalty_.l1[j] = f * problem_.l1_ratio;
    penalty_.l2[j] = std::isinf(f) ? 0.0 : f * (1 - problem_.l1_ratio);
    penalty_.step_tolerance[j] = tolerance * problem_.l1_ratio * (f > 0 ? f : penalty);
  }
}

// Largest KKT violation over all features, in units of each feature's threshold; as LassoPath::distance_from_optimal.
double MomentPath::violation(double penalty) const {
  double largest = 0;
  for (Index j = 0; j < std::ssize(b_); ++j) {
    const double gradient = g_[j] - penalty_.l2[j] * b_[j];
    const double distance = b_[j] != 0 ? std::abs(gradient - std::copysign(penalty_.l1[j], b_[j]))
                                       : (problem_.nonnegative ? gradient : std::abs(gradient)) - penalty_.l1[j];
    const double f = problem_.factor(j);
    largest = std::max(largest, distance / (problem_.l1_ratio * penalty * (f > 0 ? f : 1.0)));
  }
  return largest;
}

void MomentPath::make_gram() {
  if (gram_.size() > 0) return;
  gram_ = GramModel(p_);
  gram_.assign(p_, [&](Index i, Index j) { return products_.entry(i, j); });
}

void MomentPath::release_gram() {
  if (held_out_ != nullptr) gram_ = GramModel(0);
}

void MomentPath::start() {
  take_gradient();
  // Null model: penalized features are kept at 0 by an infinite threshold, the others are solved by descent.
  std::vector<std::size_t> penalized;
  for (Index j = 0; j < std::ssize(b_); ++j) {
    if (problem_.factor(j) > 0) penalized.push_back(j);
  }
  if (penalized.size() < b_.size()) {
    make_gram();
    const double never = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 20; ++round) {
      set_penalty(1.0, 1e-10 * std::sqrt(products_.yy + 1e-300));
      for (const std::size_t j : penalized) {
        penalty_.l1[j] = never;
        penalty_.l2[j] = 0;
      }
      gram_.descend(b_, g_, penalty_, 1000, {});
      take_gradient();
    }
    release_gram();
  }
  for (const std::size_t j : penalized) {
    const double f = problem_.factor(j) * problem_.l1_ratio;
    const double size = problem_.nonnegative ? std::max(0.0, g_[j]) : std::abs(g_[j]);
    largest_penalty_ = std::max(largest_penalty_, size / f);
  }
  double explained = 0;
  for (Index j = 0; j < std::ssize(b_); ++j) explained += b_[j] * (products_.xy[j] + g_[j]);
  null_loss_ = 0.5 * (products_.yy - explained);
  last_penalty_ = largest_penalty_;
}

// Moves b along the line through the last two points; returns the step, which g_ does not contain yet.
std::vector<double> MomentPath::extrapolate(double penalty) {
  const double run = last_penalty_ - previous_penalty_;
  const std::vector<double> here = b_;
  std::vector<double> step;
  if (!previous_b_.empty() && run != 0 && penalty < last_penalty_) {
    const double ratio = (penalty - last_penalty_) / run;
    step = extrapolated_step(b_, previous_b_, ratio);
    for (Index j = 0; j < std::ssize(b_); ++j) b_[j] += step[j];
  }
  previous_b_ = here;
  previous_penalty_ = last_penalty_;
  last_penalty_ = penalty;
  return step;
}

// Descent that creeps, with steps below its tolerance at a gradient above the path's, is slow as well: columns that are
// not centered have one direction in common.
bool MomentPath::solve(double penalty) {
  constexpr Index most_creeping = 3;  // rounds
  std::vector<double> pending_step = extrapolate(penalty);
  SupportFactor known;
  double before = std::numeric_limits<double>::infinity();
  for (Index round = 0; round < settings_.max_newton; ++round) {
    const Index active = std::ranges::count_if(b_, [](double b) { return b != 0; });
    const double tolerance = settings_.tolerance_for(active);
    set_penalty(penalty, std::ldexp(2 * tolerance, -static_cast<int>(std::min<Index>(round, 2))));
    const bool slow = !gram_.descend(b_, g_, penalty_, settings_.max_sweeps_for(b_), pending_step).converged;
    pending_step.clear();
    take_gradient();
    const double now = violation(penalty);
    if (now <= tolerance) return true;
    const bool creeps = round >= most_creeping && now > 0.5 * std::exchange(before, now);
    if (slow || creeps) {
      SupportStep step(b_, g_, penalty_);
      if (gram_.solve(step.places(), penalty_.l2, step, known)) step.apply_newton(b_);
      take_gradient();
    }
  }
  return false;
}

double MomentPath::held_out_error(const PenalizedSolution& point) const {
  if (held_out_ == nullptr) return 0;
  // Sum of w (y - b0 - x'b)^2 over the held-out rows.
  double total = held_out_->yy + point.intercept * (point.intercept * held_out_->weight - 2 * held_out_->y_sum);
  for (Index j = 0; j < std::ssize(b_); ++j) {
    total += b_[j] * (held_out_product_[j] - 2 * held_out_->xy[j] + 2 * point.intercept * held_out_->x_sums[j]);
  }
  return std::max(0.0, total) / held_out_->weight;
}

void MomentPath::accept_point(double penalty) {
  PenalizedSolution& point = solutions_.emplace_back();
  point.penalty = penalty;
  point.intercept = products_.y_mean;
  if (settings_.keep_coefficients) {
    const Index active = std::ranges::count_if(b_, [](double b) { return b != 0; });
    point.support.reserve(active);
    point.values.reserve(active);
  }
  double with_y = 0, with_residual = 0, cost = 0, ridge = 0, ratio = 0;
  for (Index j = 0; j < std::ssize(b_); ++j) {
    const Index feature = j;
    const double f = problem_.factor(feature) * problem_.l1_ratio;
    const double size = problem_.nonnegative ? std::max(0.0, g_[j]) : std::abs(g_[j]);
    if (f > 0 && std::isfinite(f)) {
      ratio = std::max(ratio, size / f);
      const double excess = std::max(0.0, size - penalty * f);
      if (problem_.l1_ratio < 1)
        ridge += excess * excess / (2 * penalty * problem_.factor(feature) * (1 - problem_.l1_ratio));
    }
    if (b_[j] == 0) continue;
    if (settings_.keep_coefficients) {
      point.support.push_back(static_cast<std::int32_t>(feature));
      point.values.push_back(b_[j]);
    }
    point.intercept -= products_.x_means[j] * b_[j];
    with_y += b_[j] * products_.xy[j];
    with_residual += b_[j] * g_[j];
    cost += penalty_term(strength(feature, penalty), problem_.l1_ratio, b_[j]);
  }
  // r'y = y'y - b'X'y and r'r = r'y - b'X'r, all centered.
  const double ry = products_.yy - with_y;
  const double rr = std::max(0.0, ry - with_residual);
  point.loss = 0.5 * rr;
  point.objective = point.loss + cost;
  point.violation = violation(penalty);
  const double scale = ratio <= penalty ? 1.0 : penalty / ratio;
  double dual = scale * ry - 0.5 * scale * scale * rr;
  if (problem_.l1_ratio < 1) dual = std::max(dual, ry - 0.5 * rr - ridge);  // as in LassoPath
  point.gap = null_loss_ > 0 ? std::max(0.0, point.objective - dual) / null_loss_ : 0.0;
  point.held_out = held_out_error(point);
}

void MomentPath::solve_block(std::span<const double> grid) {
  make_gram();
  const Index last = std::min(accepted() + settings_.longest_block, std::ssize(grid));
  while (accepted() < last && !failed_) {
    const double penalty = grid[accepted()];
    failed_ = !solve(penalty);
    if (!failed_) accept_point(penalty);
  }
  release_gram();
}

void MomentPath::restart(const PenalizedSolution& from) {
  solutions_.clear();
  std::ranges::fill(b_, 0.0);
  for (Index s = 0; s < std::ssize(from.support); ++s) b_[from.support[s]] = from.values[s];
  last_penalty_ = from.penalty;
  previous_b_.clear();
  take_gradient();
  failed_ = false;
}

// All correlations are known from the moments: the point needs no pass and is accepted at once.
void MomentPath::offer(const PenalizedSolution& point) {
  restart(point);
  set_penalty(point.penalty, settings_.tolerance);
  accept_point(point.penalty);
}

std::vector<double> MomentPath::curvature_of_support(const PenalizedSolution& point) const {
  std::vector<double> out;
  for (const std::int32_t j : point.support) out.push_back(products_.entry(j, j));
  return out;
}

}  // namespace tamis
