// Data of ard in the metric of the likelihood: rows weighted by their precisions, intercept projected out.
//
// Phi = W^(1/2) (X - 1 means') is never formed: X may be sparse, and centering would fill it. Products with Phi center
// the other factor instead: Phi'v = X'W(v - mean), since W-centered vectors are orthogonal to the intercept column.
// Exceptions are panels of a few columns, which are gathered, centered and weighted densely.
#include "method/ard/relevance_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tamis {

RelevanceData::RelevanceData(const Design& X, std::vector<double> precisions, bool intercept, Matrix Y,
                             std::span<const Index> group_of, std::vector<double> squared_norms)
    : X_(X),
      precisions_(std::move(precisions)),
      total_(std::accumulate(precisions_.begin(), precisions_.end(), 0.0)),
      intercept_(intercept),
      Y_(std::move(Y)),
      norms_(std::move(squared_norms)),
      target_means_(Y_.cols(), 0.0),
      degrees_of_freedom_(total_ - (intercept ? 1 : 0)) {
  center(Y_, target_means_);
  response_square_ = square(Y_);
  // Standardization knows the norms in the gaussian case; under new row precisions they take a pass over X.
  if (norms_.empty()) take_norms();
  index_groups(group_of);
  Matrix weighted = Y_;
  for (Index l = 0; l < targets(); ++l) {
    for (Index i = 0; i < samples(); ++i) weighted(i, l) *= precisions_[i];
  }
  correlations_ = Matrix(features(), targets());
  X_.transpose_multiply(X_.all(), weighted, correlations_);
}

RelevanceData RelevanceData::with_columns(const Design& X, std::span<const Index> columns) const {
  std::vector<double> norms;
  norms.reserve(columns.size());
  for (const Index j : columns) norms.push_back(norms_[j]);
  return {X, precisions_, intercept_, Y_, {}, std::move(norms)};
}

void RelevanceData::index_groups(std::span<const Index> group_of) {
  const Index p = features();
  group_of_.resize(p);
  std::iota(group_of_.begin(), group_of_.end(), 0);
  if (!group_of.empty()) group_of_.assign(group_of.begin(), group_of.end());
  // Counting sort of the features by group, so that members(u) is a contiguous range.
  const Index count = *std::ranges::max_element(group_of_) + 1;
  group_norms_.assign(count, 0.0);
  starts_.assign(count + 1, 0);
  for (Index j = 0; j < p; ++j) {
    group_norms_[group_of_[j]] += norms_[j];
    ++starts_[group_of_[j] + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  members_.resize(p);
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  for (Index j = 0; j < p; ++j) members_[next[group_of_[j]]++] = j;
}

// x'Wx - (x'W1)^2 / sum(W): one pass each, without centering a sparse column.
void RelevanceData::take_norms() {
  norms_.resize(features());
  X_.squared_norms(X_.all(), precisions_, norms_);
  if (!intercept_) return;
  std::vector<double> sums(norms_.size());
  X_.transpose_multiply(X_.all(), std::span<const double>(precisions_), std::span(sums));
  for (Index j = 0; j < features(); ++j) {
    const double centered = norms_[j] - sums[j] * sums[j] / total_;
    norms_[j] = centered < 1e-12 * norms_[j] ? 0.0 : centered;  // a constant column leaves rounding error only
  }
}

// Two rounds of subtraction: the first leaves a mean of the order of rounding of the values, which is large for a
// column like 1e8 + small; the second leaves rounding of their spread.
void RelevanceData::center(MatrixView V, std::span<double> means) const {
  if (!intercept_) return;
  for (Index l = 0; l < V.cols; ++l) {
    for (int round = 0; round < 2; ++round) {
      double sum = 0;
      for (Index i = 0; i < V.rows; ++i) sum += precisions_[i] * V(i, l);
      const double mean = sum / total_;
      for (Index i = 0; i < V.rows; ++i) V(i, l) -= mean;
      if (!means.empty()) means[l] += mean;
    }
  }
}

void RelevanceData::panel(Columns columns, MatrixView out) const {
  X_.gather(columns, out);
  center(out);
  for (Index l = 0; l < out.cols; ++l) {
    for (Index i = 0; i < out.rows; ++i) out(i, l) *= std::sqrt(precisions_[i]);
  }
}

Matrix RelevanceData::weighted_response() const {
  Matrix Y = Y_;
  for (Index l = 0; l < Y.cols(); ++l) {
    for (Index i = 0; i < Y.rows(); ++i) Y(i, l) *= std::sqrt(precisions_[i]);
  }
  return Y;
}

void RelevanceData::products_with(std::span<const Index> columns, MatrixView out) const {
  constexpr Index at_once = 32;  // bounds the copy of columns
  const Columns all = columns;
  Matrix V(samples(), std::min<Index>(at_once, all.size()));
  for (Index first = 0; first < all.size(); first += at_once) {
    const Index count = std::min(at_once, all.size() - first);
    const MatrixView part(V.col(0), samples(), count);
    X_.gather(all.slice(first, count), part);
    center(part);
    for (Index l = 0; l < count; ++l) {
      for (Index i = 0; i < samples(); ++i) part(i, l) *= precisions_[i];
    }
    X_.transpose_multiply(X_.all(), part, MatrixView(out.col(first), out.rows, count, out.stride));
  }
}

// Centered afterwards: X has not been, and Y - Phi B is.
Matrix RelevanceData::residual(std::span<const Index> columns, ConstMatrixView B) const {
  Matrix R = Y_;
  if (columns.empty()) return R;
  Matrix negative(B.rows, B.cols);
  for (Index l = 0; l < B.cols; ++l) {
    for (Index k = 0; k < B.rows; ++k) negative(k, l) = -B(k, l);
  }
  X_.multiply_add(columns, negative, R);
  center(R);
  return R;
}

double RelevanceData::square(ConstMatrixView residual) const {
  double sum = 0;
  for (Index l = 0; l < residual.cols; ++l) {
    for (Index i = 0; i < residual.rows; ++i) sum += precisions_[i] * residual(i, l) * residual(i, l);
  }
  return sum;
}

// |phi_l - Phi_c b_l|^2 from explicit residuals, for features whose z lost its digits in |phi|^2 - |projection|^2.
void RelevanceData::distances(std::span<const Index> of, std::span<const Index> columns, ConstMatrixView B,
                              std::span<double> out) const {
  Matrix R(samples(), std::ssize(of));
  X_.gather(of, R);
  Matrix negative(B.rows, B.cols);
  for (Index l = 0; l < B.cols; ++l) {
    for (Index k = 0; k < B.rows; ++k) negative(k, l) = -B(k, l);
  }
  X_.multiply_add(columns, negative, R);
  center(R);
  for (Index l = 0; l < R.cols(); ++l) out[l] = square(ConstMatrixView(R.col(l), R.rows(), 1));
}

}  // namespace tamis
