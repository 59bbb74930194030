// Products with sparse columns for iterations that take many: one pass over a copy of the entries, which is as large as
// X, scaled and in order of the columns' lengths.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

class SparseRowGram {
 public:
  /// Nothing if X is not sparse, or centers are too far from 0 for entries and centers to be multiplied apart.
  static std::optional<SparseRowGram> over(const Design& X, Columns c);

  /// X_c X_c' d.
  std::vector<double> times(std::span<const double> d) const;
  /// The diagonal of X_c X_c'.
  std::vector<double> diagonal() const;

  // The following multiply in single precision, many columns of D in one pass: to about six digits.

  /// X_c diag(scale) X_c' D; `scale` has an entry per column of c.
  Matrix times(const Matrix& D, std::span<const double> scale) const;
  /// For each column of c the sum of squares of D'x.
  std::vector<double> squares(const Matrix& D) const;
  /// Visits every product x'd of a column of c (its place) and a column of D that is at least `least` in size.
  using Visit = std::function<void(Index place, Index column_of_D, double product)>;
  void large_products(const Matrix& D, double least, const Visit& visit) const;

 private:
  /// body(k, products): D'x of each column, k in the order here, for the columns of D from `first` on.
  template <class Lanes, class Body>
  void for_each(const Matrix& D, Index first, const Body& body) const;
  template <class Lanes>
  void find_large(const Matrix& D, double least, const Visit& visit) const;

  Index rows_of_X_ = 0;
  std::vector<std::size_t> columns_;  // which of c
  std::vector<Index> starts_;
  std::vector<std::int32_t> rows_;
  std::vector<double> values_, centers_;  // times the columns' factors
};

}  // namespace tamis
