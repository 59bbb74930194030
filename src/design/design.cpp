// The public operations of Design check shapes and indices once and call the virtual local_* of the matrix kind, so
// that kernels need no checks. A violated shape is a bug of the caller, not of the user: std::logic_error.
//
// Default bodies gather about 1 MB of columns at a time and work on the copy as a DenseDesign: a new matrix kind is
// correct with local_gather alone, and overrides what it can do faster.
#include "tamis/design/design.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/scratch.hpp"
#include "design/shared_work.hpp"
#include "linalg/gram.hpp"

namespace tamis {
namespace {

// Columns gathered at a time by the default bodies: about 1 MB of scratch.
Index block_width(Index rows, Index columns) {
  constexpr Index doubles = Index{1} << 17;
  return std::clamp<Index>(doubles / std::max<Index>(1, rows), 1, std::max<Index>(1, columns));
}

// Of a range the ends are enough; of a list every entry, which is cheap beside a column of n numbers.
void check_columns(const Design& X, Columns c) {
  const Index cols = X.cols();
  for (Index k = 0; k < c.size(); k += c.is_range() ? std::max<Index>(1, c.size() - 1) : 1) {
    check(c[k] >= 0 && c[k] < cols, "Design: column index out of range");
  }
}

void check_shape(ConstMatrixView A, Index rows, Index cols) {
  check(A.rows == rows && A.cols == cols, "Design: dimensions of an argument do not match");
  check(A.cols <= 1 || A.stride >= A.rows, "Design: the stride of an argument is smaller than its number of rows");
}

void check_weights(const Design& X, std::span<const double> weights) {
  check(weights.empty() || std::ssize(weights) == X.rows(), "Design: expected one weight per row");
}

// Calls body(k, DenseDesign of columns c[k], c[k + 1], ...) for consecutive blocks that cover c.
template <class Body>
void for_gathered_blocks(const Design& X, Columns c, const Body& body) {
  const Index n = X.rows();
  const Index width = block_width(n, c.size());
  const Scratch scratch(n * width);
  for (Index k = 0; k < c.size(); k += width) {
    const Index count = std::min(width, c.size() - k);
    const MatrixView block(scratch.data(), n, count);
    X.gather(c.slice(k, count), block);
    body(k, DenseDesign(block));
  }
}

MatrixView part(MatrixView A, Index row, Index rows, Index col, Index cols) {
  return {A.data + row + col * A.stride, rows, cols, A.stride};
}

}  // namespace

void Design::multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  check_columns(*this, c);
  check_shape(V, c.size(), R.cols);
  check_shape(R, rows(), R.cols);
  if (c.size() > 0 && R.cols > 0 && rows() > 0) local_multiply_add(c, V, R);
}

void Design::transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  check_columns(*this, c);
  check_shape(R, rows(), out.cols);
  check_shape(out, c.size(), out.cols);
  if (c.size() > 0 && out.cols > 0) local_transpose_multiply(c, R, out);
}

void Design::visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  check_columns(*this, c);
  check_shape(R, rows(), R.cols);
  if (c.size() > 0 && R.cols > 0) local_visit_products(c, R, visit);
}

void Design::gram(Columns c, std::span<const double> weights, MatrixView out) const {
  check_columns(*this, c);
  check_weights(*this, weights);
  check_shape(out, c.size(), c.size());
  if (c.size() > 0) local_gram(c, weights, out);
}

void Design::cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  check_columns(*this, a);
  check_columns(*this, b);
  check_weights(*this, weights);
  check_shape(out, a.size(), b.size());
  if (a.size() > 0 && b.size() > 0) local_cross_gram(a, b, weights, out);
}

void Design::squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  check_columns(*this, c);
  check_weights(*this, weights);
  check(std::ssize(out) == c.size(), "Design: squared_norms expects one entry per column");
  if (c.size() > 0) local_squared_norms(c, weights, out);
}

void Design::gather(Columns c, MatrixView out) const {
  check_columns(*this, c);
  check_shape(out, rows(), c.size());
  if (c.size() > 0 && rows() > 0) local_gather(c, out);
}

std::optional<ColumnView> Design::column(Index j) const {
  check(j >= 0 && j < cols(), "Design: column index out of range");
  return local_column(j);
}

// By the kernels' own dot product: sums of n terms elsewhere would round differently from products with X.
double Design::sample_dot(std::span<const double> a, std::span<const double> b) const {
  check(std::ssize(a) == rows() && a.size() == b.size(), "Design: sample_dot expects one entry per row");
  double out = 0;
  DenseDesign(ConstMatrixView(a)).transpose_multiply(Columns::range(0, 1), b, MatrixView(&out, 1, 1));
  return out;
}

void Design::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  for_gathered_blocks(*this, c, [&](Index k, const DenseDesign& block) {
    block.multiply_add(block.all(), {V.data + k, block.cols(), V.cols, V.stride}, R);
  });
}

void Design::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  for_gathered_blocks(*this, c, [&](Index k, const DenseDesign& block) {
    block.transpose_multiply(block.all(), R, part(out, k, block.cols(), 0, out.cols));
  });
}

void Design::local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  visit_parts(c.size(), R.cols, stored_per_column(), visit,
              [&](Index begin, MatrixView part) { local_transpose_multiply(c.slice(begin, part.rows), R, part); });
}

// Block columns of the lower triangle only, then mirrored: half the products of a cross_gram() of c with itself.
void Design::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  const Index width = block_width(rows(), c.size());
  for (Index k = 0; k < c.size(); k += width) {
    const Index count = std::min(width, c.size() - k);
    local_cross_gram(c.slice(k, c.size() - k), c.slice(k, count), weights, part(out, k, c.size() - k, k, count));
  }
  mirror_lower(out);
}

// X_a'(W X_b) for blocks of columns b that are gathered and weighted: one pass over X_a for each block of about 1 MB.
void Design::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  const Index n = rows();
  const Index width = block_width(n, b.size());
  const Scratch scratch(n * width);
  for (Index k = 0; k < b.size(); k += width) {
    const Index count = std::min(width, b.size() - k);
    const MatrixView block(scratch.data(), n, count);
    constexpr Index few = 4;  // columns; each is read, standardized and weighted
    parallel_for(count, few, 3 * static_cast<double>(n * count), [&](Index begin, Index end) {
      gather(b.slice(k + begin, end - begin), part(block, 0, n, begin, end - begin));
      for (Index l = begin; l < end && !weights.empty(); ++l) {
        for (Index i = 0; i < n; ++i) block(i, l) *= weights[i];
      }
    });
    transpose_multiply(a, block, part(out, 0, a.size(), k, count));
  }
}

void Design::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  for_gathered_blocks(*this, c, [&](Index k, const DenseDesign& block) {
    block.squared_norms(block.all(), weights, out.subspan(k, block.cols()));
  });
}

std::optional<ColumnView> Design::local_column(Index) const { return std::nullopt; }

}  // namespace tamis
