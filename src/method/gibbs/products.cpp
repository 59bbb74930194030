// Correlations x_j'W(y - Xb) for the sweeps of a chain, and their update when a coefficient changes.
//
// GramProducts    all p correlations are kept and updated by a column of X'WX: O(p) per change, O(1) otherwise
// ColumnProducts  the linear predictor is kept: O(n) per feature to correlate, O(n) per change. Columns are
//                 correlated several at a time, as one product X'v of k columns costs far less than k of one; the first
//                 change voids the rest, so the number ahead follows the rate of changes in the last sweep
// Augmentation    bernoulli: omega_i ~ PG(w_i, eta_i) turns row i into a gaussian one of precision omega_i and natural
//                 mean w_i (y_i - 1/2), Polson, Scott & Windle (2013), JASA 108. Precisions change with every sweep, so
//                 a Gram matrix would have to be formed for each.
// Invariant       state.products belongs to state.coefficients and state.intercept after every call; rebuild() drops
//                 the rounding errors of the updates
#include "method/gibbs/products.hpp"

#include <cblas.h>

#include <cmath>
#include <numbers>

#include "base/numerical_failure.hpp"

namespace tamis {
namespace {

double gaussian_log_likelihood(const ScaledProblem& data, double noise_variance, double residual_square) {
  return -0.5 * (data.degrees_of_freedom() * std::log(2 * std::numbers::pi * noise_variance) +
                 residual_square / noise_variance);
}

}  // namespace

void GramProducts::subtract(double factor, const double* from, Index size, double* to) {
  constexpr Index worth_a_call = 48;
  if (size >= worth_a_call) {
    cblas_daxpy(static_cast<int>(size), -factor, from, 1, to, 1);
    return;
  }
  for (Index k = 0; k < size; ++k) to[k] -= factor * from[k];
}

void GramProducts::rebuild(ChainState& state) const {
  state.products = data_.correlation();
  for (Index j = 0; j < std::ssize(state.coefficients); ++j) {
    const double b = state.coefficients[j];
    if (b == 0) continue;
    const double* column = data_.gram().col(j);
    for (Index k = 0; k < std::ssize(state.products); ++k) state.products[k] -= b * column[k];
  }
}

void GramProducts::shift(ChainState& state, Index feature, double by) const {
  subtract(by, data_.gram().col(feature), std::ssize(state.products), state.products.data());
}

// n - b'(X'Wy + X'W(y - Xb)), as the working response has unit mean square. It cancels where the noise is far below the
// response; hence the bound at 0.
double GramProducts::residual_square(const ChainState& state) const {
  double square = data_.scaled().samples();  // the working response has unit mean square
  for (Index j = 0; j < std::ssize(state.coefficients); ++j) {
    square -= state.coefficients[j] * (data_.correlation()[j] + state.products[j]);
  }
  return std::max(0.0, square);
}

double GramProducts::log_likelihood(const ChainState& state) const {
  return gaussian_log_likelihood(data_.scaled(), state.hyper.noise_variance, residual_square(state));
}

ColumnProducts::ColumnProducts(const ChainData& data)
    : data_(data.scaled()),
      augmentation_(*data_.family().augmentation()),
      response_(data_.rows()),
      precision_(data_.weights().begin(), data_.weights().end()),
      curvature_(data_.curvature().begin(), data_.curvature().end()),
      pull_(response_.size()),
      correlations_(furthest_ahead) {
  for (Index i = 0; i < std::ssize(response_); ++i) {
    response_[i] = augmentation_.shift(data_.response()[i], data_.weights()[i]);
  }
}

void ColumnProducts::rebuild(ChainState& state) const {
  state.products.assign(data_.rows(), state.intercept);
  for (Index i = 0; i < std::ssize(data_.offset()); ++i) state.products[i] += data_.offset()[i];
  std::vector<Index> columns;
  std::vector<double> values;
  for (Index j = 0; j < std::ssize(state.coefficients); ++j) {
    if (state.coefficients[j] == 0) continue;
    columns.push_back(data_.kept()[j]);
    values.push_back(state.coefficients[j]);
  }
  data_.X().multiply_add(columns, std::span<const double>(values), std::span(state.products));
}

void ColumnProducts::begin_sweep(ChainState& state, RandomStream& random) {
  if (data_.gaussian()) return;
  double total = 0, pull = 0;
  for (Index i = 0; i < std::ssize(precision_); ++i) {
    const double weight = data_.weights()[i];
    precision_[i] =
        weight > 0 ? augmentation_.draw_precision(data_.response()[i], weight, state.products[i], random) : 0.0;
    total += precision_[i];
    pull += response_[i] - precision_[i] * (state.products[i] - state.intercept);
  }
  // Precisions that all are 0, or too large for a sum, come of weights that no posterior can be drawn from.
  if (!(total > 0 && std::isfinite(total)))
    throw NumericalFailure("the row weights sum to zero or overflow; rescale or remove weights");
  data_.X().squared_norms(data_.kept(), precision_, curvature_);
  if (!data_.has_intercept()) return;
  const double drawn = pull / total + random.normal() / std::sqrt(total);
  for (double& eta : state.products) eta += drawn - state.intercept;
  state.intercept = drawn;
}

void ColumnProducts::pull_all(const ChainState& state) {
  for (Index i = 0; i < std::ssize(pull_); ++i) pull_[i] = response_[i] - precision_[i] * state.products[i];
}

void ColumnProducts::correlate(Index first, Index count) {
  const std::span<const Index> columns(data_.kept().data() + first, count);
  data_.X().transpose_multiply(columns, std::span<const double>(pull_), std::span(correlations_.data(), count));
}

// All p at once, for the exchange of features.
std::span<const double> ColumnProducts::correlations(const ChainState& state) {
  pull_all(state);
  all_correlations_.resize(state.coefficients.size());
  data_.X().transpose_multiply(data_.kept(), std::span<const double>(pull_), std::span(all_correlations_));
  return all_correlations_;
}

void ColumnProducts::shift(ChainState& state, Index feature, double by) {
  const std::span<const Index> column(data_.kept().data() + feature, 1);
  data_.X().multiply_add(column, std::span<const double>(&by, 1), std::span(state.products));
  pull_all(state);
}

double ColumnProducts::residual_square(const ChainState& state) const {
  double square = 0;
  for (Index i = 0; i < std::ssize(state.products); ++i) {
    const double residual = data_.response()[i] - state.products[i];
    square += data_.weights()[i] * residual * residual;
  }
  return square;
}

double ColumnProducts::log_likelihood(const ChainState& state) const {
  if (data_.gaussian()) return gaussian_log_likelihood(data_, state.hyper.noise_variance, residual_square(state));
  return data_.family().total_log_density(data_.response(), state.products, data_.weights());
}

}  // namespace tamis
