// Weighted mean and deviation of every column, safe for columns far from zero.
//
// Dense      in one pass about a shift c, an entry of the column itself:
//              mean = c + S / W,  variance = (Q - S^2 / W) / W,   S = sum w (x - c),  Q = sum w (x - c)^2
//            so that a constant column has deviation exactly 0. Where Q - S^2 / W cancels, a second pass about the
//            mean.
// Sparse     two passes over the stored entries; implicit zeros enter by their total weight.
// Others     (kinds without columns in memory) by X'w and squared norms, 1,024 columns at a time; variance = second
//            moment - mean^2, and columns where fewer than ten digits of that are left are gathered and done as dense
//            ones.
// Why        Standardization divides by the deviation: one of rounding size, 1e-16 of the mean, would turn a
//            constant column into noise of unit variance, which is then a feature like any other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "base/scratch.hpp"
#include "linalg/kernels.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// `first` is the first row of positive weight: an entry of weight 0 may be anything, and would be a bad shift.
struct Weights {
  std::span<const double> each;  // empty: ones
  double total = 0;
  Index positive = 0;  // rows that count
  Index first = 0;     // one of them
  double operator[](Index i) const { return each.empty() ? 1.0 : each[i]; }
};

Weights make_weights(std::span<const double> each, Index rows) {
  Weights w{each, 0, 0, 0};
  for (Index i = rows - 1; i >= 0; --i) {
    w.total += w[i];
    if (w[i] > 0) {
      ++w.positive;
      w.first = i;
    }
  }
  return w;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

// A deviation below 8 units in the last place of the mean is rounding error of the entries: the column is constant.
Moments finish(double mean, double sum_of_squares, double total) {
  const double deviation = std::sqrt(std::max(0.0, sum_of_squares / total));
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return {mean, deviation <= rounding * std::abs(mean) ? 0 : deviation};
}

Moments dense_moments(std::span<const double> x, const Weights& w) {
  const Index n = x.size();
  const double* each = w.each.empty() ? nullptr : w.each.data();
  const double shift = x[w.first];
  double sums[2];
  kernels().centered_sums(x.data(), each, n, shift, sums);
  double mean = shift + sums[0] / w.total;
  double squares = sums[1] - sums[0] * (sums[0] / w.total);
  // sum (x - shift)^2 - n (mean - shift)^2 cancels if the shift, the first entry, is an outlier: then a second pass
  // about the mean (the corrected two-pass algorithm of Chan, Golub & LeVeque 1983).
  constexpr double cancelled = 1e-3;
  if (squares < cancelled * sums[1]) {
    kernels().centered_sums(x.data(), each, n, mean, sums);
    squares = sums[1] - sums[0] * (sums[0] / w.total);
    mean += sums[0] / w.total;
  }
  return finish(mean, squares, w.total);
}

// The sum of squares is taken about the mean, entry by entry: nothing cancels, at the price of a second pass over the
// entries.
// Implicit zeros enter by their total weight. If every row of positive weight is stored, values are shifted by one of
// them, so that a constant column has deviation exactly 0.
Moments sparse_moments(const ColumnView& column, const Weights& w) {
  double stored_weight = 0;
  Index stored_positive = 0;
  double shift = 0;
  for (Index e = 0; e < column.count; ++e) {
    const double weight = w[column.rows[e]];
    stored_weight += weight;
    if (weight > 0 && stored_positive++ == 0) shift = column.values[e];
  }
  // Counted, not subtracted, when no row with weight is missing: a constant column must come out exact.
  const bool complete = stored_positive == w.positive;
  const double implicit_weight = complete ? 0 : std::max(0.0, w.total - stored_weight);
  if (!complete) shift = 0;
  double sum = 0;
  for (Index e = 0; e < column.count; ++e) sum += w[column.rows[e]] * (column.values[e] - shift);
  const double mean = shift + sum / w.total;
  double squares = implicit_weight * mean * mean;
  for (Index e = 0; e < column.count; ++e) {
    const double d = column.values[e] - mean;
    squares += w[column.rows[e]] * d * d;
  }
  return finish(mean, squares, w.total);
}

// The view is (x - center) factor of stored x: moments transform likewise.
Moments view_moments(const ColumnView& column, const Weights& w) {
  Moments m =
      column.rows == nullptr ? dense_moments(span_of(column.values, column.count), w) : sparse_moments(column, w);
  return {(m.mean - column.center) * column.factor, m.deviation * std::abs(column.factor)};
}

// Matrix kinds without columns in memory: means and second moments by products, gathering only columns that cancel.
void moments_by_products(const Design& X, Index first, Index count, const Weights& w, ColumnMoments& out) {
  const Index n = X.rows();
  const Columns c = Columns::range(first, count);
  const Scratch ones(n), squares(count);
  for (Index i = 0; i < n; ++i) ones[i] = w[i];
  const std::span<double> mean(out.mean.data() + first, count);
  X.transpose_multiply(c, ConstMatrixView(ones.span()), mean);
  X.squared_norms(c, w.each, squares.span());
  for (Index k = 0; k < count; ++k) {
    mean[k] /= w.total;
    const double second = squares[k] / w.total;
    const double variance = second - mean[k] * mean[k];
    // Below this share of the second moment, fewer than ten digits of the difference are left.
    constexpr double cancelled = 1e-5;
    if (variance > cancelled * second) {
      out.deviation[first + k] = std::sqrt(variance);
      continue;
    }
    const Scratch x(n);
    X.gather(c.slice(k, 1), MatrixView(x.data(), n, 1));
    const Moments m = dense_moments(span_of(x.data(), n), w);
    mean[k] = m.mean;
    out.deviation[first + k] = m.deviation;
  }
}

}  // namespace

ColumnMoments column_moments(const Design& X, std::span<const double> weights) {
  check(weights.empty() || std::ssize(weights) == X.rows(), "column_moments: expected one weight per row");
  const Index p = X.cols();
  ColumnMoments out{std::vector<double>(p), std::vector<double>(p)};
  const Weights w = make_weights(weights, X.rows());
  if (p == 0 || !(w.total > 0)) return out;
  constexpr Index grain = 64;
  if (!X.column(0)) {
    constexpr Index wide = 16 * grain;
    for (Index j = 0; j < p; j += wide) moments_by_products(X, j, std::min(wide, p - j), w, out);
    return out;
  }
  parallel_for(p, grain, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const Moments m = view_moments(*X.column(j), w);
      out.mean[j] = m.mean;
      out.deviation[j] = m.deviation;
    }
  });
  return out;
}

}  // namespace tamis
