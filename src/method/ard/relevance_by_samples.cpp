// Posterior and scores from the n x n matrix Sigma / noise = I + Phi Gamma Phi' / noise = C C', for k > n.
//
// Fixed-point rules start with every feature, where the k x k matrix S of relevance.cpp would need p^2 numbers and the
// Gram rows of all features. Here features are visited in panels of 256, O(n^2 p) work and O(n^2) memory.
// Accuracy: 1 - gamma z cancels for strong features and Sigma is ill-conditioned at small noise. Both are harmless
// while thousands of weak features share the response, and the k x k form takes over as soon as k <= n.
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/ard/relevance.hpp"

namespace tamis {
namespace {

constexpr Index panel_features = 256;

// body(first, V) for panels V = C^-1 Phi_c of the columns c: q = V'C^-1 Y / noise and z = |v|^2 / noise follow from V.
template <class Body>
void for_each_panel(const RelevanceData& data, Columns c, const Matrix& factor, const Body& body) {
  Matrix V(data.samples(), std::min(panel_features, std::max<Index>(1, c.size())));
  for (Index first = 0; first < c.size(); first += panel_features) {
    const MatrixView part(V.col(0), data.samples(), std::min(panel_features, c.size() - first));
    data.panel(c.slice(first, part.cols), part);
    solve_lower(factor, part);
    body(first, part);
  }
}

double dot(const double* a, const double* b, Index n) { return cblas_ddot(static_cast<int>(n), a, 1, b, 1); }

}  // namespace

void Relevance::posterior_by_samples(RelevancePoint& point) const {
  const Index n = data_.samples(), k = point.size(), t = data_.targets();
  const double noise = point.model.noise_variance;
  point.by_samples = true;
  point.factor = Matrix(n, n);
  const Columns features(point.features);
  Matrix V(n, std::min(panel_features, k));
  for (Index first = 0; first < k; first += panel_features) {
    const MatrixView part(V.col(0), n, std::min(panel_features, k - first));
    data_.panel(features.slice(first, part.cols), part);
    for (Index a = 0; a < part.cols; ++a) {
      const double root = std::sqrt(point.feature_gamma[first + a] / noise);
      for (double& entry : part.column(a)) entry *= root;
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(n), static_cast<int>(part.cols), 1.0,
                part.data, static_cast<int>(n), 1.0, point.factor.col(0), static_cast<int>(n));
  }
  for (Index i = 0; i < n; ++i) point.factor(i, i) += 1;
  point.numerically_valid = cholesky(point.factor);
  if (!point.numerically_valid) return;
  Matrix Y = data_.weighted_response();
  solve_lower(point.factor, Y);
  point.mean = Matrix(k, t);
  point.remaining.resize(k);
  for_each_panel(data_, features, point.factor, [&](Index first, ConstMatrixView part) {
    for (Index a = 0; a < part.cols; ++a) {
      // mean = gamma q (Eq. 3), remaining = 1 - gamma z; rounding may push the latter below 0.
      const double share = point.feature_gamma[first + a] / noise;
      for (Index l = 0; l < t; ++l) point.mean(first + a, l) = share * dot(part.col(a), Y.col(l), n);
      point.remaining[first + a] = std::max(0.0, 1 - share * dot(part.col(a), part.col(a), n));
    }
  });
  double log_determinant = 0;
  for (Index i = 0; i < n; ++i) log_determinant += 2 * std::log(point.factor(i, i));
  take_cost(point, log_determinant);
}

void Relevance::score_by_samples(const RelevancePoint& point, std::vector<double>& q_squared,
                                 std::vector<double>& z) const {
  const Index n = data_.samples(), t = data_.targets();
  const double noise = point.model.noise_variance;
  Matrix Y = data_.weighted_response();
  solve_lower(point.factor, Y);
  for_each_panel(data_, data_.X().all(), point.factor, [&](Index first, ConstMatrixView part) {
    for (Index a = 0; a < part.cols; ++a) {
      z[first + a] = dot(part.col(a), part.col(a), n) / noise;
      q_squared[first + a] = 0;
      for (Index l = 0; l < t; ++l) {
        q_squared[first + a] += std::pow(dot(part.col(a), Y.col(l), n) / noise, 2) / static_cast<double>(t);
      }
    }
  });
}

}  // namespace tamis
