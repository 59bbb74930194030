// Coordinate descent on the columns themselves ("naive updates"), for working sets too large for a Gram matrix.
//
// Model      as GramModel: the quadratic with Hessian X'HX - s s'/h, s = X'h, plus the penalty of each coordinate.
// State      q = rho - H X d, the residual of the quadratic model without the intercept's part, and its sum.
// Step k     gradient x_k'q - s_k sum(q) / h, soft threshold, then q -= step H x_k: two reads of the column.
// Centering  With an intercept the center of a column cancels from every formula, so that sparse columns are never made
//            dense: only the raw sums x'h and x'Hx are needed.
// Hazard     x'Hx - (x'h)^2 / h cancels for nearly constant columns: below 1e-12 of x'Hx it is rounding and counts as
//            0, and such a coordinate never moves.
// Paper      Friedman, Hastie & Tibshirani (2010) JSS 33(1), naive and sparse updates.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/kernels.hpp"
#include "solver/descent/working_model.hpp"

namespace tamis {

void ColumnModel::reset(std::span<const double> curvature, bool intercept) {
  const bool same =
      curvature.size() == curvature_.size() && std::equal(curvature.begin(), curvature.end(), curvature_.begin());
  if (same && intercept == intercept_) return;
  curvature_.assign(curvature.begin(), curvature.end());
  total_ = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  intercept_ = intercept;
  equal_curvature_ = std::ranges::all_of(curvature_, [&](double h) { return h == curvature_.front(); });
  for (Index k = 0; k < std::ssize(columns_); ++k) prepare(k);
}

void ColumnModel::append(const Design& X, std::span<const Index> added) {
  for (const Index j : added) {
    std::optional<ColumnView> view = X.column(j);
    if (!view) {
      std::vector<double>& copy = gathered_.emplace_back(X.rows());
      X.gather(Columns::range(j, 1), std::span<double>(copy));
      view = ColumnView{.values = copy.data(), .count = X.rows()};
    }
    columns_.push_back(*view);
    sums_.push_back(0);
    diagonal_.push_back(0);
    prepare(columns_.size() - 1);
  }
}

// With an intercept the center of a column cancels out of everything, so only x'h and x'Hx of the raw column are
// needed; without one the columns are expected uncentered (center 0).
void ColumnModel::prepare(std::size_t k) {
  const ColumnView& x = columns_[k];
  double sum = 0, squares = 0;
  for (Index e = 0; e < x.count; ++e) {
    const double h = curvature_[x.rows != nullptr ? x.rows[e] : e];
    sum += h * x.values[e];
    squares += h * x.values[e] * x.values[e];
  }
  sums_[k] = sum;
  const double centered = intercept_ ? squares - sum * sum / total_ : squares;
  diagonal_[k] = centered < 1e-12 * squares ? 0.0 : centered * x.factor * x.factor;
}

double ColumnModel::dot(std::size_t k) const {
  const ColumnView& x = columns_[k];
  double raw = 0;
  if (x.rows == nullptr) {
    raw = kernels().dot(x.values, q_.data(), x.count);
  } else {
    kernels().sparse_dots(x.values, x.rows, x.count, q_.data(), 1, &raw);
  }
  return x.factor * (intercept_ ? raw - sums_[k] * q_sum_ / total_ : raw);
}

void ColumnModel::subtract(std::size_t k, double step) {
  const ColumnView& x = columns_[k];
  const double scaled = step * x.factor;
  if (x.rows == nullptr) {
    kernels().add_weighted(-scaled, curvature_.data(), x.values, x.count, q_.data());
  } else if (equal_curvature_) {
    const double constant = scaled * curvature_.front();
    for (Index e = 0; e < x.count; ++e) q_[x.rows[e]] -= constant * x.values[e];
  } else {
    for (Index e = 0; e < x.count; ++e) {
      const Index i = x.rows[e];
      q_[i] -= scaled * curvature_[i] * x.values[e];
    }
  }
  q_sum_ -= scaled * sums_[k];
}

void ColumnModel::prefetch(std::size_t k) const {
  const ColumnView& x = columns_[k];
  if (x.rows != nullptr) prefetch_entries(x.values, x.rows, x.count);
}

double ColumnModel::sweep(std::span<double> b, const CoordinatePenalty& penalty, std::span<const std::int32_t> order) {
  double largest = 0;
  for (Index at = 0; at < std::ssize(order); ++at) {
    const Index k = order[at];
    if (at + 1 < std::ssize(order)) prefetch(order[at + 1]);
    const double curvature = diagonal_[k];
    if (curvature == 0 && b[k] == 0) continue;
    const double old = b[k];
    const double step = penalty.proximal_step(k, dot(k) + curvature * old, curvature) - old;
    if (step == 0) continue;
    b[k] = old + step;
    subtract(k, step);
    largest = std::max(largest, std::abs(step) * (curvature + penalty.l2[k]) / penalty.step_tolerance[k]);
  }
  return largest;
}

Descent ColumnModel::descend(std::span<double> b, std::span<const double> rho, const CoordinatePenalty& penalty,
                             Index max_sweeps) {
  q_.assign(rho.begin(), rho.end());
  q_sum_ = std::accumulate(q_.begin(), q_.end(), 0.0);
  return active_set_descent(b, max_sweeps,
                            [&](std::span<const std::int32_t> order) { return sweep(b, penalty, order); });
}

}  // namespace tamis
