// M step of Bayesian masking: weights with intercept, noise, rates; and the variance of the weights.
//
// Model      Omega beta = X~'W y,  Omega = X~'W X~ + diag(sum_n w x^2 mu (1 - mu))     Kondo et al. (2015), Eq. 12
//            with an intercept eliminated: X~ and y centered by their W-means
// Solver     a Newton step from the current beta, Omega (change) = gradient: errors of the factorization then affect
//            the change only, which tends to zero. Omega is scaled to a unit diagonal first.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "linalg/cholesky.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

// Omega (Eq. 12) after elimination of the intercept, and the means used for it.
struct Normal {
  MatrixView omega;
  std::vector<double> means;  // of masked columns; empty without an intercept
  double total = 0;           // of the row weights
};

Index entries_of(const MaskState& state) {
  const Index p = state.active.size();
  return p * p;
}

Normal normal_matrix(MaskState& state, const Scratch& memory) {
  state.refresh_products();
  const Index p = state.active.size();
  Normal normal{MatrixView(memory.data(), p, p), {}, 0};
  if (state.data.intercept) {
    normal.total = row_sums(state.row_weights).value;
    for (const Index k : state.active) normal.means.push_back(state.column_sums[k] / normal.total);
  }
  constexpr Index columns = 32;
  parallel_for(p, columns, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const double* from = state.products.col(state.active[b]);
      for (Index a = 0; a < p; ++a) normal.omega(a, b) = from[state.active[a]];
      if (normal.means.empty()) continue;
      const double outer = normal.total * normal.means[b];
      for (Index a = 0; a < p; ++a) normal.omega(a, b) -= outer * normal.means[a];
    }
  });
  const double prior = state.prior_precision / state.noise_precision;
  for (Index k = 0; k < p; ++k) normal.omega(k, k) += state.feature(state.active[k]).sums.spread + prior;
  return normal;
}

// Scales the lower triangle to a unit diagonal and adds a ridge, without which duplicated columns whose masks are all
// one make it singular; returns 1 / sqrt of the old diagonal.
std::vector<double> scale_to_unit(MatrixView A, double ridge) {
  std::vector<double> scale(A.cols, 0.0);
  for (Index k = 0; k < A.cols; ++k) {
    if (A(k, k) > 0) scale[k] = 1 / std::sqrt(A(k, k));
  }
  constexpr Index columns = 32;
  parallel_for(A.cols, columns, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      for (Index a = b; a < A.rows; ++a) A(a, b) *= scale[a] * scale[b];
      A(b, b) = 1 + ridge;
    }
  });
  return scale;
}

// dG/dbeta / lambda with the intercept profiled out: X~'W (target - mean) - Omega beta.
std::vector<double> slopes(const MaskState& state, const Normal& normal) {
  const double mean = state.data.intercept ? row_sums(state.target, state.row_weights).value / normal.total : 0.0;
  std::vector<double> slope;
  for (const Index k : state.active) {
    slope.push_back(state.target_products[k] - mean * state.column_sums[k]);
  }
  constexpr Index columns = 32;
  const Index p = state.active.size();
  parallel_for(p, columns, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      double predicted = 0;
      for (Index a = 0; a < p; ++a) predicted += normal.omega(a, k) * state.feature(state.active[a]).beta;
      slope[k] -= predicted;
    }
  });
  return slope;
}

// Relative ridge: negligible unless Omega is singular. With as many columns as rows the first least squares problem has
// no unique solution, and a real ridge selects a small one.
double ridge_of(const MaskState& state) {
  const bool wide = static_cast<double>(state.active.size()) >= state.samples - (state.data.intercept ? 1 : 0);
  return wide ? 0.1 : 1e-12;
}

}  // namespace

void maximize_weights(MaskState& state) {
  const Index p = state.active.size();
  const Scratch memory(entries_of(state));
  const Normal normal = normal_matrix(state, memory);
  if (state.data.intercept) state.center_residual();
  if (p == 0) return;
  std::vector<double> gradient = slopes(state, normal);
  const std::vector<double> scale = scale_to_unit(normal.omega, ridge_of(state));
  for (Index k = 0; k < p; ++k) gradient[k] *= scale[k];
  if (!shared_cholesky(normal.omega)) return;
  const Eigen::Map<const Eigen::MatrixXd> factor(normal.omega.col(0), p, p);
  Eigen::Map<Eigen::VectorXd> change(gradient.data(), p);
  factor.triangularView<Eigen::Lower>().solveInPlace(change);
  factor.transpose().triangularView<Eigen::Upper>().solveInPlace(change);
  double shift = 0;
  for (Index k = 0; k < p; ++k) {
    change[k] *= scale[k];
    state.feature(state.active[k]).beta += change[k];
    if (state.data.intercept) shift -= normal.means[k] * change[k];
    change[k] = -change[k];
  }
  DenseDesign(state.masked).multiply_add(state.active, std::span<const double>(gradient), std::span(state.residual));
  state.intercept += shift;
  for (double& r : state.residual) r -= shift;
}

void maximize_noise(MaskState& state) {
  if (!state.learn_noise) return;
  // Eq. 13 (the paper's text cites it as Eq. 14), bounded below: at a residual of zero G has no maximum in lambda.
  const double total = row_sums(state.target, state.data.weights).square;
  state.noise_precision = state.samples / std::max(state.expected_square(), min_noise_share * total);
}

void maximize_rates(MaskState& state) {
  for (const Index k : state.active) {
    MaskFeature& f = state.feature(k);
    if (f.certain) continue;
    // Log odds from both sums: N - sum mu would cancel when the rate is nearly one.
    f.log_odds = std::log(f.sums.on) - std::log(f.sums.off);
    if (f.log_odds > certain_log_odds) state.make_certain(k);
  }
}

std::vector<double> weight_variances(MaskState& state) {
  std::vector<double> variances(state.active.size(), 0.0);
  const Scratch memory(entries_of(state));
  const Normal normal = normal_matrix(state, memory);
  const std::vector<double> scale = scale_to_unit(normal.omega, 1e-12);
  if (!shared_cholesky(normal.omega)) return variances;
  const std::vector<double> inverse = inverse_diagonal(normal.omega);
  for (Index k = 0; k < std::ssize(variances); ++k) {
    variances[k] = scale[k] * scale[k] * inverse[k] / state.noise_precision;
  }
  return variances;
}

}  // namespace tamis
