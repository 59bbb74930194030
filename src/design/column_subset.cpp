// Columns of another Design in an order of their own; some may be missing and are then zero.
//
// For predictions, where the features of a model are looked up by name in new data, which have other columns in another
// order and may lack features (one-hot levels that do not occur), and for methods that go on with the features left.
// Nothing is copied: each operation is one of the inner Design on a list of columns, which every kind supports, and the
// missing columns cost nothing.
#include "tamis/design/column_subset.hpp"

#include <algorithm>

#include "tamis/base/error.hpp"

namespace tamis {

ColumnSubsetDesign::ColumnSubsetDesign(const Design& inner, std::vector<Index> columns)
    : inner_(inner), columns_(std::move(columns)) {
  for (const Index j : columns_) {
    if (j < zero_column || j >= inner_.cols()) throw InvalidInput("column subset: column index out of range");
  }
}

// The columns of c that exist in the inner Design, and their places in c. The others are columns of zeros: features of
// a model that new data lack.
ColumnSubsetDesign::Present ColumnSubsetDesign::present(Columns c) const {
  Present found;
  for (Index k = 0; k < c.size(); ++k) {
    const Index j = columns_[c[k]];
    if (j == zero_column) continue;
    found.places.push_back(k);
    found.inner.push_back(j);
  }
  return found;
}

void ColumnSubsetDesign::local_gather(Columns c, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    const Index j = columns_[c[k]];
    if (j == zero_column) {
      std::fill_n(out.col(k), out.rows, 0.0);
    } else {
      inner_.gather(Columns::range(j, 1), MatrixView(out.col(k), out.rows, 1));
    }
  }
}

void ColumnSubsetDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  const Present some = present(c);
  Matrix factors(std::ssize(some.places), V.cols);
  for (Index m = 0; m < V.cols; ++m) {
    for (Index k = 0; k < factors.rows(); ++k) factors(k, m) = V(some.places[k], m);
  }
  inner_.multiply_add(some.inner, factors, R);
}

// Products with the existing columns, scattered to their places; those of the missing columns are exactly 0.
void ColumnSubsetDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  const Present some = present(c);
  Matrix products(std::ssize(some.places), R.cols);
  inner_.transpose_multiply(some.inner, R, products);
  for (Index m = 0; m < out.cols; ++m) {
    std::fill_n(out.col(m), out.rows, 0.0);
    for (Index k = 0; k < products.rows(); ++k) out(some.places[k], m) = products(k, m);
  }
}

void ColumnSubsetDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const Present some = present(c);
  std::vector<double> norms(some.places.size());
  inner_.squared_norms(some.inner, weights, norms);
  std::fill(out.begin(), out.end(), 0.0);
  for (Index k = 0; k < std::ssize(norms); ++k) out[some.places[k]] = norms[k];
}

std::optional<ColumnView> ColumnSubsetDesign::local_column(Index j) const {
  const Index inner = columns_[j];
  if (inner != zero_column) return inner_.column(inner);
  static constexpr std::int32_t no_row = 0;
  return ColumnView{.values = nullptr, .rows = &no_row, .count = 0, .center = 0};
}

}  // namespace tamis
