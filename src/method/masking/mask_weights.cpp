#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "linalg/gram.hpp"
#include "linalg/symmetric.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

// Omega (Eq. 12) with the intercept eliminated, and what that took.
struct Normal {
  Matrix omega;
  std::vector<double> means;  // of masked columns; empty without an intercept
  double total = 0;           // of the row weights
};

Normal normal_matrix(const MaskState& state) {
  const Index p = static_cast<Index>(state.active.size());
  Normal normal{Matrix(p, p), {}, 0};
  const bool equal = std::ranges::all_of(state.row_weights, [](double w) { return w == 1; });
  const std::span<const double> weights = equal ? std::span<const double>() : std::span(state.row_weights);
  const DenseColumns columns{state.masked, state.active.data(), 0, p};
  dense_gram(columns, weights, normal.omega);
  if (state.data.intercept) {
    normal.means.resize(at(p));
    DenseDesign(state.masked).transpose_multiply(state.active, std::span(state.row_weights), std::span(normal.means));
    for (const double w : state.row_weights) normal.total += w;
    for (double& mean : normal.means) mean /= normal.total;
    for (Index b = 0; b < p; ++b) {
      const double outer = normal.total * normal.means[at(b)];
      for (Index a = 0; a < p; ++a) normal.omega(a, b) -= outer * normal.means[at(a)];
    }
  }
  const double prior = state.prior_precision / state.noise_precision;
  for (Index k = 0; k < p; ++k) normal.omega(k, k) += state.feature(state.active[at(k)]).sums.spread + prior;
  return normal;
}

// Scales a positive semi-definite matrix to a unit diagonal, raised a little for the sake of equal columns whose masks
// are all one; returns 1 / sqrt of the old diagonal.
std::vector<double> scale_to_unit(Matrix& A, double ridge) {
  std::vector<double> scale(at(A.cols()), 0.0);
  for (Index k = 0; k < A.cols(); ++k) {
    if (A(k, k) > 0) scale[at(k)] = 1 / std::sqrt(A(k, k));
  }
  for (Index b = 0; b < A.cols(); ++b) {
    for (Index a = 0; a < A.rows(); ++a) A(a, b) *= scale[at(a)] * scale[at(b)];
    A(b, b) = 1 + ridge;
  }
  return scale;
}

// A ridge that only counts where the matrix is singular; many columns on few rows start from a real one.
double ridge_of(const MaskState& state) {
  const bool wide = static_cast<double>(state.active.size()) >= state.samples - (state.data.intercept ? 1 : 0);
  return wide ? 0.1 : 1e-12;
}

}  // namespace

void maximise_weights(MaskState& state) {
  const auto p = static_cast<Index>(state.active.size());
  const DenseDesign masked(state.masked);
  std::vector<double> weighted(state.residual.size()), gradient(at(p));
  double total = 0;
  Normal normal = normal_matrix(state);
  if (state.data.intercept) {
    double mean = 0;
    for (std::size_t i = 0; i < weighted.size(); ++i) mean += state.row_weights[i] * state.residual[i];
    for (const double w : state.row_weights) total += w;
    mean /= total;
    state.intercept += mean;
    for (double& r : state.residual) r -= mean;
  }
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] = state.row_weights[i] * state.residual[i];
  if (p == 0) return;
  // The change of the weights rather than the weights: it loses no digits near the solution.
  masked.transpose_multiply(state.active, std::span<const double>(weighted), std::span(gradient));
  for (Index k = 0; k < p; ++k) {
    const MaskFeature& f = state.feature(state.active[at(k)]);
    gradient[at(k)] -= (f.sums.spread + state.prior_precision / state.noise_precision) * f.beta;
  }
  const std::vector<double> scale = scale_to_unit(normal.omega, ridge_of(state));
  for (Index k = 0; k < p; ++k) gradient[at(k)] *= scale[at(k)];
  if (!cholesky(normal.omega)) return;
  const Eigen::Map<const Eigen::MatrixXd> factor(normal.omega.col(0), p, p);
  Eigen::Map<Eigen::VectorXd> change(gradient.data(), p);
  factor.triangularView<Eigen::Lower>().solveInPlace(change);
  factor.transpose().triangularView<Eigen::Upper>().solveInPlace(change);
  double shift = 0;
  for (Index k = 0; k < p; ++k) {
    change[k] *= scale[at(k)];
    state.feature(state.active[at(k)]).beta += change[k];
    if (state.data.intercept) shift -= normal.means[at(k)] * change[k];
    change[k] = -change[k];
  }
  masked.multiply_add(state.active, std::span<const double>(gradient), std::span(state.residual));
  state.intercept += shift;
  for (double& r : state.residual) r -= shift;
}

void maximise_noise(MaskState& state) {
  if (!state.learn_noise) return;
  double total = 0;
  for (std::size_t i = 0; i < state.target.size(); ++i) {
    total += state.data.weights[i] * state.target[i] * state.target[i];
  }
  state.noise_precision = state.samples / std::max(state.expected_square(), least_noise_share * total);
}

void maximise_rates(MaskState& state) {
  for (const Index k : state.active) {
    MaskFeature& f = state.feature(k);
    if (f.certain) continue;
    // From both sums: the difference of one from N would lose what is left when the rate is nearly one.
    f.log_odds = std::log(f.sums.on) - std::log(f.sums.off);
    if (f.log_odds > certain_log_odds) state.make_certain(k);
  }
}

std::vector<double> weight_variances(const MaskState& state) {
  std::vector<double> variances(state.active.size(), 0.0);
  Normal normal = normal_matrix(state);
  const std::vector<double> scale = scale_to_unit(normal.omega, 1e-12);
  if (!invert_positive(normal.omega)) return variances;
  for (std::size_t k = 0; k < variances.size(); ++k) {
    const auto d = static_cast<Index>(k);
    variances[k] = scale[k] * scale[k] * normal.omega(d, d) / state.noise_precision;
  }
  return variances;
}

}  // namespace tamis
