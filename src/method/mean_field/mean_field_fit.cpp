// From working-scale posteriors to a Fit, for vg and pmf.
//
// q(s_j = 1) = m_j, q(w_j | s_j = 1) = N(mu_j, v_j) gives for the coefficient b_j = s_j w_j
//   E b_j = m_j mu_j,   Var b_j = m_j (v_j + (1 - m_j) mu_j^2).
// pmf has v_j from its own q. vg has point estimates of w: its v_j is the Laplace approximation, the inverse curvature
// of the loss in the weights of the features with m > 1/2, intercept profiled out; for the others 1 / (x'Wx / noise).
// The curvature is that of the likelihood, not of the quadratic bound, whose curvature is smaller by design.
#include "method/mean_field/mean_field_fit.hpp"

#include <cmath>
#include <numeric>

#include "family/null_intercept.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// Curvature of each row's loss at the predictor of these working coefficients, per unit of total weight and of noise
// precision: multiplied by the precision of a tiny response, squares of huge columns would overflow.
std::vector<double> row_precisions(const Problem& problem, const Standardization& scale, const MeanFieldPoint& point,
                                   const std::vector<Index>& columns, const std::vector<double>& coefficients) {
  const Index n = std::ssize(problem.y);
  std::vector<double> eta(n, point.intercept), residual(n), precisions(n);
  for (Index i = 0; i < std::ssize(problem.offset); ++i) eta[i] += problem.offset[i];
  scale.X().multiply_add(Columns(columns), std::span<const double>(coefficients), std::span<double>(eta));
  problem.likelihood.derivatives(problem.y, eta, residual, precisions);
  for (Index i = 0; i < n; ++i) precisions[i] *= scale.weights()[i];
  return precisions;
}

}  // namespace

// Diagonal of (X'DX - X'd d'X / sum d)^-1 over the features with m > 1/2, D = diag(d) the rows' curvature: the Schur
// complement of the intercept. Collinear features have no inverse; they keep the variances of one feature alone.
std::vector<double> weight_variances(const Problem& problem, const Standardization& scale,
                                     std::span<const double> curvature, const FeaturePosteriors& state,
                                     const MeanFieldPoint& point) {
  std::vector<double> variances(curvature.size(), 0.0), coefficients;
  std::vector<Index> in;
  for (Index j = 0; j < std::ssize(curvature); ++j) {
    if (curvature[j] > 0) variances[j] = 1 / (point.precision * curvature[j]);
    if (state.logits[j] <= 0) continue;
    in.push_back(j);
    coefficients.push_back(logistic(state.logits[j]) * state.means[j]);
  }
  const Index k = in.size();
  if (k == 0) return variances;
  const std::vector<double> precisions = row_precisions(problem, scale, point, in, coefficients);
  Matrix gram(k, k);
  scale.X().gram(Columns(in), precisions, gram);
  std::vector<double> sums(in.size());
  double total = 1;
  if (problem.intercept) {
    scale.X().transpose_multiply(Columns(in), std::span<const double>(precisions), std::span(sums));
    total = std::accumulate(precisions.begin(), precisions.end(), 0.0);
  }
  for (Index b = 0; b < k; ++b) {
    for (Index a = 0; a < k; ++a) gram(a, b) -= sums[a] * sums[b] / total;
  }
  if (!invert_positive(gram)) return variances;
  const double unit = scale.total_weight() * point.hyper.noise_precision;
  for (Index a = 0; a < k; ++a) variances[in[a]] = gram(a, a) / unit;
  return variances;
}

void fill_features(Fit& fit, const Standardization& scale, const FeaturePosteriors& state, double working_intercept) {
  // Inclusion below 1e-10 is reported as exactly 0, so that models of a million features stay sparse.
  constexpr double gone = -23.03;  // the log odds of 1e-10
  const Index p = std::ssize(state.logits);
  fit.coefficients.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.intercept = working_intercept;
  std::vector<double> weights(p, 0.0);
  for (Index s = 0; s < p; ++s) {
    const Index j = s;
    const double w = state.means[s];
    weights[s] = scale.to_original(j, w);
    if (state.logits[s] < gone) continue;
    const double m = logistic(state.logits[s]);
    fit.inclusion[s] = m;
    fit.coefficients[s] = m * weights[s];
    fit.standard_deviations[s] = scale.to_original(j, std::sqrt(m * ((1 - m) * w * w + state.variances[s])));
    fit.intercept -= fit.coefficients[s] * scale.center(j);
  }
  fit.hyper["weights"] = std::move(weights);
}

}  // namespace tamis
