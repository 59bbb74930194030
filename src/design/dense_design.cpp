// Dense columns in the caller's memory.
//
// Every operation is bound by streaming X once, column by column; the inner loops are in linalg/kernels. Rows are cut
// into blocks whose right-hand sides stay in the second-level cache, columns into batches of pointers.
//
// Invariant  Sums are made block by block in an order that depends on n and the number of right-hand sides only.
//            Products with X' are cut by columns, which leaves each sum alone; products with X are cut by rows, so that
//            each entry is summed in the order of the columns. Hence the same bits on any number of threads.
#include <algorithm>

#include "base/scratch.hpp"
#include "design/shared_work.hpp"
#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "linalg/panels.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

// Pointers to this many columns are made at a time, on the stack.
constexpr Index pointer_batch = 64;

// Rows per block, so that a block of m right-hand sides stays in the second-level cache. A function of m alone:
// sums are made block by block, and must not depend on anything else.
Index rows_per_block(Index m) { return std::max<Index>(256, 32768 / m / 8 * 8); }

struct ColumnPointers {
  const double* at[pointer_batch + Kernels::furthest_ahead];
  Index ahead;
  ColumnPointers(ConstMatrixView X, Columns c, Index first, Index count, Index row)
      : ahead(std::min(Kernels::furthest_ahead, c.size() - first - count)) {
    for (Index k = 0; k < count + ahead; ++k) at[k] = X.col(c[first + k]) + row;
  }
};

// body(first, count, row, rows) for blocks of at most pointer_batch columns by rows_per_block(m) rows.
template <class Body>
void for_blocks(Index begin, Index end, Index n, Index m, const Body& body) {
  const Index height = rows_per_block(m);
  for (Index k = begin; k < end; k += pointer_batch) {
    const Index count = std::min(pointer_batch, end - k);
    for (Index i = 0; i < n; i += height) body(k, count, i, std::min(height, n - i));
  }
}

// x'r for columns begin, ..., end - 1 of c into out[0], out[1], ... One right-hand side needs no panel.
void transpose_multiply_one(ConstMatrixView X, Columns c, Index begin, Index end, const double* r, double* out) {
  std::fill(out, out + (end - begin), 0.0);
  for_blocks(begin, end, X.rows, 1, [&](Index k, Index count, Index i, Index rows) {
    const ColumnPointers x(X, c, k, count, i);
    kernels().dots(x.at, count, x.ahead, r + i, rows, out + (k - begin));
  });
}

// The same for several right-hand sides, interleaved into panels so that each entry of X is loaded once for all of
// them.
void transpose_multiply_panels(ConstMatrixView X, Columns c, Index begin, Index end, const Panels& R, MatrixView out) {
  const Index width = R.total_width();
  const Scratch sums(std::min(pointer_batch, end - begin) * width);
  for (Index k = begin; k < end; k += pointer_batch) {
    const Index count = std::min(pointer_batch, end - k);
    std::fill_n(sums.data(), count * width, 0.0);
    for_blocks(k, k + count, X.rows, width, [&](Index, Index, Index i, Index rows) {
      const ColumnPointers x(X, c, k, count, i);
      R.for_each([&](const Panel& panel, Index offset) {
        kernels().panel_dots(x.at, count, offset == 0 ? x.ahead : Kernels::in_cache, panel.data + i * panel.width,
                             panel.width, rows, sums.data() + offset * count);
      });
    });
    R.for_each([&](const Panel& panel, Index offset) {
      const double* from = sums.data() + offset * count;
      for (int l = 0; l < panel.count; ++l) {
        for (Index s = 0; s < count; ++s) out(k - begin + s, panel.first + l) = from[s * panel.width + l];
      }
    });
  }
}

DenseColumns dense_columns(ConstMatrixView X, Columns c) {
  return {.X = X, .list = c.list(), .first = c.is_range() && c.size() > 0 ? c[0] : 0, .count = c.size()};
}

}  // namespace

void DenseDesign::local_gather(Columns c, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) std::copy_n(values_.col(c[k]), values_.rows, out.col(k));
}

// Columns whose coefficients are all zero are not read: V is sparse in most callers, and X is what takes time.
void DenseDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  // Pieces are rows, not columns: each entry of R is then summed in the order of the columns whatever the cut, so
  // the cut may depend on the threads.
  const Index threads = available_threads();
  const Index row_grain = threads == 1 ? R.rows : (R.rows / threads / 64 + 1) * 64;
  const Index m = V.cols;
  const double work = static_cast<double>(R.rows) * static_cast<double>(c.size() * m);
  parallel_for(R.rows, row_grain, work, [&](Index begin, Index end) {
    for (Index i = begin; i < end; i += rows_per_block(m)) {
      const Index rows = std::min(rows_per_block(m), end - i);
      const MatrixView part(R.data + i, rows, m, R.stride);
      const double* x[pointer_batch];
      const Scratch v(pointer_batch * m);
      Index filled = 0;
      for (Index k = 0; k < c.size(); ++k) {
        bool zero = true;
        for (Index l = 0; l < m; ++l) zero = (v[filled * m + l] = V(k, l)) == 0 && zero;
        if (!zero) x[filled++] = values_.col(c[k]) + i;
        if (filled == pointer_batch || (k + 1 == c.size() && filled > 0)) {
          kernels().multiply_add(x, filled, v.data(), part);
          filled = 0;
        }
      }
    }
  });
}

void DenseDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  const double per_column = static_cast<double>(values_.rows) * static_cast<double>(R.cols);
  const double work = per_column * static_cast<double>(c.size());
  const Index grain = column_grain(c.size(), per_column);
  if (R.cols == 1) {
    parallel_for(c.size(), grain, work, [&](Index begin, Index end) {
      transpose_multiply_one(values_, c, begin, end, R.data, out.data + begin);
    });
    return;
  }
  const Panels panels(R, kernels().widest_panel);
  parallel_for(c.size(), grain, work, [&](Index begin, Index end) {
    const MatrixView part(out.data + begin, end - begin, out.cols, out.stride);
    transpose_multiply_panels(values_, c, begin, end, panels, part);
  });
}

void DenseDesign::local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  const double per_column = static_cast<double>(values_.rows);
  if (R.cols == 1) {
    visit_parts(c.size(), 1, per_column, visit, [&](Index begin, MatrixView part) {
      transpose_multiply_one(values_, c, begin, begin + part.rows, R.data, part.data);
    });
    return;
  }
  const Panels panels(R, kernels().widest_panel);
  visit_parts(c.size(), R.cols, per_column, visit, [&](Index begin, MatrixView part) {
    transpose_multiply_panels(values_, c, begin, begin + part.rows, panels, part);
  });
}

void DenseDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  dense_gram(dense_columns(values_, c), weights, out);
}

void DenseDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  dense_cross_gram(dense_columns(values_, a), dense_columns(values_, b), weights, out);
}

// About 0: these are squared lengths, not variances.
void DenseDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const double per_column = static_cast<double>(values_.rows);
  parallel_for(c.size(), column_grain(c.size(), per_column), per_column * static_cast<double>(c.size()),
               [&](Index begin, Index end) {
                 for (Index k = begin; k < end; ++k) {
                   double sums[2];
                   kernels().centered_sums(values_.col(c[k]), weights.empty() ? nullptr : weights.data(), values_.rows,
                                           0, sums);
                   out[k] = sums[1];
                 }
               });
}

std::optional<ColumnView> DenseDesign::local_column(Index j) const {
  return ColumnView{.values = values_.col(j), .rows = nullptr, .count = values_.rows, .center = 0};
}

}  // namespace tamis
