// Lanczos for (G + shift I) x = g, all shifts from one Krylov space.
//
// Recurrence G Q_k = Q_k T_k + beta_k q_(k+1) e_k',  q_1 = g / |g|,  T_k tridiagonal, Q_k orthonormal
// Solution   x = Q_k y,  (T_k + shift I) y = |g| e_1: a tridiagonal system per shift, no product with G
// Residual   |(G + shift I) x - g| = beta_k |y_k|: known without x, so steps stop as soon as the tolerance is reached
// Hazard     In floating point the q lose orthogonality as eigenvalues converge, and T gets copies of them (Paige).
//            Full reorthogonalization, twice ("twice is enough", Kahan in Parlett, The Symmetric Eigenvalue Problem),
//            keeps Q orthonormal to rounding at k^2 n flops, little beside the products with G.
// Exhausted  beta_k below 1e-13 of the largest image: the space contains the solution for every shift.
#include "linalg/shifted_lanczos.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

namespace tamis {

ShiftedLanczos::ShiftedLanczos(Operator multiply, std::span<const double> g)
    : multiply_(std::move(multiply)), size_(std::ssize(g)) {
  norm_ = cblas_dnrm2(static_cast<int>(size_), g.data(), 1);
  exhausted_ = !(norm_ > 0);
  basis_.assign(g.begin(), g.end());
  for (double& q : basis_) q = exhausted_ ? 0.0 : q / norm_;
}

void ShiftedLanczos::step() {
  const Index k = steps();
  const auto length = static_cast<int>(size_);
  const auto width = static_cast<int>(k + 1);
  basis_.resize((k + 2) * size_);
  double* next = basis_.data() + (k + 1) * size_;
  const double* q = basis_.data() + k * size_;
  multiply_(span_of(q, size_), span_of(next, size_));
  diagonal_.push_back(cblas_ddot(length, q, 1, next, 1));
  const double before = cblas_dnrm2(length, next, 1);
  // Includes what the three-term recurrence subtracts; the rest is rounding error that would otherwise grow.
  std::vector<double> overlap(width);
  for (int round = 0; round < 2; ++round) {
    cblas_dgemv(CblasColMajor, CblasTrans, length, width, 1.0, basis_.data(), length, next, 1, 0.0, overlap.data(), 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, length, width, -1.0, basis_.data(), length, overlap.data(), 1, 1.0, next,
                1);
  }
  const double left = cblas_dnrm2(length, next, 1);
  off_.push_back(left);
  largest_ = std::max(largest_, before);
  exhausted_ = k + 1 >= size_ || !(left > 1e-13 * largest_);
  for (Index i = 0; i < size_ && !exhausted_; ++i) next[i] /= left;
}

// LDL' of T + shift I: positive definite, so no pivoting.
std::vector<double> ShiftedLanczos::tridiagonal_solution(double shift) const {
  const Index k = std::ssize(diagonal_);
  std::vector<double> pivot(k), y(k);
  for (Index i = 0; i < k; ++i) {
    pivot[i] = diagonal_[i] + shift;
    y[i] = i == 0 ? norm_ : 0.0;
    if (i == 0) continue;
    const double l = off_[i - 1] / pivot[i - 1];
    pivot[i] -= l * off_[i - 1];
    y[i] -= l * y[i - 1];
  }
  for (Index i = k; i-- > 0;) {
    y[i] /= pivot[i];
    if (i + 1 < k) y[i] -= off_[i] / pivot[i] * y[i + 1];
  }
  return y;
}

double ShiftedLanczos::residual(double shift) const {
  if (exhausted_) return 0;
  if (diagonal_.empty()) return 1;
  return off_.back() * std::abs(tridiagonal_solution(shift).back()) / norm_;
}

bool ShiftedLanczos::extend(double shift, double tolerance, Index max_steps) {
  while (!exhausted_ && residual(shift) > tolerance) {
    if (steps() >= max_steps) return false;
    step();
  }
  return true;
}

void ShiftedLanczos::solve(double shift, std::span<double> x) const {
  if (diagonal_.empty()) {
    std::ranges::fill(x, 0.0);
    return;
  }
  const std::vector<double> y = tridiagonal_solution(shift);
  cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(size_), static_cast<int>(y.size()), 1.0, basis_.data(),
              static_cast<int>(size_), y.data(), 1, 0.0, x.data(), 1);
}

// The largest eigenvalue of T by bisection on Sylvester's law: T - t I has no positive pivot when t is above it.
double ShiftedLanczos::largest_eigenvalue() const {
  double high = 0;
  for (Index i = 0; i < std::ssize(diagonal_); ++i) {
    const double left = i > 0 ? off_[i - 1] : 0.0;
    const double right = i + 1 < std::ssize(diagonal_) ? off_[i] : 0.0;
    high = std::max(high, diagonal_[i] + left + right);
  }
  double low = 0;
  for (int round = 0; round < 60; ++round) {
    const double middle = 0.5 * (low + high);
    bool above = true;
    double pivot = 0;
    for (Index i = 0; i < std::ssize(diagonal_) && above; ++i) {
      pivot = diagonal_[i] - middle - (i > 0 ? off_[i - 1] * off_[i - 1] / pivot : 0.0);
      above = pivot < 0;
    }
    (above ? high : low) = middle;
  }
  return high;
}

}  // namespace tamis
