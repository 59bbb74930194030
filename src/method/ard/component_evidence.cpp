// Evidence of the variances of covariance components: value, gradient and curvature.
//
// Model      L(x, noise) = log|Sigma| + tr(Y'Sigma^-1 Y) / t + penalty: Eq. 21 of Wipf & Nagarajan (2007), YY' for XX'
//            Sigma = noise I + sum_i x_i K_i  (Eq. 20)
// Gradient   dL/dx_i = z_i - q_i^2,  z_i = tr(Sigma^-1 K_i),  q_i^2 = tr(Y'Sigma^-1 K_i Sigma^-1 Y) / t; the noise is
//            one more component, with the identity as kernel.
// Numerics   Sigma = C C' in the smaller of the spaces of component_data.hpp; traces are sums of squares of C^-1 T_i,
//            and the fit is |C^-1 Y|^2: no differences. The dimensions outside the space hold noise alone.
// Cost       m^3 / 3 for the factor, m^2 R for all z (R columns of all factors): shared between threads.
#include "method/ard/component_evidence.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/cholesky.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr Index panel_columns = 64;
constexpr Index least_shared_rows = 256;  // of a factorization that threads share

double inner(ConstMatrixView A, ConstMatrixView B) {
  double sum = 0;
  for (Index j = 0; j < A.cols; ++j) sum += cblas_ddot(static_cast<int>(A.rows), A.col(j), 1, B.col(j), 1);
  return sum;
}

// tr(A B) of two square matrices.
double trace_of_product(const Matrix& A, const Matrix& B) {
  double sum = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    sum += cblas_ddot(static_cast<int>(A.rows()), A.col(j), 1, B.col(0) + j, static_cast<int>(B.rows()));
  }
  return sum;
}

bool factorize(Matrix& A) { return A.rows() < least_shared_rows ? cholesky(A) : shared_cholesky(A); }

}  // namespace

// Lower triangle.
Matrix ComponentEvidence::covariance(const ComponentVariances& variances) const {
  const Index m = data_.rows();
  Matrix sigma(m, m);
  Index columns = 0;
  for (Index i = 0; i < data_.size(); ++i) {
    if (variances.x[i] > 0 && !data_[i].is_dense()) columns += data_[i].rank;
  }
  Matrix scaled(m, columns);
  Index next = 0;
  for (Index i = 0; i < data_.size(); ++i) {
    const double x = variances.x[i];
    if (!(x > 0)) continue;
    if (data_[i].is_dense()) {
      for (Index b = 0; b < m; ++b) {
        cblas_daxpy(static_cast<int>(m - b), x, data_[i].kernel.col(b) + b, 1, sigma.col(b) + b, 1);
      }
      continue;
    }
    const ConstMatrixView T = data_.factor(i);
    const double root = std::sqrt(x);
    for (Index a = 0; a < T.cols; ++a, ++next) {
      std::ranges::transform(T.column(a), scaled.col(next), [&](double v) { return root * v; });
    }
  }
  if (columns > 0 && m > 0) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(m), static_cast<int>(columns), 1.0,
                scaled.col(0), static_cast<int>(m), 1.0, sigma.col(0), static_cast<int>(m));
  }
  for (Index k = 0; k < m; ++k) sigma(k, k) += variances.noise;
  return sigma;
}

double ComponentEvidence::penalty_of(const ComponentVariances& at, const ComponentPenalty& penalty) const {
  double sum = 0;
  for (Index i = 0; i < std::ssize(penalty.weight); ++i) {
    const double rank = data_[i].effective_rank;
    sum += penalty.weight[i] * rank * std::log1p(at.x[i] * penalty.scale[i] / rank);
  }
  return sum;
}

double ComponentEvidence::slope(const ComponentPoint& point, const ComponentPenalty& penalty, Index i) const {
  if (i == data_.size() || penalty.weight.empty()) return point.z[i];
  return point.z[i] + penalty.weight[i] * penalty.scale[i] / penalty_share(point, penalty, i);
}

double ComponentEvidence::penalty_curvature(const ComponentPoint& point, const ComponentPenalty& penalty,
                                            Index i) const {
  if (i == data_.size() || penalty.weight.empty()) return 0;
  const double scale = penalty.scale[i], share = penalty_share(point, penalty, i);
  return -penalty.weight[i] * scale * scale / (data_[i].effective_rank * share * share);
}

ComponentPoint ComponentEvidence::at(ComponentVariances variances, const ComponentPenalty& penalty,
                                     Slopes wanted) const {
  ComponentPoint point;
  point.at = std::move(variances);
  const double noise = point.at.noise, t = static_cast<double>(data_.targets());
  point.factor = covariance(point.at);
  if (!(noise > 0) || !factorize(point.factor)) return point;
  point.half = data_.response();
  solve_lower(point.factor, point.half);
  point.weighted = point.half;
  solve_lower(point.factor, point.weighted, /*transposed=*/true);
  point.fit = (inner(point.half, point.half) + data_.outside_square() / noise) / t;
  point.cost =
      data_.outside() * std::log(noise) + log_determinant(point.factor) + point.fit + penalty_of(point.at, penalty);
  point.valid = std::isfinite(point.cost);
  if (!point.valid) return point;
  take_q(point);
  take_z(point, wanted);
  return point;
}

void ComponentEvidence::take_q(ComponentPoint& point) const {
  const double t = static_cast<double>(data_.targets()), noise = point.at.noise;
  point.q_squared.assign(data_.size() + 1, 0.0);
  const Matrix along = multiply_transposed(data_.factors(), point.weighted);
  for (Index i = 0; i < data_.size(); ++i) {
    if (!data_[i].plays) continue;
    double sum = 0;
    if (data_[i].is_dense()) {
      sum = inner(point.weighted, multiply(data_[i].kernel, point.weighted));
    } else {
      for (Index l = 0; l < along.cols(); ++l) {
        for (Index a = 0; a < data_[i].rank; ++a) sum += std::pow(along(data_[i].first + a, l), 2);
      }
    }
    point.q_squared[i] = sum / t;
  }
  point.q_squared.back() = (inner(point.weighted, point.weighted) + data_.outside_square() / (noise * noise)) / t;
}

void ComponentEvidence::take_z(ComponentPoint& point, Slopes wanted) const {
  if (!point.z.empty() || wanted == Slopes::none) return;
  const Index m = data_.rows();
  point.z.assign(data_.size() + 1, 0.0);
  std::vector<double> squares(data_.factors().cols());
  parallel_for(std::ssize(squares), panel_columns, [&](Index begin, Index end) {
    Matrix V(m, end - begin);
    for (Index a = begin; a < end; ++a) std::ranges::copy(data_.factors().column(a), V.col(a - begin));
    solve_lower(point.factor, V);
    for (Index a = begin; a < end; ++a) {
      squares[a] = cblas_ddot(static_cast<int>(m), V.col(a - begin), 1, V.col(a - begin), 1);
    }
  });
  bool dense = false;
  for (Index i = 0; i < data_.size(); ++i) dense = dense || data_[i].is_dense();
  const bool noise = wanted == Slopes::components_and_noise;
  if (dense || noise) {
    point.inverse = point.factor;
    invert_factored(point.inverse);
  }
  const Matrix& inverse = point.inverse;
  for (Index i = 0; i < data_.size(); ++i) {
    if (!data_[i].plays) continue;
    if (data_[i].is_dense()) {
      point.z[i] = inner(inverse, data_[i].kernel);
    } else {
      for (Index a = 0; a < data_[i].rank; ++a) point.z[i] += squares[data_[i].first + a];
    }
  }
  point.z.back() = std::numeric_limits<double>::quiet_NaN();
  if (!noise) return;
  point.z.back() = data_.outside() / point.at.noise;
  for (Index k = 0; k < m; ++k) point.z.back() += inverse(k, k);
}

// K_i Sigma^-1 Y; for the noise Sigma^-1 Y.
Matrix ComponentEvidence::explained(const ComponentPoint& point, Index i) const {
  if (i == data_.size()) return point.weighted;
  if (data_[i].is_dense()) return multiply(data_[i].kernel, point.weighted);
  return multiply(data_.factor(i), multiply_transposed(data_.factor(i), point.weighted));
}

ComponentEvidence::Curvature ComponentEvidence::curvature(const ComponentPoint& point, std::span<const Index> which,
                                                          bool want_log_determinant) const {
  const Index count = std::ssize(which), t = data_.targets(), m = data_.rows();
  Curvature result{Matrix(count, count), {}};
  Matrix stacked(m * t, count);
  for (Index a = 0; a < count; ++a) {
    const Matrix part = explained(point, which[a]);
    for (Index l = 0; l < t; ++l) std::ranges::copy(part.column(l), stacked.col(a) + l * m);
  }
  solve_lower(point.factor, MatrixView(stacked.col(0), m, t * count));
  add_inner_product(stacked, result.fit);
  for (Index b = 0; b < count; ++b) {
    for (Index a = b; a < count; ++a) result.fit(a, b) *= 2 / static_cast<double>(t);
    if (which[b] == data_.size()) {
      result.fit(b, b) += 2 * data_.outside_square() / (std::pow(point.at.noise, 3) * static_cast<double>(t));
    }
  }
  if (want_log_determinant) result.log_determinant = log_determinant_curvature(point, which);
  return result;
}

// Between factors |B_i'B_j|^2 with B = C^-1 T; the others by the inverse, which the slopes of kernels have needed.
Matrix ComponentEvidence::log_determinant_curvature(const ComponentPoint& point, std::span<const Index> which) const {
  constexpr Index most_kernels = 4, most_columns = 3000;
  std::vector<Index> kernels, factors, starts{0};
  for (Index a = 0; a < std::ssize(which); ++a) {
    const Index i = which[a];
    if (i == data_.size() || data_[i].is_dense()) {
      kernels.push_back(a);
    } else {
      factors.push_back(a);
      starts.push_back(starts.back() + data_[i].rank);
    }
  }
  if (std::ssize(kernels) > most_kernels || starts.back() > most_columns) return {};
  Matrix H(std::ssize(which), std::ssize(which)), B(data_.rows(), starts.back());
  for (Index f = 0; f < std::ssize(factors); ++f) {
    const ConstMatrixView T = data_.factor(which[factors[f]]);
    for (Index a = 0; a < T.cols; ++a) std::ranges::copy(T.column(a), B.col(starts[f] + a));
  }
  solve_lower(point.factor, B);
  const auto set = [&](Index a, Index b, double value) { H(a, b) = H(b, a) = value; };
  const auto part = [&](const Matrix& of, Index f) {
    return ConstMatrixView(of.col(starts[f]), of.rows(), starts[f + 1] - starts[f]);
  };
  for (Index f = 0; f < std::ssize(factors); ++f) {
    const Matrix G = multiply_transposed(part(B, f), ConstMatrixView(B.col(starts[f]), B.rows(), B.cols() - starts[f]));
    for (Index g = f; g < std::ssize(factors); ++g) {
      const ConstMatrixView block(G.col(starts[g] - starts[f]), G.rows(), starts[g + 1] - starts[g]);
      set(factors[f], factors[g], inner(block, block));
    }
  }
  if (kernels.empty()) return H;
  solve_lower(point.factor, B, /*transposed=*/true);  // Sigma^-1 T
  std::vector<Matrix> weighted;                       // Sigma^-1 K
  for (const Index a : kernels) {
    const bool noise = which[a] == data_.size();
    weighted.push_back(noise ? point.inverse : multiply(point.inverse, data_[which[a]].kernel));
    for (Index l = 0; l < std::ssize(weighted); ++l) set(a, kernels[l], trace_of_product(weighted.back(), weighted[l]));
    const Matrix KB = noise ? B : multiply(data_[which[a]].kernel, B);
    for (Index f = 0; f < std::ssize(factors); ++f) set(a, factors[f], inner(part(B, f), part(KB, f)));
    if (noise) H(a, a) += data_.outside() / (point.at.noise * point.at.noise);
  }
  return H;
}

}  // namespace tamis
