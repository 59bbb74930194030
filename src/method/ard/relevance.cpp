// Posterior, cost and optimality certificate at given prior variances, in feature space.
//
// Model      Sigma = noise I + Phi Gamma Phi'; with D = sqrt(Gamma), G = Phi'Phi of the selected features and
//            S = noise I + D G D = C C' (k x k), Woodbury and the determinant lemma give
//              mean        D S^-1 D Phi'Y                          Wipf & Nagarajan (2007), Eq. 4
//              covariance  noise D S^-1 D                          Eq. 4
//              log|Sigma|  (n - k) log noise + log|S|
//              Y'Sigma^-1 Y = |Y - Phi mean|^2 / noise + mean'Gamma^-1 mean          Eq. 13 at its minimum
// Numerics   every quantity is a sum of nonnegative terms. The textbook y'y - b'S^-1 b and gamma - gamma^2 z cancel: at
//            noise 1e-12 the n x n Cholesky factor of Sigma is wrong by 2.5e-4, these forms by 4e-16.
// Intercept  integrated out under a flat prior: Phi and Y are centered and n is replaced by the degrees of freedom.
#include "method/ard/relevance.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {

namespace {

// Up to this many features S is factored even when k > n: k^3 is still cheap, and S is accurate at any noise.
constexpr Index few_features = 300;

}  // namespace

void Relevance::list_features(RelevancePoint& point) const {
  for (Index k = 0; k < std::ssize(point.feature_groups); ++k) {
    for (const Index j : data_.members(point.feature_groups[k])) {
      point.features.push_back(j);
      point.feature_gamma.push_back(point.gamma[k]);
    }
  }
}

// Cholesky factor of S = noise I + D G D. When the noise is below the rounding error of the largest entry, S can be
// numerically indefinite (e.g. duplicated columns): then a jitter of that rounding error is added to the diagonal.
bool Relevance::factor(RelevancePoint& point) const {
  const Index k = point.size();
  double largest = 0;
  for (Index a = 0; a < k; ++a) {
    largest = std::max(largest, point.feature_gamma[a] * rows_.gram(point.places[a], point.places[a]));
  }
  if (!std::isfinite(largest)) return false;
  const double jitter = std::numeric_limits<double>::epsilon() * static_cast<double>(k + 1) * largest;
  for (const double added : {0.0, jitter, 10 * jitter}) {
    point.factor = Matrix(k, k);
    for (Index b = 0; b < k; ++b) {
      for (Index a = b; a < k; ++a) {
        point.factor(a, b) = std::sqrt(point.feature_gamma[a]) * std::sqrt(point.feature_gamma[b]) *
                             rows_.gram(point.places[a], point.places[b]);
      }
      point.factor(b, b) += point.model.noise_variance + added;
    }
    if (cholesky(point.factor)) return true;
  }
  return false;
}

// Posterior mean and, for each feature, posterior over prior variance: Sigma_aa / gamma_a = noise (S^-1)_aa.
void Relevance::take_mean(RelevancePoint& point) const {
  const Index k = point.size(), t = data_.targets();
  point.mean = Matrix(k, t);
  for (Index l = 0; l < t; ++l) {
    for (Index a = 0; a < k; ++a) {
      point.mean(a, l) = std::sqrt(point.feature_gamma[a]) * data_.correlations()(point.features[a], l);
    }
  }
  point.remaining.assign(k, 0.0);
  if (k == 0) return;
  solve_positive(point.factor, point.mean);
  for (Index l = 0; l < t; ++l) {
    for (Index a = 0; a < k; ++a) point.mean(a, l) *= std::sqrt(point.feature_gamma[a]);
  }
  // (S^-1)_aa = |column a of C^-1|^2: a sum of squares instead of a difference.
  Matrix inverse(k, k);
  for (Index a = 0; a < k; ++a) inverse(a, a) = 1;
  solve_lower(point.factor, inverse);
  for (Index b = 0; b < k; ++b) {
    double sum = 0;
    for (Index a = b; a < k; ++a) sum += inverse(a, b) * inverse(a, b);
    point.remaining[b] = std::min(1.0, point.model.noise_variance * sum);
  }
}

// L = dof log noise + log|S / noise| + (|Y - Phi mean|^2 / noise + sum mean^2 / gamma) / t + penalty, Eqs. 2 and 21 by
// Eq. 13, from the residual itself. At constrained coefficients Eq. 13 gives an upper bound of L, which is what the
// constrained algorithm lowers.
void Relevance::take_cost(RelevancePoint& point, double log_determinant) const {
  const double noise = point.model.noise_variance, t = static_cast<double>(data_.targets());
  double prior = 0, multiplicity = 0;
  for (Index a = 0; a < point.size(); ++a) {
    for (Index l = 0; l < data_.targets(); ++l) prior += point.mean(a, l) * point.mean(a, l) / point.feature_gamma[a];
  }
  for (Index u = 0; u < std::ssize(point.feature_groups); ++u) {
    multiplicity += std::log1p(point.gamma[u] * data_.group_norms()[point.feature_groups[u]] / noise);
  }
  point.residual_square = data_.square(data_.residual(point.features, point.mean));
  point.cost = data_.degrees_of_freedom() * std::log(noise) + log_determinant +
               (point.residual_square / noise + prior) / t + point.model.penalty * multiplicity;
  point.numerically_valid = std::isfinite(point.cost);
}

RelevancePoint Relevance::posterior_at(std::vector<Index> feature_groups, std::vector<double> gamma,
                                       const RelevanceCost& model, const Matrix* coefficients) {
  RelevancePoint point;
  point.model = model;
  point.feature_groups = std::move(feature_groups);
  point.gamma = std::move(gamma);
  list_features(point);
  // k > n: the n x n matrix is the smaller one (relevance_by_samples.cpp).
  if (point.size() > std::max(few_features, data_.samples()) && coefficients == nullptr) {
    posterior_by_samples(point);
    return point;
  }
  rows_.add(point.features);
  point.places.reserve(point.features.size());
  for (const Index j : point.features) point.places.push_back(rows_.place(j));
  if (!factor(point)) {
    point.numerically_valid = false;
    return point;
  }
  take_mean(point);
  if (coefficients != nullptr) {
    point.mean = *coefficients;
    point.constrained = true;
  }
  double log_determinant = 0;  // of S / noise
  for (Index a = 0; a < point.size(); ++a) {
    log_determinant += 2 * std::log(point.factor(a, a)) - std::log(model.noise_variance);
  }
  take_cost(point, log_determinant);
  return point;
}

// noise (C^-1 D)'(C^-1 D): one triangular solve and one symmetric product.
Matrix Relevance::covariance(const RelevancePoint& point) const {
  const Index k = point.size();
  Matrix covariance(k, k);
  for (Index a = 0; a < k; ++a) covariance(a, a) = std::sqrt(point.feature_gamma[a]);
  if (k == 0) return covariance;
  const auto size = static_cast<int>(k);
  solve_lower(point.factor, covariance);
  Matrix result(k, k);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, size, size, point.model.noise_variance, covariance.col(0), size,
              0.0, result.col(0), size);
  for (Index b = 0; b < k; ++b) {
    for (Index a = b + 1; a < k; ++a) result(b, a) = result(a, b);
  }
  return result;
}

// KKT conditions of L: |q|^2 / t = z where gamma > 0, <= z where gamma = 0, relative to z. Local minima satisfy them
// too: the certificate proves stationarity, not that the minimum is global.
Certificate Relevance::certificate(const RelevancePoint& point, const RelevanceScores& scores,
                                   std::span<const char> allowed) const {
  Certificate worst;
  std::vector<char> in(data_.feature_groups(), 0);
  for (Index k = 0; k < std::ssize(point.feature_groups); ++k) {
    const Index u = point.feature_groups[k];
    in[u] = 1;
    const double z = with_penalty(scores.z[u], u, point.gamma[k], point.model);
    worst.active = std::max(worst.active, std::abs(scores.q_squared[u] / z - 1));
  }
  for (Index u = 0; u < data_.feature_groups(); ++u) {
    if (in[u] != 0 || data_.group_norms()[u] == 0 || (!allowed.empty() && allowed[u] == 0)) continue;
    const double z = with_penalty(scores.z[u], u, 0, point.model);
    worst.inactive = std::max(worst.inactive, scores.q_squared[u] / z - 1);
  }
  return worst;
}

}  // namespace tamis
