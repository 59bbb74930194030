#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/cholesky.hpp"
#include "linalg/kernels.hpp"
#include "optim/quadratic_model.hpp"

namespace tamis {

void GramModel::reset(std::span<const double> curvature, bool intercept) {
  curvature_.assign(curvature.begin(), curvature.end());
  total_ = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  intercept_ = intercept;
  size_ = 0;
  sums_.clear();
}

void GramModel::claim() {
  if (!gram_) gram_ = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(stride_ * stride_));
}

void GramModel::append(const Design& X, std::span<const Index> all, std::span<const Index> added) {
  const Index first = size_;
  const Index count = static_cast<Index>(added.size());
  if (count == 0) return;
  claim();
  size_ = first + count;
  sums_.resize(static_cast<std::size_t>(size_));
  X.transpose_multiply(Columns(added), std::span<const double>(curvature_),
                       std::span<double>(sums_.data() + first, static_cast<std::size_t>(count)));
  constexpr Index chunk = 64;
  Matrix block(size_, std::min(chunk, count));
  for (Index from = 0; from < count; from += chunk) {
    const Index width = std::min(chunk, count - from);
    const MatrixView part(block.col(0), size_, width);
    X.cross_gram(Columns(all), Columns(added).slice(from, width), curvature_, part);
    for (Index c = 0; c < width; ++c) store_column(first + from + c, first, part.column(c));
  }
}

// Column k, centred; entries of older columns are mirrored.
void GramModel::store_column(Index k, Index first, std::span<double> column) {
  const double raw = column[static_cast<std::size_t>(k)];
  const double pull = intercept_ ? sums_[static_cast<std::size_t>(k)] / total_ : 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) column[i] -= pull * sums_[i];
  // A column that is constant on the rows in use leaves rounding error only.
  if (column[static_cast<std::size_t>(k)] < 1e-12 * raw) std::ranges::fill(column, 0.0);
  for (Index i = 0; i < size_; ++i) {
    const auto value = static_cast<float>(column[static_cast<std::size_t>(i)]);
    gram_[static_cast<std::size_t>(k * stride_ + i)] = value;
    if (i < first) gram_[static_cast<std::size_t>(i * stride_ + k)] = value;
  }
}

void GramModel::keep(std::span<const std::int32_t> places) {
  const Index kept = static_cast<Index>(places.size());
  for (Index k = 0; k < kept; ++k) {
    const float* from = gram_.get() + places[static_cast<std::size_t>(k)] * stride_;
    float* to = gram_.get() + k * stride_;
    for (Index i = 0; i < kept; ++i) to[i] = from[places[static_cast<std::size_t>(i)]];
    sums_[static_cast<std::size_t>(k)] = sums_[static_cast<std::size_t>(places[static_cast<std::size_t>(k)])];
  }
  size_ = kept;
  sums_.resize(static_cast<std::size_t>(kept));
}

void GramModel::solve(std::span<const double> l2, SupportStep& step) const {
  const std::vector<std::int32_t>& places = step.places;
  const auto size = places.size();
  std::vector<float> factor(size * size), x(step.direction.begin(), step.direction.end());
  // Duplicate columns make G singular: a ridge near single precision's own error keeps the factor alive, and is raised
  // until it does.
  for (float ridge = 1e-6F; ridge < 1; ridge *= 10) {
    for (std::size_t c = 0; c < size; ++c) {
      const float* column = gram_.get() + places[c] * stride_;
      for (std::size_t r = c; r < size; ++r) factor[c * size + r] = column[places[r]];
      const auto own = static_cast<float>(l2[static_cast<std::size_t>(places[c])]);
      factor[c * size + c] = (factor[c * size + c] + own) * (1 + ridge);
    }
    if (cholesky_solve(factor, x)) break;
  }
  std::ranges::copy(x, step.direction.begin());
}

void GramModel::move(std::span<const double> step, std::span<double> g) const {
  for (Index k = 0; k < size_; ++k) {
    const double s = step[static_cast<std::size_t>(k)];
    if (s != 0) kernels().add_single(-s, gram_.get() + k * stride_, size_, g.data());
  }
}

double GramModel::sweep(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty,
                        std::span<const std::int32_t> order) const {
  const auto subtract = kernels().add_single;
  double largest = 0;  // step relative to its slack
  for (const std::int32_t k32 : order) {
    const auto k = static_cast<std::size_t>(k32);
    const float* column = gram_.get() + static_cast<Index>(k) * stride_;
    const double curvature = static_cast<double>(column[k]);
    const double old = b[k];
    const double step = penalty.minimiser(k, g[k] + curvature * old, curvature) - old;
    if (step == 0) continue;
    b[k] = old + step;
    subtract(-step, column, size_, g.data());
    largest = std::max(largest, std::abs(step) * (curvature + penalty.l2[k]) / penalty.slack[k]);
  }
  return largest;
}

Descent GramModel::descend(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty,
                           Index max_sweeps) const {
  return descend_by_turns(b, max_sweeps,
                          [&](std::span<const std::int32_t> order) { return sweep(b, g, penalty, order); });
}

}  // namespace tamis
