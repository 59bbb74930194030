// A point of the model's space, psi = intercept + V Theta, and log likelihoods there.
//
// Layout     scores by rows, loadings by factors: a row of psi is K axpys of length D in order, without the products of
//            scores that are zero. A column of psi reads V once, row by row, for one number each.
// Cost       psi of the whole table is N K D and never stored: row by row it stays in the first-level cache, and the
//            largest arrays are the table and the scores. A cached psi would have to be kept in step with every change
//            of a score, and be rebuilt each sweep because errors add up.
// Sums       over rows are made in blocks of 64 whose partial sums are added in order: no dependence on threads.
#include "factor/model/state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"
#include "factor/model/line.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index rows_per_task = 64;

// Sum over row blocks of sum_of(n, psi of the row), in an order that does not depend on threads.
template <class RowSum>
double sum_over_rows(const Cells& cells, const FactorState& state, const RowSum& row_sum) {
  const Index blocks = (cells.rows() + rows_per_task - 1) / rows_per_task;
  std::vector<double> partial(blocks, 0.0);
  parallel_for(cells.rows(), rows_per_task, [&](Index first, Index last) {
    const Scratch psi(cells.cols()), x(cells.cols());
    double sum = 0;
    for (Index n = first; n < last; ++n) {
      state.predictor_row(n, psi.data());
      sum += row_sum(n, cells.row(n, x.data()), psi.data());
    }
    partial[first / rows_per_task] = sum;
  });
  double total = 0;
  for (const double part : partial) total += part;
  return total;
}

}  // namespace

FactorState::FactorState(const Cells& cells, Index factor_count, bool has_intercept)
    : rows(cells.rows()), cols(cells.cols()), factors(factor_count), intercept(has_intercept) {
  scores.assign(rows * factors, 0.0);
  loadings.assign(lines() * cols, 0.0);
  inclusion.assign(factors, 0.5);
  means.assign(factors, 0.0);
  precisions.assign(factors, 1.0);
}

void FactorState::predictor_row(Index n, double* out) const {
  if (intercept) {
    std::copy_n(loading_row(factors), cols, out);
  } else {
    std::fill_n(out, cols, 0.0);
  }
  const double* v = score_row(n);
  simd_dispatch([&] {
    for (Index k = 0; k < factors; ++k) {
      if (v[k] == 0) continue;
      const double weight = v[k];
      const double* theta = loading_row(k);
      for (Index d = 0; d < cols; ++d) out[d] += weight * theta[d];
    }
  });
}

// Dot products of length K: four partial sums, in a fixed order.
void FactorState::predictor_column(Index d, double* out) const {
  const Scratch theta(factors);
  for (Index k = 0; k < factors; ++k) theta[k] = loading_row(k)[d];
  const double constant = intercept ? loading_row(factors)[d] : 0;
  for (Index n = 0; n < rows; ++n) {
    const double* v = score_row(n);
    double sums[4] = {constant, 0, 0, 0};
    for (Index k = 0; k < factors; ++k) sums[k % 4] += v[k] * theta[k];
    out[n] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

double FactorState::predictor(Index n, Index d) const {
  double psi = intercept ? loading_row(factors)[d] : 0;
  const double* v = score_row(n);
  for (Index k = 0; k < factors; ++k) {
    if (v[k] != 0) psi += v[k] * loadings[k * cols + d];
  }
  return psi;
}

Index FactorState::active() const {
  return std::count_if(scores.begin(), scores.end(), [](double v) { return v != 0; });
}

void FactorState::exchange(Archive& archive) {
  for (std::vector<double>* numbers : {&scores, &loadings, &inclusion, &means, &precisions}) archive(*numbers);
  archive(noise_variance);
}

double log_density(const Cells& cells, double x, double psi, double noise_variance) {
  return cells.family().cell_log_density(x, psi, noise_variance);
}

// A missing cell is given residual 0 by setting psi to x. Eight partial sums let the additions overlap.
double residual_squares(const Cells& cells, const FactorState& state) {
  return sum_over_rows(cells, state, [&](Index n, const double* x, double* psi) {
    for (const std::int32_t d : cells.missing_in_row(n)) psi[d] = x[d];
    double sums[8] = {};
    for (Index d = 0; d < cells.cols(); ++d) sums[d % 8] += (x[d] - psi[d]) * (x[d] - psi[d]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  });
}

// Quadratic loss: in closed form from the squares, -N/2 log(2 pi s^2) - squares / (2 s^2). Others: minus the loss plus
// log_base, what x alone contributes (for counts -log x!), which no update needs and a log likelihood must have.
double log_likelihood(const Cells& cells, const FactorState& state) {
  if (cells.family().is_quadratic()) {
    const auto count = static_cast<double>(cells.observed());
    return -0.5 * (count * std::log(2 * std::numbers::pi * state.noise_variance) +
                   residual_squares(cells, state) / state.noise_variance);
  }
  return sum_over_rows(cells, state, [&](Index n, const double* x, double* psi) {
    const Scratch residual(cells.cols()), weight(cells.cols());
    const auto missing = cells.missing_in_row(n);
    const double loss = quadratic_line(cells, x, psi, cells.cols(), missing, residual.data(), weight.data());
    return add_log_base(cells, x, cells.cols(), missing, -loss);
  });
}

}  // namespace tamis::factor
