// The optimality conditions of penalized regression, computed from the data and the returned coefficients alone: no
// Design, no Family, no solver. Loops that a reader can check against the formula.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

/// Data on their original scale, and the penalized problem on them.
struct PenalizedCase {
  std::string family;
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights = {};
  std::vector<double> offset = {};
  std::vector<double> factors = {};
  bool intercept = true;
  bool standardize = true;
  double penalty = 0.05;
  double l1_ratio = 1;
  bool nonnegative = false;

  double weight(Index i) const { return weights.empty() ? 1.0 : weights[i]; }
  double factor(Index j) const { return factors.empty() ? 1.0 : factors[j]; }
  double total_weight() const {
    double total = 0;
    for (Index i = 0; i < X.rows(); ++i) total += weight(i);
    return total;
  }
  Problem problem(const Design& design) const {
    return {.X = design,
            .y = y,
            .likelihood = tamis::family(family),
            .weights = weights,
            .offset = offset,
            .intercept = intercept,
            .standardize = standardize,
            .penalty_factors = factors};
  }
};

/// Mean and spread that the working scale subtracts and divides by; spread 0 for a constant column.
struct ColumnScale {
  double mean = 0;
  double spread = 1;
};
inline ColumnScale scale_of(const PenalizedCase& c, Index j) {
  const double total = c.total_weight();
  ColumnScale scale{0, 0};
  for (Index i = 0; i < c.X.rows() && c.intercept; ++i) scale.mean += c.weight(i) * c.X(i, j) / total;
  for (Index i = 0; i < c.X.rows(); ++i) scale.spread += c.weight(i) / total * std::pow(c.X(i, j) - scale.mean, 2);
  scale.spread = std::sqrt(scale.spread);
  if (scale.spread < 1e-12 * std::abs(scale.mean)) scale.spread = 0;
  if (!c.standardize && scale.spread > 0) scale.spread = 1;
  return scale;
}

inline std::vector<double> predictor_of(const PenalizedCase& c, const Fit& fit) {
  std::vector<double> eta(c.y.size(), fit.intercept);
  for (Index i = 0; i < c.X.rows(); ++i) {
    if (!c.offset.empty()) eta[i] += c.offset[i];
    for (Index j = 0; j < c.X.cols(); ++j) eta[i] += c.X(i, j) * fit.coefficients[j];
  }
  return eta;
}

inline double mean_of(const std::string& family, double eta) {
  return family == "gaussian" ? eta : family == "bernoulli" ? 1 / (1 + std::exp(-eta)) : std::exp(eta);
}

/// Weighted mean loss: 1/2 (y - eta)^2, log(1 + e^eta) - y eta, e^eta - y eta.
inline double loss_of(const PenalizedCase& c, const Fit& fit) {
  const std::vector<double> eta = predictor_of(c, fit);
  double loss = 0;
  for (Index i = 0; i < c.X.rows(); ++i) {
    const double one = c.family == "gaussian"    ? 0.5 * std::pow(c.y[i] - eta[i], 2)
                       : c.family == "bernoulli" ? std::log(1 + std::exp(eta[i])) - c.y[i] * eta[i]
                                                 : std::exp(eta[i]) - c.y[i] * eta[i];
    loss += c.weight(i) / c.total_weight() * one;
  }
  return loss;
}

/// Minus the derivative of the loss by the coefficient of working column j. Canonical links: sum of w (y - mean) x.
inline double pull_of(const PenalizedCase& c, const std::vector<double>& eta, Index j) {
  const ColumnScale scale = scale_of(c, j);
  if (scale.spread == 0) return 0;
  double pull = 0;
  for (Index i = 0; i < c.X.rows(); ++i) {
    const double residual = c.weight(i) / c.total_weight() * (c.y[i] - mean_of(c.family, eta[i]));
    pull += residual * (c.X(i, j) - scale.mean) / scale.spread;
  }
  return pull;
}

/// Largest violation of the conditions of lasso, elastic net (l1_ratio) and ridge (l1_ratio = 0), intercept included,
/// in units of the penalty.
inline double kkt_violation(const PenalizedCase& c, const Fit& fit) {
  const std::vector<double> eta = predictor_of(c, fit);
  double largest = 0;
  for (Index j = 0; j < c.X.cols(); ++j) {
    const double b = fit.coefficients[j] * scale_of(c, j).spread;
    if (std::isinf(c.factor(j))) {
      largest = std::max(largest, std::abs(b));  // must be exactly zero
      continue;
    }
    const double l1 = c.penalty * c.factor(j) * c.l1_ratio;
    const double pull = pull_of(c, eta, j) - c.penalty * c.factor(j) * (1 - c.l1_ratio) * b;
    const double size = c.nonnegative ? pull : std::abs(pull);
    largest = std::max(largest, b != 0 ? std::abs(pull - std::copysign(l1, b)) : size - l1);
    if (c.nonnegative && b < 0) largest = std::max(largest, -b);
  }
  double sum = 0;
  for (Index i = 0; i < c.X.rows() && c.intercept; ++i) {
    sum += c.weight(i) / c.total_weight() * (c.y[i] - mean_of(c.family, eta[i]));
  }
  return std::max(largest, std::abs(sum)) / c.penalty;
}

}  // namespace tamis
