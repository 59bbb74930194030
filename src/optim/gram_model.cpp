#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "optim/quadratic_model.hpp"

namespace tamis {

void GramModel::reset(std::span<const double> curvature, bool intercept) {
  curvature_.assign(curvature.begin(), curvature.end());
  total_ = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  intercept_ = intercept;
  size_ = 0;
  sums_.clear();
}

// Columns are spread to a wider stride from the back, so that one buffer serves and nothing is held twice.
void GramModel::grow(Index size) {
  if (size <= stride_) return;
  const Index wider = std::max(size, stride_ + stride_ / 4 + 16);
  gram_.resize(static_cast<std::size_t>(wider * wider));
  for (Index k = size_ - 1; k > 0; --k) {
    std::copy_backward(gram_.data() + k * stride_, gram_.data() + k * stride_ + size_,
                       gram_.data() + k * wider + size_);
  }
  stride_ = wider;
}

void GramModel::append(const Design& X, std::span<const Index> all, std::span<const Index> added) {
  const Index first = size_;
  const Index count = static_cast<Index>(added.size());
  if (count == 0) return;
  grow(first + count);
  size_ = first + count;
  const MatrixView block(gram_.data() + first * stride_, size_, count, stride_);
  X.cross_gram(Columns(all), Columns(added), curvature_, block);
  sums_.resize(static_cast<std::size_t>(size_));
  X.transpose_multiply(Columns(added), std::span<const double>(curvature_),
                       std::span<double>(sums_.data() + first, static_cast<std::size_t>(count)));
  for (Index k = first; k < size_; ++k) {
    double* column = gram_.data() + k * stride_;
    const double raw = column[k];
    if (intercept_) cblas_daxpy(static_cast<int>(size_), -sums_[k] / total_, sums_.data(), 1, column, 1);
    // A column that is constant on the rows in use leaves rounding error only.
    if (column[k] < 1e-12 * raw) std::fill(column, column + size_, 0.0);
    for (Index i = 0; i < first; ++i) gram_[static_cast<std::size_t>(i * stride_ + k)] = column[i];
  }
}

void GramModel::move(std::span<const double> step, std::span<double> g) const {
  for (Index k = 0; k < size_; ++k) {
    const double s = step[static_cast<std::size_t>(k)];
    if (s != 0) cblas_daxpy(static_cast<int>(size_), -s, gram_.data() + k * stride_, 1, g.data(), 1);
  }
}

double GramModel::sweep(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty,
                        std::span<const std::int32_t> order) const {
  double largest = 0;  // step relative to its slack
  for (const std::int32_t k32 : order) {
    const auto k = static_cast<std::size_t>(k32);
    const double* column = gram_.data() + static_cast<Index>(k) * stride_;
    const double curvature = column[k];
    const double old = b[k];
    const double step = penalty.minimiser(k, g[k] + curvature * old, curvature) - old;
    if (step == 0) continue;
    b[k] = old + step;
    cblas_daxpy(static_cast<int>(size_), -step, column, 1, g.data(), 1);
    largest = std::max(largest, std::abs(step) * (curvature + penalty.l2[k]) / penalty.slack[k]);
  }
  return largest;
}

Descent GramModel::descend(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty,
                           Index max_sweeps) const {
  everyone_.resize(static_cast<std::size_t>(size_));
  std::iota(everyone_.begin(), everyone_.end(), 0);
  Descent descent;
  while (descent.sweeps < max_sweeps) {
    ++descent.sweeps;
    if (sweep(b, g, penalty, everyone_) <= 1) {
      descent.converged = true;
      return descent;
    }
    active_.clear();
    for (const std::int32_t k : everyone_) {
      if (b[static_cast<std::size_t>(k)] != 0) active_.push_back(k);
    }
    while (descent.sweeps < max_sweeps) {
      ++descent.sweeps;
      if (sweep(b, g, penalty, active_) <= 1) break;
    }
  }
  return descent;
}

}  // namespace tamis
