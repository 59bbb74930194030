// Components of the prior covariance on the rows of the response.
//
// Model      b ~ N(0, sum_i gamma_i L_i L_i') gives X b the covariance sum_i gamma_i (X L_i)(X L_i)'; a kernel of the
//            rows is one already. Rows are weighted by the roots of their precisions, the intercept is projected out.
// Units      X L_i is computed from standardized columns and rescaled factors, diag(scale) L_i: a column like 1e8 +
//            small would lose its digits in X L_i before the mean is subtracted.
// Space      without kernels and with fewer columns R than rows, Q'T_i and Q'Y of T = Q R carry everything: R x R
//            matrices instead of n x n, and the part of Y outside the range of Q is noise.
// Form       K_i is formed where T_i has nearly as many columns as rows or more: adding K_i to Sigma costs a sum, T_i a
//            product.
#include "method/ard/component_data.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense_algebra.hpp"
#include "linalg/gram.hpp"
#include "linalg/qr.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Below this share of what it was, a column after centering is rounding error.
constexpr double rounding_share = 1e-13;

double square_of(ConstMatrixView A) {
  double sum = 0;
  for (Index j = 0; j < A.cols; ++j) {
    for (const double a : A.column(j)) sum += a * a;
  }
  return sum;
}

double largest_of(ConstMatrixView A) {
  double largest = 0;
  for (Index j = 0; j < A.cols; ++j) {
    for (const double a : A.column(j)) largest = std::max(largest, std::abs(a));
  }
  return largest;
}

Matrix outer_product(ConstMatrixView T) {
  Matrix K(T.rows, T.rows);
  if (T.rows == 0 || T.cols == 0) return K;
  const auto rows = static_cast<int>(T.rows);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, static_cast<int>(T.cols), 1.0, T.data,
              static_cast<int>(T.stride), 0.0, K.col(0), rows);
  mirror_lower(K);
  return K;
}

void scale_by(MatrixView A, double by) {
  for (Index j = 0; j < A.cols; ++j) {
    for (double& a : A.column(j)) a *= by;
  }
}

}  // namespace

ComponentData::ComponentData(const Problem& problem, const Standardization& scale, std::vector<double> precisions,
                             Matrix Y)
    : Y_(std::move(Y)),
      roots_(std::move(precisions)),
      target_means_(Y_.cols(), 0.0),
      total_(std::accumulate(roots_.begin(), roots_.end(), 0.0)),
      degrees_of_freedom_(total_ - (problem.intercept ? 1 : 0)),
      intercept_(problem.intercept) {
  for (double& root : roots_) root = std::sqrt(root);
  whiten(Y_, target_means_);
  list_components(problem, scale);
  for (Component& each : components_) {
    if (each.source < 0 || !problem.components[each.source].of_rows) {
      fill_factor(problem, scale, each);
    } else {
      fill_kernel(problem.components[each.source].values, each);
    }
  }
  normalize(problem);
}

double ComponentData::mean_square() const {
  return (square_of(Y_) + outside_square_) / (static_cast<double>(targets()) * std::max(1.0, degrees_of_freedom_));
}

// The given ones, then every feature that varies and that none of them covers.
void ComponentData::list_components(const Problem& problem, const Standardization& scale) {
  std::vector<char> covered(problem.X.cols(), 0);
  Index columns = 0;
  for (Index i = 0; i < std::ssize(problem.components); ++i) {
    const ConstMatrixView& values = problem.components[i].values;
    Component& each = components_.emplace_back();
    each.source = i;
    if (problem.components[i].of_rows) continue;
    each.first = columns;
    each.rank = values.cols;
    columns += values.cols;
    for (Index a = 0; a < values.cols; ++a) {
      for (Index j = 0; j < values.rows; ++j) covered[j] |= values(j, a) != 0 ? 1 : 0;
    }
  }
  for (Index j = 0; j < std::ssize(covered); ++j) {
    if (covered[j] != 0 || scale.scale(j) == 0) continue;
    Component& each = components_.emplace_back();
    each.source = -1 - j;
    each.first = columns++;
    each.rank = 1;
  }
  factors_ = Matrix(Y_.rows(), columns);
}

// W-centered, then weighted by the roots. Two rounds: the first leaves a mean of the order of rounding of the values.
void ComponentData::whiten(MatrixView V, std::span<double> means) const {
  for (Index l = 0; l < V.cols; ++l) {
    for (int round = 0; intercept_ && round < 2; ++round) {
      double sum = 0;
      for (Index i = 0; i < V.rows; ++i) sum += roots_[i] * roots_[i] * V(i, l);
      for (Index i = 0; i < V.rows; ++i) V(i, l) -= sum / total_;
      if (!means.empty()) means[l] += sum / total_;
    }
    for (Index i = 0; i < V.rows; ++i) V(i, l) *= roots_[i];
  }
}

void ComponentData::fill_factor(const Problem& problem, const Standardization& scale, Component& component) {
  const MatrixView out(factors_.col(component.first), factors_.rows(), component.rank);
  if (component.source < 0) {
    const Index feature = -1 - component.source;
    scale.X().gather(std::span(&feature, 1), out);
    component.multiplier = 1 / scale.scale(feature);
    whiten(out);
    return;
  }
  const ConstMatrixView& L = problem.components[component.source].values;
  component.multiplier = 1 / largest_of(L);
  Matrix loadings(L.rows, L.cols);
  for (Index a = 0; a < L.cols; ++a) {
    for (Index j = 0; j < L.rows; ++j) loadings(j, a) = scale.scale(j) * (component.multiplier * L(j, a));
  }
  scale.X().multiply_add(scale.X().all(), loadings, out);
  const double before = square_of(out);
  whiten(out);
  // Rounding of sums that cancel, as of a contrast between equal columns.
  if (square_of(out) <= rounding_share * rounding_share * before) scale_by(out, 0);
}

void ComponentData::fill_kernel(ConstMatrixView values, Component& component) {
  component.multiplier = 1 / largest_of(values);
  component.kernel = Matrix(values.rows, values.cols);
  for (Index b = 0; b < values.cols; ++b) {
    for (Index a = 0; a < values.rows; ++a)
      component.kernel(a, b) = component.multiplier * values(std::max(a, b), std::min(a, b));
  }
  // Columns, then rows, by way of the transpose: the result is symmetric to the last bit after it is made so.
  Matrix& K = component.kernel;
  const double before = weighted_trace(K);
  for (int side = 0; side < 2; ++side) {
    whiten(K);
    for (Index b = 0; b < K.cols(); ++b) {
      for (Index a = 0; a < b; ++a) std::swap(K(a, b), K(b, a));
    }
  }
  for (Index b = 0; b < K.cols(); ++b) {
    for (Index a = 0; a < b; ++a) K(a, b) = K(b, a);
  }
  // Only the intercept is left in it.
  double after = 0;
  for (Index k = 0; k < K.rows(); ++k) after += K(k, k);
  if (after <= rounding_share * before) scale_by(K, 0);
}

double ComponentData::weighted_trace(const Matrix& K) const {
  double sum = 0;
  for (Index k = 0; k < K.rows(); ++k) sum += roots_[k] * roots_[k] * K(k, k);
  return sum;
}

// Traces, the smaller space, and kernels where they are the smaller form.
void ComponentData::normalize(const Problem& problem) {
  const bool has_kernels = std::ranges::any_of(components_, &Component::is_dense);
  if (!has_kernels && factors_.cols() < Y_.rows()) outside_square_ = reduce_orthogonally(factors_, Y_);
  for (Component& each : components_) {
    double trace = 0;
    const MatrixView T(factors_.col(each.first), factors_.rows(), each.rank);
    if (each.rank > 0) trace = square_of(T);
    for (Index k = 0; k < each.kernel.rows(); ++k) trace += each.kernel(k, k);
    if (!std::isfinite(trace)) {
      throw InvalidInput(fmt::format("components: X times component {} overflows; rescale the columns of X",
                                     each.source < 0 ? "of a feature" : problem.components[each.source].name));
    }
    each.plays = trace > 0 && degrees_of_freedom_ > 0;
    if (!each.plays) continue;
    const double share = degrees_of_freedom_ / trace;
    if (each.rank > 0) {
      scale_by(T, std::sqrt(share));
      each.multiplier *= std::sqrt(share);
      each.unit = each.multiplier * each.multiplier;
      if (2 * rows() < 3 * each.rank) each.kernel = outer_product(T);
    } else {
      scale_by(each.kernel, share);
      each.multiplier *= share;
      each.unit = each.multiplier;
    }
    const double squares = each.is_dense() ? square_of(each.kernel) : square_of(multiply_transposed(T, T));
    each.effective_rank = std::max(1.0, degrees_of_freedom_ * degrees_of_freedom_ / squares);
  }
}

}  // namespace tamis
