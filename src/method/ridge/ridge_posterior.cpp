// Posterior variances and effective degrees of freedom of gaussian ridge.
//
// Model      H = ([1, A]'W[1, A] + penalty P); Var[b] = noise H^-1 / n, and the hat matrix has trace
//              1 + sum_j (1 - penalty P_jj (H^-1)_jj)
// Rotated    c = V s: inside the row space the variance is v_j'H^-1 v_j; outside, y says nothing and the prior variance
//            (1 - |v_j|^2) / penalty is left.
#include "method/ridge/ridge_posterior.hpp"

#include <cblas.h>

#include <algorithm>

#include "linalg/symmetric.hpp"
#include "method/ridge/ridge_moments.hpp"

namespace tamis {
namespace {

constexpr Index max_features = 5000;  // beyond, p x rank products cost more than the fit

// H^-1. Columns that are zero (constant, excluded) get a unit diagonal and do not interact.
std::optional<Matrix> inverse_of_second_moments(const Problem& problem, const RidgeBasis& basis, double penalty) {
  const Design& A = basis.columns();
  const std::vector<double>& weights = basis.scale().weights();
  const Index m = A.cols();
  Matrix gram(m, m), full(m + 1, m + 1);
  A.gram(A.all(), weights, gram);
  std::vector<double> sums(m);
  A.transpose_multiply(A.all(), std::span<const double>(weights), std::span(sums));
  full(0, 0) = 1;
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < m; ++i) full(i + 1, j + 1) = gram(i, j);
    full(j + 1, j + 1) += penalty * basis.penalized()[j];
    if (problem.intercept) full(j + 1, 0) = sums[j];
    if (full(j + 1, j + 1) == 0) full(j + 1, j + 1) = 1;
  }
  if (!invert_positive(full)) return std::nullopt;
  return full;
}

// Rotated basis: v_j'H^-1 v_j + (1 - |v_j|^2) / penalty, in panels of features.
std::vector<double> variances_of_rotated(const RidgeBasis& basis, const Matrix& inverse, double penalty) {
  const Index p = basis.features().cols();
  const Index rank = basis.back().cols();
  constexpr Index width = 256;
  std::vector<double> variances(p);
  Matrix rows(std::min(width, p), rank), image(std::min(width, p), rank);
  for (Index first = 0; first < p; first += width) {
    const Index count = std::min(width, p - first);
    const MatrixView V(rows.col(0), count, rank, rows.rows());
    basis.features().transpose_multiply(Columns::range(first, count), basis.back(), V);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(count), static_cast<int>(rank),
                static_cast<int>(rank), 1.0, V.data, static_cast<int>(V.stride), inverse.col(1) + 1,
                static_cast<int>(inverse.rows()), 0.0, image.col(0), static_cast<int>(image.rows()));
    for (Index k = 0; k < count; ++k) {
      double inside = 0, length = 0;
      for (Index r = 0; r < rank; ++r) {
        inside += V(k, r) * image(k, r);
        length += V(k, r) * V(k, r);
      }
      variances[first + k] = inside + std::max(0.0, 1 - length) / penalty;
    }
  }
  return variances;
}

}  // namespace

std::optional<RidgePosterior> ridge_posterior(const Problem& problem, const RidgeBasis& basis, double penalty) {
  const Index p = basis.features().cols();
  const Index m = basis.columns().cols();
  // Optional information: it may not cost more than the fit.
  if (m > max_moment_columns || p > max_features) return std::nullopt;
  const std::optional<Matrix> inverse = inverse_of_second_moments(problem, basis, penalty);
  if (!inverse) return std::nullopt;
  RidgePosterior out;
  out.degrees_of_freedom = problem.intercept ? 1.0 : 0.0;
  for (Index j = 0; j < m; ++j) {
    const double penalized = basis.penalized()[j];
    out.degrees_of_freedom += 1 - penalty * penalized * (*inverse)(j + 1, j + 1);
  }
  std::vector<double> variances(p);
  if (basis.is_rotated()) variances = variances_of_rotated(basis, *inverse, penalty);
  Index next_free = basis.is_rotated() ? basis.back().cols() : 0;
  for (Index j = 0; j < p; ++j) {
    const Index s = j;
    const double divisor = basis.divisor(j);
    if (divisor == 0) {
      // Zero columns were counted as free ones above, unless the turn has dropped them.
      if (!basis.is_rotated()) out.degrees_of_freedom -= 1 - penalty * basis.penalized()[s] * (*inverse)(j + 1, j + 1);
      variances[s] = 0;
      continue;
    }
    if (!basis.is_rotated()) variances[s] = (*inverse)(j + 1, j + 1);
    if (basis.is_rotated() && basis.penalized_features()[s] == 0) {
      variances[s] = (*inverse)(next_free + 1, next_free + 1);
      ++next_free;
    }
    variances[s] /= basis.scale().total_weight() * divisor * divisor;
  }
  out.variances = std::move(variances);
  return out;
}

}  // namespace tamis
