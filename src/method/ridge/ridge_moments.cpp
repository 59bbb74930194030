// One ridge problem given by moments: elimination of intercept and unpenalized columns, Lanczos for the rest.
//
// Model      [G_pp + penalty I, G_pf; G_fp, G_ff] [s; u] = [c_p; c_f], u the intercept and unpenalized columns
//            Schur complement: (G_pp - G_pf G_ff^+ G_fp + penalty I) s = c_p - G_pf G_ff^+ c_f,
//            u = G_ff^+ (c_f - G_fp s)
// Why        the penalty must be a multiple of the identity for one Lanczos process to serve every penalty; the
//            eliminated unknowns, which have none, would break that.
#include "method/ridge/ridge_moments.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return cblas_ddot(static_cast<int>(a.size()), a.data(), 1, b.data(), 1);
}

void multiply_gram(const Matrix& gram, std::span<const double> v, std::span<double> out) {
  const auto m = static_cast<int>(gram.rows());
  cblas_dsymv(CblasColMajor, CblasLower, m, 1.0, gram.col(0), m, v.data(), 1, 0.0, out.data(), 1);
}

// Moore-Penrose inverse: duplicated unpenalized columns share their coefficient. Eigenvalues below 1e-13 of the largest
// are taken as zero.
Matrix pseudo_inverse(Matrix A) {
  const Index q = A.rows();
  Matrix inverse(q, q);
  if (q == 0) return inverse;
  const std::vector<double> values = symmetric_eigen(A);
  for (Index k = 0; k < q; ++k) {
    const double value = values[k];
    if (!(value > 1e-13 * values.back())) continue;
    for (Index j = 0; j < q; ++j) {
      for (Index i = 0; i < q; ++i) inverse(i, j) += A(i, k) * A(j, k) / value;
    }
  }
  return inverse;
}

}  // namespace

double Moments::squared_error(const RidgeSolution& s) const {
  std::vector<double> image(s.coefficients.size());
  multiply_gram(gram, s.coefficients, image);
  // sum w (t - b0 - A s)^2, expanded.
  const double b0 = s.intercept;
  return squares - 2 * (b0 * response + dot(s.coefficients, cross)) + b0 * b0 * total +
         2 * b0 * dot(s.coefficients, sums) + dot(s.coefficients, image);
}

MomentSystem::MomentSystem(const Moments& moments, bool intercept, std::span<const double> penalized)
    : moments_(moments), intercept_(intercept), penalized_(penalized) {
  const Index m = moments.gram.rows();
  for (Index j = 0; j < m; ++j) {
    if (penalized[j] == 0) free_.push_back(j);
  }
  const Index first = intercept ? 1 : 0;
  const Index q = first + std::ssize(free_);
  coupling_ = Matrix(m, q);
  if (intercept) std::ranges::copy(moments.sums, coupling_.col(0));
  for (Index k = first; k < q; ++k) {
    std::ranges::copy(moments.gram.column(free_[k - first]), coupling_.col(k));
  }
  Matrix own(q, q);
  for (Index k = 0; k < q; ++k) {
    for (Index l = first; l < q; ++l) own(l, k) = coupling_(free_[l - first], k);
    if (intercept) own(0, k) = k == 0 ? moments.total : moments.sums[free_[k - 1]];
  }
  inverse_ = pseudo_inverse(std::move(own));
  reduced_ = eliminate(moments.cross, free_gradient(moments.cross, moments.response));
  lanczos_.emplace([this](auto v, auto out) { multiply(v, out); }, reduced_);
}

std::vector<double> MomentSystem::free_gradient(std::span<const double> gradient, double intercept_gradient) const {
  std::vector<double> free;
  if (intercept_) free.push_back(intercept_gradient);
  for (const Index j : free_) free.push_back(gradient[j]);
  return free;
}

std::vector<double> MomentSystem::apply_inverse(std::span<const double> free) const {
  std::vector<double> out(free.size());
  for (Index k = 0; k < std::ssize(free); ++k) out[k] = dot(inverse_.column(k), free);
  return out;
}

// Right side of the Schur complement; rows of unpenalized columns are set to zero.
std::vector<double> MomentSystem::eliminate(std::vector<double> gradient, std::span<const double> free) const {
  const std::vector<double> answer = apply_inverse(free);
  for (Index k = 0; k < std::ssize(answer); ++k) {
    cblas_daxpy(static_cast<int>(gradient.size()), -answer[k], coupling_.col(k), 1, gradient.data(), 1);
  }
  for (Index j = 0; j < std::ssize(gradient); ++j) gradient[j] *= penalized_[j];
  return gradient;
}

void MomentSystem::multiply(std::span<const double> v, std::span<double> out) const {
  multiply_gram(moments_.gram, v, out);
  std::vector<double> free(coupling_.cols());
  for (Index k = 0; k < std::ssize(free); ++k) free[k] = dot(coupling_.column(k), v);
  const std::vector<double> image = eliminate({out.begin(), out.end()}, free);
  std::ranges::copy(image, out.begin());
}

bool MomentSystem::extend(double penalty, double tolerance) {
  return lanczos_->extend(penalty, tolerance, std::ssize(reduced_));
}

RidgeSolution MomentSystem::with_free(std::vector<double> s, std::span<const double> free) const {
  // Back substitution: u = G_ff^+ (c_f - G_fp s).
  std::vector<double> left(free.begin(), free.end());
  for (Index k = 0; k < std::ssize(left); ++k) left[k] -= dot(coupling_.column(k), s);
  const std::vector<double> answer = apply_inverse(left);
  RidgeSolution out{std::move(s), intercept_ ? answer[0] : 0.0};
  const std::size_t first = intercept_ ? 1 : 0;
  for (Index k = 0; k < std::ssize(free_); ++k) {
    out.coefficients[free_[k]] = answer[first + k];
  }
  return out;
}

RidgeSolution MomentSystem::solve(double penalty) const {
  std::vector<double> s(reduced_.size());
  lanczos_->solve(penalty, s);
  return with_free(std::move(s), free_gradient(moments_.cross, moments_.response));
}

RidgeSolution MomentSystem::correct(double penalty, std::vector<double> gradient, double intercept_gradient,
                                    double tolerance) const {
  const std::vector<double> free = free_gradient(gradient, intercept_gradient);
  const std::vector<double> reduced = eliminate(std::move(gradient), free);
  ShiftedLanczos lanczos([this](auto v, auto out) { multiply(v, out); }, reduced);
  lanczos.extend(penalty, tolerance, std::ssize(reduced));
  std::vector<double> s(reduced.size());
  lanczos.solve(penalty, s);
  return with_free(std::move(s), free);
}

double MomentSystem::largest_curvature() {
  // Lanczos finds extreme eigenvalues first: thirty steps give three digits of the largest.
  lanczos_->extend(0, 1e-3, 30);
  return lanczos_->largest_eigenvalue();
}

double MomentSystem::null_gradient() const { return std::sqrt(dot(reduced_, reduced_)); }

double MomentSystem::objective(double penalty) const {
  std::vector<double> s(reduced_.size());
  lanczos_->solve(penalty, s);
  const std::vector<double> free = free_gradient(moments_.cross, moments_.response);
  return 0.5 * (moments_.squares - dot(free, apply_inverse(free)) - dot(reduced_, s));
}

}  // namespace tamis
