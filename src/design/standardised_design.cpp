// Standardised columns by exact algebra on the inner Design: with S = diag(factor) and centres c,
// Z = (X - 1 c') S, so Z'R = S (X'R - c 1'R) and Z'WZ = S (X'WX - c s' - s c' + w c c') S, s = X'W1, w = 1'W1.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/scratch.hpp"
#include "linalg/kernels.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// The algebra above subtracts numbers about (centre / scale) times, in a Gram matrix (centre / scale)^2 times, as
// large as their difference. Columns beyond these ratios are centred entry by entry instead, which keeps about
// 12 digits in products and 11 in Gram matrices.
constexpr double far_for_products = 1e4;
constexpr double far_for_squares = 300;

// The centre in units of the scale; a constant column is exactly zero whatever its centre.
bool is_far(double centre, double factor, double limit) { return std::abs(centre * factor) > limit; }

double sum_of(std::span<const double> values) {
  double sums[2];
  kernels().centred_sums(values.data(), nullptr, static_cast<Index>(values.size()), 0, sums);
  return sums[0];
}

}  // namespace

StandardisedDesign::StandardisedDesign(const Design& inner, std::vector<double> centre, std::vector<double> scale)
    : inner_(inner), centre_(std::move(centre)), scale_(std::move(scale)), factor_(scale_.size()) {
  check(static_cast<Index>(centre_.size()) == inner_.cols() && centre_.size() == scale_.size(),
        "StandardisedDesign: centre and scale need one entry per column");
  for (std::size_t j = 0; j < scale_.size(); ++j) factor_[j] = scale_[j] == 0 ? 0 : 1 / scale_[j];
}

void StandardisedDesign::local_gather(Columns c, MatrixView out) const {
  inner_.gather(c, out);
  for (Index k = 0; k < c.size(); ++k) {
    const double centre = centre_[c[k]], factor = factor_[c[k]];
    for (double& x : out.column(k)) x = (x - centre) * factor;
  }
}

void StandardisedDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  const Scratch scaled(c.size() * V.cols);
  for (Index l = 0; l < V.cols; ++l) {
    double shift = 0;
    for (Index k = 0; k < c.size(); ++k) {
      const double v = V(k, l) * factor_[c[k]];
      const bool far = is_far(centre_[c[k]], factor_[c[k]], far_for_products);
      scaled[k + l * c.size()] = far ? 0 : v;
      if (!far) shift += v * centre_[c[k]];
    }
    if (shift == 0) continue;
    for (double& r : R.column(l)) r -= shift;
  }
  inner_.multiply_add(c, ConstMatrixView(scaled.data(), c.size(), V.cols), R);
  for (Index k = 0; k < c.size(); ++k) {
    if (!is_far(centre_[c[k]], factor_[c[k]], far_for_products)) continue;
    Design::local_multiply_add(c.slice(k, 1), {V.data + k, 1, V.cols, V.stride}, R);
  }
}

void StandardisedDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  inner_.transpose_multiply(c, R, out);
  for (Index l = 0; l < R.cols; ++l) {
    const double sum = sum_of(R.column(l));
    for (Index k = 0; k < c.size(); ++k) out(k, l) = factor_[c[k]] * (out(k, l) - centre_[c[k]] * sum);
  }
  for (Index k = 0; k < c.size(); ++k) {
    if (!is_far(centre_[c[k]], factor_[c[k]], far_for_products)) continue;
    Design::local_transpose_multiply(c.slice(k, 1), R, {out.data + k, 1, out.cols, out.stride});
  }
}

bool StandardisedDesign::any_far_for_squares(Columns c) const {
  for (Index k = 0; k < c.size(); ++k) {
    if (is_far(centre_[c[k]], factor_[c[k]], far_for_squares)) return true;
  }
  return false;
}

// X_c' W 1 into `sums`; returns 1'W1.
double StandardisedDesign::weighted_sums(Columns c, std::span<const double> weights, std::span<double> sums) const {
  if (!weights.empty()) {
    inner_.transpose_multiply(c, weights, sums);
    return sum_of(weights);
  }
  const Scratch ones(rows());
  std::fill_n(ones.data(), rows(), 1.0);
  inner_.transpose_multiply(c, ConstMatrixView(ones.span()), sums);
  return static_cast<double>(rows());
}

void StandardisedDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  if (any_far_for_squares(c)) return Design::local_gram(c, weights, out);
  const Scratch sums(c.size());
  const double total = weighted_sums(c, weights, sums.span());
  inner_.gram(c, weights, out);
  for (Index l = 0; l < c.size(); ++l) {
    const double cl = centre_[c[l]], fl = factor_[c[l]], sl = sums[l];
    for (Index k = 0; k < c.size(); ++k) {
      const double ck = centre_[c[k]];
      // Symmetric in k and l to the last bit, as the inner Gram matrix is.
      out(k, l) = (out(k, l) - (ck * sl + sums[k] * cl) + total * (ck * cl)) * (factor_[c[k]] * fl);
    }
  }
}

void StandardisedDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  // A few dense columns: gathered and standardised they need one pass over the others, the algebra needs two.
  constexpr Index few = 64;
  const bool dense = 4 * inner_.stored_per_column() > static_cast<double>(rows());
  if ((dense && b.size() <= few) || any_far_for_squares(a) || any_far_for_squares(b)) {
    return Design::local_cross_gram(a, b, weights, out);
  }
  const Scratch sums_a(a.size()), sums_b(b.size());
  const double total = weighted_sums(a, weights, sums_a.span());
  weighted_sums(b, weights, sums_b.span());
  inner_.cross_gram(a, b, weights, out);
  for (Index l = 0; l < b.size(); ++l) {
    const double cl = centre_[b[l]], fl = factor_[b[l]], sl = sums_b[l];
    for (Index k = 0; k < a.size(); ++k) {
      const double ck = centre_[a[k]];
      out(k, l) = (out(k, l) - (ck * sl + sums_a[k] * cl) + total * (ck * cl)) * (factor_[a[k]] * fl);
    }
  }
}

void StandardisedDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const Scratch sums(c.size());
  const double total = weighted_sums(c, weights, sums.span());
  inner_.squared_norms(c, weights, out);
  for (Index k = 0; k < c.size(); ++k) {
    const double centre = centre_[c[k]], factor = factor_[c[k]];
    if (is_far(centre, factor, far_for_squares)) {
      Design::local_squared_norms(c.slice(k, 1), weights, out.subspan(k, 1));
    } else {
      out[k] = std::max(0.0, out[k] - 2 * centre * sums[k] + total * centre * centre) * factor * factor;
    }
  }
}

std::optional<ColumnView> StandardisedDesign::local_column(Index j) const {
  std::optional<ColumnView> view = inner_.column(j);
  if (!view) return view;
  // ((x - c1) f1 - c2) f2 = (x - (c1 + c2 / f1)) f1 f2; an inner factor of 0 leaves nothing to undo.
  const double centre = centre_[j], factor = factor_[j];
  if (view->factor == 0) {
    if (centre * factor != 0) return std::nullopt;
    return view;
  }
  view->centre += centre / view->factor;
  view->factor *= factor;
  return view;
}

}  // namespace tamis
