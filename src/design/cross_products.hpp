// The sufficient statistics of some rows of X and y for a quadratic loss: sums and cross-products, computed once.
#pragma once

#include <span>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

/// Number is double, or float where many are kept (held-out folds).
template <class Number>
struct CrossProducts {
  double weight = 0;
  double y_sum = 0;
  double yy = 0;
  std::vector<double> x_sums;
  std::vector<double> xy;
  std::vector<Number> packed;  ///< X'WX, lower triangle by columns

  /// packed[start(j) + i] is entry (i, j), i >= j.
  Index start(Index j) const {
    const Index p = xy.size();
    return j * p - j * (j + 1) / 2;
  }
  double entry(Index i, Index j) const { return static_cast<double>(packed[start(j) + i]); }
};

/// Of all rows.
CrossProducts<double> cross_products(const Design& X, std::span<const double> y, std::span<const double> weights);
/// Whether the columns of X are dense and in memory, so that some of its rows can be taken.
bool has_rows(const Design& X);
/// Of the given rows (increasing), each with its weight; memory beyond the result is that of a few rows.
CrossProducts<double> cross_products(const Design& X, std::span<const double> y, std::span<const double> weights,
                                     std::span<const Index> rows);

CrossProducts<float> to_single(const CrossProducts<double>& products);
/// total += part.
void add(const CrossProducts<double>& part, CrossProducts<double>& total);

/// Products per unit of weight of the rows that are not held out, centered if there is an intercept.
struct CenteredProducts {
  /// `held_out`: nullptr for none. Both must outlive this.
  CenteredProducts(const CrossProducts<double>& total, const CrossProducts<float>* held_out, bool intercept);
  /// x_i'x_j, i >= j; exactly 0 for a column that is constant on these rows.
  double entry(Index i, Index j) const;

  double weight = 0;
  double y_mean = 0;
  double yy = 0;
  std::vector<double> x_means, xy;

 private:
  const CrossProducts<double>& total_;
  const CrossProducts<float>* held_out_;
};

}  // namespace tamis
