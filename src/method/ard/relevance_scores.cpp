// q^2 and z of every feature from the rows of the Gram matrix, without a pass over X.
//
// Model      q = Phi'(Y - Phi_A mean) / noise,  z = diag(Phi'Sigma^-1 Phi) = (|phi|^2 - |C^-1 D Phi_A'phi|^2) / noise
//            (Wipf & Nagarajan 2007, Eq. 10 for z), C C' = S as in relevance.cpp, A the selected features.
// Hazard     both are differences. Where the result is small against its terms it is replaced:
//              selected feature, posterior narrower than half the prior   q = mean / gamma, z = (1 - remaining) / gamma
//              z noise < 1e-5 |phi|^2                                     z from an explicit residual
//              (recompute_cancelled)
// Cost       O(p k^2) for the triangular solve, in panels of 512 features that stay in cache, shared among threads.
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "linalg/dense_algebra.hpp"
#include "method/ard/relevance.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Below this share 1 - remaining does not cancel, so z = (1 - remaining) / gamma is accurate.
constexpr double reliable_share = 0.5;
constexpr Index panel_features = 512;

// Where coefficients may not be negative, a gradient towards negative ones is no reason to enter.
double allowed_gradient(const RelevancePoint& point, double gradient) {
  return point.constrained ? std::max(0.0, gradient) : gradient;
}

}  // namespace

// |q|^2 / t and z of features first .. first + count - 1; D Phi_A'phi is packed once and serves both.
void Relevance::score_panel(const RelevancePoint& point, Index first, Index count, std::vector<double>& q_squared,
                            std::vector<double>& z) const {
  const Index k = point.size(), t = data_.targets();
  const double noise = point.model.noise_variance;
  const Scratch packed(count * std::max<Index>(k, 1)), gradient(count);
  for (Index a = 0; a < k; ++a) {
    const double root = std::sqrt(point.feature_gamma[a]);
    const double* row = rows_.row(point.places[a]) + first;
    double* to = packed.data() + a * count;
    for (Index i = 0; i < count; ++i) to[i] = root * row[i];
  }
  std::fill_n(q_squared.begin() + first, count, 0.0);
  for (Index l = 0; l < t; ++l) {
    std::copy_n(data_.correlations().col(l) + first, count, gradient.data());
    for (Index a = 0; a < k; ++a) {
      const double b = point.mean(a, l) / std::sqrt(point.feature_gamma[a]);
      const double* from = packed.data() + a * count;
      for (Index i = 0; i < count; ++i) gradient[i] -= b * from[i];
    }
    for (Index i = 0; i < count; ++i) {
      const double q = allowed_gradient(point, gradient[i]) / noise;
      q_squared[first + i] += q * q / static_cast<double>(t);
    }
  }
  if (k > 0) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, static_cast<int>(count),
                static_cast<int>(k), 1.0, point.factor.col(0), static_cast<int>(k), packed.data(),
                static_cast<int>(count));
  }
  double* out = z.data() + first;
  std::copy_n(data_.squared_norms().data() + first, count, out);
  for (Index a = 0; a < k; ++a) {
    const double* from = packed.data() + a * count;
    for (Index i = 0; i < count; ++i) out[i] -= from[i] * from[i];
  }
  for (Index i = 0; i < count; ++i) out[i] /= noise;
}

// z = min_b |phi - Phi_A b|^2 / noise + b'Gamma^-1 b, the identity of Eq. 13 for phi in place of y: a sum of squares,
// and an error in b counts only squared, because b minimizes it.
void Relevance::recompute_cancelled(const RelevancePoint& point, std::span<const Index> features,
                                    std::vector<double>& z) const {
  constexpr std::size_t at_once = 64;
  const Index k = point.size();
  for (Index from = 0; from < std::ssize(features); from += at_once) {
    const std::span<const Index> some = features.subspan(from, std::min(at_once, features.size() - from));
    const Index count = some.size();
    Matrix B(k, count);
    for (Index l = 0; l < count; ++l) {
      for (Index a = 0; a < k; ++a) {
        B(a, l) = std::sqrt(point.feature_gamma[a]) * rows_.row(point.places[a])[some[l]];
      }
    }
    solve_positive(point.factor, B);
    std::vector<double> prior(some.size(), 0.0), distance(some.size());
    for (Index l = 0; l < count; ++l) {
      for (Index a = 0; a < k; ++a) {
        prior[l] += B(a, l) * B(a, l);
        B(a, l) *= std::sqrt(point.feature_gamma[a]);
      }
    }
    data_.distances(some, point.features, B, distance);
    for (Index l = 0; l < count; ++l) z[some[l]] = distance[l] / point.model.noise_variance + prior[l];
  }
}

Matrix Relevance::gradient(const RelevancePoint& point) const {
  Matrix q = data_.correlations();
  for (Index l = 0; l < q.cols(); ++l) {
    for (Index a = 0; a < point.size(); ++a) {
      cblas_daxpy(static_cast<int>(q.rows()), -point.mean(a, l), rows_.row(point.places[a]), 1, q.col(l), 1);
    }
    for (double& entry : q.column(l)) entry /= point.model.noise_variance;
  }
  return q;
}

// Selected features whose data outweigh the prior: z and q from the posterior, where the difference would cancel.
// Under a constraint the mean is not the posterior mean, and q must come from the gradient.
void Relevance::scores_from_posterior(const RelevancePoint& point, std::vector<char>& known,
                                      std::vector<double>& q_squared, std::vector<double>& z) const {
  for (Index a = 0; a < point.size(); ++a) {
    const Index j = point.features[a];
    if (point.remaining[a] > reliable_share) continue;
    z[j] = (1 - point.remaining[a]) / point.feature_gamma[a];
    known[j] = 1;
    if (point.constrained) continue;
    q_squared[j] = 0;
    for (Index l = 0; l < data_.targets(); ++l) {
      const double q = point.mean(a, l) / point.feature_gamma[a];
      q_squared[j] += q * q / static_cast<double>(data_.targets());
    }
  }
}

// Panels are independent: every thread writes its own range of z and q^2.
void Relevance::score_by_features(const RelevancePoint& point, std::vector<double>& q_squared,
                                  std::vector<double>& z) const {
  const Index p = data_.features();
  const Index panels = (p + panel_features - 1) / panel_features;
  parallel_for(panels, 1, [&](Index begin, Index end) {
    for (Index at = begin; at < end; ++at) {
      const Index first = at * panel_features;
      score_panel(point, first, std::min(panel_features, p - first), q_squared, z);
    }
  });
  std::vector<char> known(p, 0);
  scores_from_posterior(point, known, q_squared, z);
  std::vector<Index> cancelled;
  for (Index j = 0; j < p; ++j) {
    if (known[j] == 0 && is_cancelled(j, point.model.noise_variance, z[j])) cancelled.push_back(j);
  }
  recompute_cancelled(point, cancelled, z);
}

RelevanceScores Relevance::scores(const RelevancePoint& point) const {
  const Index p = data_.features();
  std::vector<double> q_squared(p), z(p);
  if (point.by_samples) {
    score_by_samples(point, q_squared, z);
  } else {
    score_by_features(point, q_squared, z);
  }
  // A group's conditions are those of the sums over its members: z_u = tr(Phi_u'Sigma^-1 Phi_u).
  if (!data_.has_groups()) return {std::move(q_squared), std::move(z)};
  RelevanceScores scores{std::vector<double>(data_.group_norms().size(), 0.0),
                         std::vector<double>(data_.group_norms().size(), 0.0)};
  for (Index j = 0; j < p; ++j) {
    scores.q_squared[data_.group_of(j)] += q_squared[j];
    scores.z[data_.group_of(j)] += z[j];
  }
  return scores;
}

void Relevance::score_groups(const RelevancePoint& point, std::span<const Index> feature_groups,
                             RelevanceScores& scores) const {
  if (point.by_samples) {
    scores = this->scores(point);
    return;
  }
  // Column by column instead of by panels: the callers ask for a few groups of thousands.
  std::vector<Index> features;
  for (const Index u : feature_groups) {
    const std::span<const Index> members = data_.members(u);
    features.insert(features.end(), members.begin(), members.end());
    scores.q_squared[u] = scores.z[u] = 0;
  }
  const Index k = point.size(), count = std::ssize(features);
  const double noise = point.model.noise_variance, t = static_cast<double>(data_.targets());
  const Index p = data_.features();
  std::vector<double> z(p), q_squared(p);
  Matrix B(k, count);
  for (Index i = 0; i < count; ++i) {
    const Index j = features[i];
    for (Index a = 0; a < k; ++a) B(a, i) = rows_.row(point.places[a])[j];
    for (Index l = 0; l < data_.targets(); ++l) {
      double gradient = data_.correlations()(j, l);
      for (Index a = 0; a < k; ++a) gradient -= B(a, i) * point.mean(a, l);
      gradient = allowed_gradient(point, gradient);
      q_squared[j] += gradient * gradient / (noise * noise * t);
    }
    for (Index a = 0; a < k; ++a) B(a, i) *= std::sqrt(point.feature_gamma[a]);
  }
  solve_lower(point.factor, B);
  for (Index i = 0; i < count; ++i) {
    double left = data_.squared_norms()[features[i]];
    for (Index a = 0; a < k; ++a) left -= B(a, i) * B(a, i);
    z[features[i]] = left / noise;
  }
  std::vector<char> known(p, 0);
  scores_from_posterior(point, known, q_squared, z);
  std::vector<Index> cancelled;
  for (const Index j : features) {
    if (known[j] == 0 && is_cancelled(j, noise, z[j])) cancelled.push_back(j);
  }
  recompute_cancelled(point, cancelled, z);
  for (const Index j : features) {
    scores.q_squared[data_.group_of(j)] += q_squared[j];
    scores.z[data_.group_of(j)] += z[j];
  }
}

}  // namespace tamis
