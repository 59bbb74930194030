// Some rows of another Design. Every product is one of the inner Design on scattered rows: X_S = E X, where E picks
// rows, so X_S' R = X' (E' R) and X_S' W X_S = X' diag(E' w) X; X itself is streamed as it lies in memory.
#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/scratch.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// E' w: what each inner row weighs; a repeated row adds up.
void scatter_weights(std::span<const Index> rows, std::span<const double> weights, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (Index i = 0; i < std::ssize(rows); ++i) out[rows[i]] += weights.empty() ? 1 : weights[i];
}

}  // namespace

RowSubsetDesign::RowSubsetDesign(const Design& inner, std::vector<Index> rows) : inner_(inner), rows_(std::move(rows)) {
  for (const Index i : rows_) check(i >= 0 && i < inner_.rows(), "RowSubsetDesign: row index out of range");
}

// What an operation costs, not what the rows listed contain: every product streams the inner Design.
double RowSubsetDesign::stored_per_column() const { return inner_.stored_per_column(); }

void RowSubsetDesign::local_gather(Columns c, MatrixView out) const {
  const Index n = inner_.rows();
  const Scratch whole(n);
  for (Index k = 0; k < c.size(); ++k) {
    inner_.gather(c.slice(k, 1), MatrixView(whole.data(), n, 1));
    for (Index i = 0; i < rows(); ++i) out(i, k) = whole[rows_[i]];
  }
}

// All rows of the product are computed and the listed ones taken: with scattered rows nothing is saved by skipping, as
// columns are streamed in whole cache lines. Cost is that of the inner Design, whatever the subset; see copy_rows.hpp.
void RowSubsetDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  const Index n = inner_.rows();
  const Scratch whole(n * R.cols);
  std::fill_n(whole.data(), n * R.cols, 0.0);
  inner_.multiply_add(c, V, MatrixView(whole.data(), n, R.cols));
  for (Index l = 0; l < R.cols; ++l) {
    for (Index i = 0; i < rows(); ++i) R(i, l) += whole[rows_[i] + l * n];
  }
}

// R on the rows of the inner Design.
void RowSubsetDesign::scatter(ConstMatrixView R, const Scratch& whole) const {
  const Index n = inner_.rows();
  for (Index l = 0; l < R.cols; ++l) {
    scatter_weights(rows_, R.column(l), span_of(whole.data() + l * n, n));
  }
}

void RowSubsetDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  const Scratch whole(inner_.rows() * R.cols);
  scatter(R, whole);
  inner_.transpose_multiply(c, ConstMatrixView(whole.data(), inner_.rows(), R.cols), out);
}

void RowSubsetDesign::local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  const Scratch whole(inner_.rows() * R.cols);
  scatter(R, whole);
  inner_.visit_products(c, ConstMatrixView(whole.data(), inner_.rows(), R.cols), visit);
}

void RowSubsetDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  const Scratch whole(inner_.rows());
  scatter_weights(rows_, weights, whole.span());
  inner_.gram(c, whole.span(), out);
}

void RowSubsetDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  const Scratch whole(inner_.rows());
  scatter_weights(rows_, weights, whole.span());
  inner_.cross_gram(a, b, whole.span(), out);
}

void RowSubsetDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const Scratch whole(inner_.rows());
  scatter_weights(rows_, weights, whole.span());
  inner_.squared_norms(c, whole.span(), out);
}

}  // namespace tamis
