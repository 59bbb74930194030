// Leave-one-out evidence of a component.
//
// Model      without component i, G = T_i'Sigma^-1 T_i = E diag(g) E' becomes s_j = g_j / (1 - x g_j), and the rotated
//            q_j = (E'T_i'Sigma^-1 Y)_j becomes q_j / (1 - x g_j). The cost of its variance is then
//            sum_j log(1 + x s_j) - q_j^2 x / (1 + x s_j) / t, the form of Tipping & Faul (2003) for any rank.
#include <algorithm>
#include <cmath>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/ard/component_evidence.hpp"

namespace tamis {
namespace {

// Of one variance, the others fixed.
struct OneVariance {
  std::vector<double> s, q_squared;

  double cost(double x) const {
    double sum = 0;
    for (Index j = 0; j < std::ssize(s); ++j) sum += std::log1p(x * s[j]) - q_squared[j] * x / (1 + x * s[j]);
    return sum;
  }
};

// The lowest of a grid in log x, then a golden section between its neighbors: the cost may have several minima.
double lowest(const OneVariance& one) {
  constexpr int points = 60;
  constexpr double range = 1e-6, golden = 0.6180339887498949;
  double limit = 0;  // above it every term rises
  for (Index j = 0; j < std::ssize(one.s); ++j) {
    if (one.s[j] > 0) limit = std::max(limit, one.q_squared[j] / (one.s[j] * one.s[j]));
  }
  if (!(limit > 0) || !std::isfinite(limit)) return 0;
  const double step = std::log(1 / range) / points;
  const auto at = [&](double k) { return limit * range * std::exp(step * k); };
  int best = 0;
  for (int k = 1; k <= points; ++k) {
    if (one.cost(at(k)) < one.cost(at(best))) best = k;
  }
  double low = best - 1, high = best + 1;
  for (int k = 0; k < 60; ++k) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    const bool left = one.cost(at(a)) < one.cost(at(b));
    (left ? high : low) = left ? b : a;
  }
  return std::min(0.0, one.cost(at((low + high) / 2)));
}

}  // namespace

// C^-1 K_i C^-T, which has the eigenvalues of K_i Sigma^-1.
Matrix ComponentEvidence::standardized_kernel(const ComponentPoint& point, Index i) const {
  Matrix W = data_[i].kernel;
  solve_lower(point.factor, W);
  solve_lower_right(point.factor, W);
  return W;
}

double ComponentEvidence::gain(const ComponentPoint& point, Index i) const {
  if (!data_[i].plays) return 0;
  std::vector<double> g;
  Matrix q;  // E'T'Sigma^-1 Y
  if (data_[i].is_dense()) {
    Matrix E = standardized_kernel(point, i);
    g = symmetric_eigen(E);
    q = multiply_transposed(E, point.half);
    for (Index l = 0; l < q.cols(); ++l) {
      for (Index j = 0; j < q.rows(); ++j) q(j, l) *= std::sqrt(std::max(0.0, g[j]));
    }
  } else {
    Matrix B(data_.rows(), data_[i].rank);
    for (Index a = 0; a < B.cols(); ++a) std::ranges::copy(data_.factor(i).column(a), B.col(a));
    solve_lower(point.factor, B);
    Matrix E = multiply_transposed(B, B);
    g = symmetric_eigen(E);
    q = multiply_transposed(E, multiply_transposed(B, point.half));
  }
  constexpr double least_remaining = 1e-14;  // of a prior variance: what rounding leaves of it
  OneVariance one;
  for (Index j = 0; j < std::ssize(g); ++j) {
    const double remaining = std::max(least_remaining, 1 - point.at.x[i] * g[j]);
    if (!(g[j] > 0)) continue;
    one.s.push_back(g[j] / remaining);
    double square = 0;
    for (Index l = 0; l < q.cols(); ++l) square += q(j, l) * q(j, l) / static_cast<double>(q.cols());
    one.q_squared.push_back(square / (remaining * remaining));
  }
  return -lowest(one) / 2;
}

double ComponentEvidence::theta(const ComponentPoint& point, Index i) const {
  if (!data_[i].plays || !(point.z[i] > 0)) return 0;
  constexpr double least_remaining = 1e-14;
  return point.q_squared[i] / point.z[i] / std::max(least_remaining, 1 - point.at.x[i] * point.z[i]);
}

}  // namespace tamis
