// A copy of some rows, for work that passes over them often or must not see the others.
//
// Sparse     place[] maps rows to rows of the copy, one pass over the stored entries; a column's factor is multiplied
//            in. Columns with a center are dense in fact and are copied as such.
// Dense      column by column through gather(), so that every kind and every decorator can be copied; scratch of one
//            column per thread.
#include "design/copy_rows.hpp"

#include <utility>
#include <vector>

#include "base/check.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Stored entries only, nothing subtracted: such a column stays sparse.
bool is_sparse(const Design& X) {
  for (Index j = 0; j < X.cols(); ++j) {
    const auto view = X.column(j);
    if (!view || view->rows == nullptr || view->center != 0) return false;
  }
  return X.cols() > 0;
}

// Rows of the copy are renumbered by place[]; since the list is increasing, row numbers within a column stay
// increasing.
std::shared_ptr<const Design> copy_sparse(const Design& X, std::span<const Index> rows) {
  std::vector<std::int32_t> place(X.rows(), -1);
  for (Index i = 0; i < std::ssize(rows); ++i) place[rows[i]] = static_cast<std::int32_t>(i);
  SparseColumns copy{std::ssize(rows), X.cols(), {0}, {}, {}};
  for (Index j = 0; j < X.cols(); ++j) {
    const ColumnView view = *X.column(j);
    for (Index k = 0; k < view.count; ++k) {
      const std::int32_t row = place[view.rows[k]];
      if (row < 0) continue;
      copy.indices.push_back(row);
      copy.values.push_back(view.values[k] * view.factor);
    }
    copy.starts.push_back(std::ssize(copy.values));
  }
  return std::make_shared<SparseDesign>(std::move(copy));
}

// DenseDesign views memory of others: the copy and its view share one owner, and the pointer returned aliases it.
std::shared_ptr<const Design> copy_dense(const Design& X, std::span<const Index> rows) {
  struct Owner {
    Matrix values;
    DenseDesign design;
    explicit Owner(Matrix v) : values(std::move(v)), design(std::as_const(values).view()) {}
  };
  Matrix copy(std::ssize(rows), X.cols());
  constexpr Index grain = 64;
  parallel_for(X.cols(), grain, [&](Index begin, Index end) {
    std::vector<double> column(X.rows());
    for (Index j = begin; j < end; ++j) {
      X.gather(Columns::range(j, 1), std::span<double>(column));
      for (Index i = 0; i < copy.rows(); ++i) {
        copy(i, j) = column[rows[i]];
      }
    }
  });
  const auto owner = std::make_shared<const Owner>(std::move(copy));
  return {owner, &owner->design};
}

}  // namespace

std::shared_ptr<const Design> copy_rows(const Design& X, std::span<const Index> rows) {
  for (Index i = 0; i < std::ssize(rows); ++i) {
    check(rows[i] >= 0 && rows[i] < X.rows() && (i == 0 || rows[i - 1] < rows[i]),
          "copy_rows: row indices must be increasing");
  }
  return is_sparse(X) ? copy_sparse(X, rows) : copy_dense(X, rows);
}

}  // namespace tamis
