// Standardized columns by algebra on the inner Design, never stored: with S = diag(factor) and centers c,
//   Z = (X - 1 c') S,  Z'R = S (X'R - c 1'R),  Z v = X S v - 1 (c'S v),
//   Z'WZ = S (X'WX - c s' - s c' + w c c') S,  s = X'W1, w = 1'W1.
// Sparse columns stay sparse, and dense ones need no copy.
//
// Hazard     The formulas subtract numbers (center / scale) times as large as their difference, in Gram matrices the
//            square of that. Columns beyond a limit are gathered and centered entry by entry instead.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/scratch.hpp"
#include "design/shared_work.hpp"
#include "linalg/kernels.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// The algebra above subtracts numbers about (center / scale) times, in a Gram matrix (center / scale)^2 times, as
// large as their difference. Columns beyond these ratios are centered entry by entry instead, which keeps about
// 12 digits in products and 11 in Gram matrices.
constexpr double far_for_products = 1e4;
constexpr double far_for_squares = 300;

// The center in units of the scale; a constant column is exactly zero whatever its center.
bool is_far(double center, double factor, double limit) { return std::abs(center * factor) > limit; }

double sum_of(std::span<const double> values) {
  double sums[2];
  kernels().centered_sums(values.data(), nullptr, std::ssize(values), 0, sums);
  return sums[0];
}

void sum_columns(ConstMatrixView R, std::span<double> sums) {
  parallel_for(R.cols, 8, static_cast<double>(R.rows) * static_cast<double>(R.cols), [&](Index begin, Index end) {
    for (Index l = begin; l < end; ++l) sums[l] = sum_of(R.column(l));
  });
}

}  // namespace

StandardizedDesign::StandardizedDesign(const Design& inner, std::vector<double> center, std::vector<double> scale)
    : StandardizedDesign(inner,
                         std::make_shared<const ColumnMoments>(ColumnMoments{std::move(center), std::move(scale)})) {}

StandardizedDesign::StandardizedDesign(const Design& inner, std::shared_ptr<const ColumnMoments> moments)
    : inner_(inner), moments_(std::move(moments)), center_(moments_->mean), scale_(moments_->deviation) {
  check(std::ssize(center_) == inner_.cols() && center_.size() == scale_.size(),
        "StandardizedDesign: expected one center and one scale per column");
}

// The mean of a constant column may be anything: factor 0 makes it exactly zero, whatever rounding its center has.
// Computed per block of columns: 1/scale for all of them would be another vector of length p.
void StandardizedDesign::factors(Columns c, std::span<double> out) const {
  for (Index k = 0; k < c.size(); ++k) out[k] = factor(c[k]);
}

void StandardizedDesign::local_gather(Columns c, MatrixView out) const {
  inner_.gather(c, out);
  for (Index k = 0; k < c.size(); ++k) {
    const double center = center_[c[k]], by = factor(c[k]);
    for (double& x : out.column(k)) x = (x - center) * by;
  }
}

// X S v with the shift c'S v taken off every entry once; far columns are added entry by entry afterwards.
void StandardizedDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  const Scratch scaled(c.size() * V.cols);
  for (Index l = 0; l < V.cols; ++l) {
    double shift = 0;
    for (Index k = 0; k < c.size(); ++k) {
      const double by = factor(c[k]), v = V(k, l) * by;
      const bool far = is_far(center_[c[k]], by, far_for_products);
      scaled[k + l * c.size()] = far ? 0 : v;
      if (!far) shift += v * center_[c[k]];
    }
    if (shift == 0) continue;
    for (double& r : R.column(l)) r -= shift;
  }
  inner_.multiply_add(c, ConstMatrixView(scaled.data(), c.size(), V.cols), R);
  for (Index k = 0; k < c.size(); ++k) {
    if (!is_far(center_[c[k]], factor(c[k]), far_for_products)) continue;
    Design::local_multiply_add(c.slice(k, 1), {V.data + k, 1, V.cols, V.stride}, R);
  }
}

// Products of the inner columns with R, whose columns have these sums, become products of the standardized ones.
void StandardizedDesign::standardize_products(Columns c, ConstMatrixView R, std::span<const double> sums,
                                              MatrixView out) const {
  constexpr Index block = 256;
  double by[block];
  for (Index first = 0; first < c.size(); first += block) {
    const Columns some = c.slice(first, std::min(block, c.size() - first));
    factors(some, by);
    for (Index l = 0; l < R.cols; ++l) {
      double* to = out.col(l) + first;
      for (Index k = 0; k < some.size(); ++k) to[k] = by[k] * (to[k] - center_[some[k]] * sums[l]);
    }
    for (Index k = 0; k < some.size(); ++k) {
      if (!is_far(center_[some[k]], by[k], far_for_products)) continue;
      Design::local_transpose_multiply(some.slice(k, 1), R, {out.data + first + k, 1, out.cols, out.stride});
    }
  }
}

void StandardizedDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  inner_.transpose_multiply(c, R, out);
  const Scratch sums(R.cols);
  sum_columns(R, sums.span());
  const Index grain = c.size() * R.cols < 65'536 ? c.size() : 256;  // an entry takes half a nanosecond
  parallel_for(c.size(), grain, [&](Index begin, Index end) {
    standardize_products(c.slice(begin, end - begin), R, sums.span(),
                         {out.data + begin, end - begin, out.cols, out.stride});
  });
}

void StandardizedDesign::local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  const Scratch sums(R.cols);
  sum_columns(R, sums.span());
  inner_.visit_products(c, R, [&](Index k, MatrixView part) {
    standardize_products(c.slice(k, part.rows), R, sums.span(), part);
    visit(k, part);
  });
}

// One such column sends the whole Gram matrix to the entry-by-entry body: rare enough not to be worth a mixture.
bool StandardizedDesign::any_far_for_squares(Columns c) const {
  for (Index k = 0; k < c.size(); ++k) {
    if (is_far(center_[c[k]], factor(c[k]), far_for_squares)) return true;
  }
  return false;
}

// s = X_c'W1 into `sums`; returns w = 1'W1.
double StandardizedDesign::weighted_sums(Columns c, std::span<const double> weights, std::span<double> sums) const {
  if (!weights.empty()) {
    inner_.transpose_multiply(c, weights, sums);
    return sum_of(weights);
  }
  const Scratch ones(rows());
  std::fill_n(ones.data(), rows(), 1.0);
  inner_.transpose_multiply(c, ConstMatrixView(ones.span()), sums);
  return static_cast<double>(rows());
}

void StandardizedDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  if (any_far_for_squares(c)) return Design::local_gram(c, weights, out);
  const Scratch sums(c.size()), by(c.size());
  const double total = weighted_sums(c, weights, sums.span());
  factors(c, by.span());
  inner_.gram(c, weights, out);
  for (Index l = 0; l < c.size(); ++l) {
    const double cl = center_[c[l]], sl = sums[l];
    for (Index k = 0; k < c.size(); ++k) {
      const double ck = center_[c[k]];
      // Symmetric in k and l to the last bit, as the inner Gram matrix is.
      out(k, l) = (out(k, l) - (ck * sl + sums[k] * cl) + total * (ck * cl)) * (by[k] * by[l]);
    }
  }
}

void StandardizedDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  // A few dense columns: gathered and standardized they need one pass over the others, the algebra needs two.
  constexpr Index few = 64;
  const bool dense = 4 * inner_.stored_per_column() > static_cast<double>(rows());
  if ((dense && b.size() <= few) || any_far_for_squares(a) || any_far_for_squares(b)) {
    return Design::local_cross_gram(a, b, weights, out);
  }
  const Scratch sums_a(a.size()), sums_b(b.size()), by(a.size());
  const double total = weighted_sums(a, weights, sums_a.span());
  weighted_sums(b, weights, sums_b.span());
  factors(a, by.span());
  inner_.cross_gram(a, b, weights, out);
  for (Index l = 0; l < b.size(); ++l) {
    const double cl = center_[b[l]], fl = factor(b[l]), sl = sums_b[l];
    for (Index k = 0; k < a.size(); ++k) {
      const double ck = center_[a[k]];
      out(k, l) = (out(k, l) - (ck * sl + sums_a[k] * cl) + total * (ck * cl)) * (by[k] * fl);
    }
  }
}

void StandardizedDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const Scratch sums(c.size());
  const double total = weighted_sums(c, weights, sums.span());
  inner_.squared_norms(c, weights, out);
  for (Index k = 0; k < c.size(); ++k) {
    const double center = center_[c[k]], by = factor(c[k]);
    if (is_far(center, by, far_for_squares)) {
      Design::local_squared_norms(c.slice(k, 1), weights, out.subspan(k, 1));
    } else {
      out[k] = std::max(0.0, out[k] - 2 * center * sums[k] + total * center * center) * by * by;
    }
  }
}

// A column view of a decorator is the inner view with another center and factor: solvers that read columns in memory
// see standardized values without a copy.
std::optional<ColumnView> StandardizedDesign::local_column(Index j) const {
  std::optional<ColumnView> view = inner_.column(j);
  if (!view) return view;
  // ((x - c1) f1 - c2) f2 = (x - (c1 + c2 / f1)) f1 f2; an inner factor of 0 leaves nothing to undo.
  const double center = center_[j], by = factor(j);
  if (view->factor == 0) {
    if (center * by != 0) return std::nullopt;
    return view;
  }
  view->center += center / view->factor;
  view->factor *= by;
  return view;
}

}  // namespace tamis
