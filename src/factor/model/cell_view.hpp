// What cells say about their predictors: loss, slope and a quadratic model, by family.
#pragma once

#include <cstdint>
#include <span>

#include "base/vector_math.hpp"
#include "factor/model/cells.hpp"

namespace tamis::factor {

/// -log p(x | psi) without constants, residual x - mean, and the weight of a quadratic model: an upper bound of the
/// loss for gaussian and bernoulli cells (Jaakkola & Jordan), the curvature for counts. Gaussian noise counts as 1.
struct CellView {
  double loss, residual, weight;
};

inline CellView view_cell(CellFamily family, double largest_log_rate, double x, double psi) {
  if (family == CellFamily::gaussian) return {0.5 * (x - psi) * (x - psi), x - psi, 1};
  if (family == CellFamily::bernoulli) {
    // log(1 + e^psi) = max(psi, 0) + log1p(e^-|psi|).
    const double size = psi < 0 ? -psi : psi;
    const double e = vector_math::exp(-size);
    const double half_tanh = 0.5 * (1 - e) / (1 + e);  // of |psi| / 2
    const double mean = psi < 0 ? 0.5 - half_tanh : 0.5 + half_tanh;
    const double weight = size > 1e-4 ? half_tanh / size : 0.25;
    return {(psi > 0 ? psi : 0) + vector_math::log1p(e) - x * psi, x - mean, weight};
  }
  const double log_rate = psi < largest_log_rate ? psi : largest_log_rate;
  const double rate = vector_math::exp(log_rate);
  const bool free = psi < largest_log_rate;
  return {rate - x * log_rate, free ? x - rate : 0.0, free ? rate : 0.0};
}

/// Residuals and weights of a line of cells (a row or a column), 0 where it is missing; returns its loss.
double view_line(const Cells& cells, const double* x, const double* psi, Index count,
                 std::span<const std::int32_t> missing, double* residual, double* weight);

}  // namespace tamis::factor
