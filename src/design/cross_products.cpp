// X'WX, X'Wy and sums in one pass, for tall data (n >> p), and their differences for cross-validation.
//
// All rows   the Gram kernel of the Design where X lies; with equal weights unweighted, scaled at the end.
// Some rows  blocks of 192 rows, scaled by the roots of their weights, then A'A in tiles of 128: memory for a few rows.
// Folds      training products are total minus held-out part, so that K folds cost one pass over X, not K.
// Hazard     The products are not centered: sums of squares cancel when a mean is far from 0. Callers pass standardized
//            columns and a response shifted to about 0 (problem/response_shift.hpp); folds' means are then small.
//            Centered diagonals below 1e-12 of the raw ones are rounding error of a constant column and count as 0.
// Tiles are cut by size alone and each is one thread's: the same bits on any number of threads.
#include "design/cross_products.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr Index rows_at_once = 192;
constexpr Index tile = 128;

// products.packed += A'A for a block of rows, lower tiles only.
// dgemm for every tile, diagonal ones too: dsyrk would save half of those, a share tile / p of all.
void add_gram(const Matrix& A, Index rows, CrossProducts<double>& products) {
  const Index p = A.cols();
  const Index tiles = (p + tile - 1) / tile;
  parallel_for(tiles * tiles, 1, [&](Index begin, Index end) {
    const Scratch part(tile * tile);
    for (Index t = begin; t < end; ++t) {
      const Index i = t % tiles * tile, j = t / tiles * tile;
      if (i < j) continue;
      const Index height = std::min(tile, p - i), width = std::min(tile, p - j);
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(height), static_cast<int>(width),
                  static_cast<int>(rows), 1.0, A.col(i), static_cast<int>(A.rows()), A.col(j),
                  static_cast<int>(A.rows()), 0.0, part.data(), static_cast<int>(tile));
      for (Index l = 0; l < width; ++l) {
        double* column = products.packed.data() + products.start(j + l) + i;
        for (Index k = i == j ? l : 0; k < height; ++k) column[k] += part[k + l * tile];
      }
    }
  });
}

// Rows of X times the roots of their weights, from column views; sums over these rows on the way.
void take_rows(const Design& X, std::span<const double> y, std::span<const double> weights, std::span<const Index> rows,
               Matrix& A, CrossProducts<double>& products) {
  std::vector<double> root(rows.size()), root_y(rows.size());
  for (Index i = 0; i < std::ssize(rows); ++i) {
    const double w = weights[rows[i]];
    const double yi = y[rows[i]];
    root[i] = std::sqrt(w);
    root_y[i] = root[i] * yi;
    products.weight += w;
    products.y_sum += w * yi;
    products.yy += w * yi * yi;
  }
  parallel_for(X.cols(), 32, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const ColumnView x = *X.column(j);
      double* a = A.col(j);
      double sum = 0, with_y = 0;
      for (Index i = 0; i < std::ssize(rows); ++i) {
        a[i] = (x.values[rows[i]] - x.center) * x.factor * root[i];
        sum += a[i] * root[i];
        with_y += a[i] * root_y[i];
      }
      products.x_sums[j] += sum;
      products.xy[j] += with_y;
    }
  });
}

// Two right-hand sides in one panel: X is streamed once, which is what this costs.
// Sums of X and y, and X'Wy, in one pass.
void take_sums(const Design& X, std::span<const double> y, std::span<const double> weights,
               CrossProducts<double>& products) {
  Matrix R(std::ssize(y), 2);  // weights, and weights times y: one pass for both
  for (Index i = 0; i < std::ssize(y); ++i) {
    const double with_y = weights[i] * y[i];
    R(i, 0) = weights[i];
    R(i, 1) = with_y;
    products.weight += weights[i];
    products.y_sum += with_y;
    products.yy += with_y * y[i];
  }
  const Index p = X.cols();
  Matrix sums(p, 2);
  X.transpose_multiply(X.all(), R, sums);
  products.x_sums.assign(sums.col(0), sums.col(0) + p);
  products.xy.assign(sums.col(1), sums.col(1) + p);
}

}  // namespace

CrossProducts<double> cross_products(const Design& X, std::span<const double> y, std::span<const double> weights) {
  const Index p = X.cols();
  CrossProducts<double> products;
  take_sums(X, y, weights, products);
  // Equal weights are factored out: the unweighted Gram kernel works on X in place.
  const bool equal = std::ranges::all_of(weights, [&](double w) { return w == weights.front(); });
  products.packed.resize(p * p);
  X.gram(X.all(), equal ? std::span<const double>() : weights, MatrixView(products.packed.data(), p, p));
  // Packed in place, then the rest of the memory is released: a second p x p array would double the peak.
  auto end = products.packed.begin();
  for (Index j = 0; j < p; ++j) {
    end = std::copy(products.packed.begin() + j * p + j, products.packed.begin() + (j + 1) * p, end);
  }
  products.packed.erase(end, products.packed.end());
  products.packed.shrink_to_fit();
  if (equal) {
    for (double& g : products.packed) g *= weights.front();
  }
  return products;
}

CrossProducts<double> cross_products(const Design& X, std::span<const double> y, std::span<const double> weights,
                                     std::span<const Index> rows) {
  const Index p = X.cols();
  const Index size = p;
  CrossProducts<double> products;
  products.x_sums.assign(size, 0.0);
  products.xy.assign(size, 0.0);
  products.packed.assign(p * (p + 1) / 2, 0.0);
  const Index count = rows.size();
  Matrix A(std::min(rows_at_once, count), p);
  for (Index first = 0; first < count; first += rows_at_once) {
    const Index height = std::min(rows_at_once, count - first);
    const std::span<const Index> block = rows.subspan(first, height);
    take_rows(X, y, weights, block, A, products);
    add_gram(A, height, products);
  }
  return products;
}

bool has_rows(const Design& X) {
  const std::optional<ColumnView> first = X.cols() > 0 ? X.column(0) : std::nullopt;
  return first && first->rows == nullptr;
}

// Held-out parts of K folds are K matrices of p^2 / 2 numbers; single precision halves them. Their rounding, 6e-8 of
// the part, is a K-th of that in the training products, far below the tolerance of a path.
CrossProducts<float> to_single(const CrossProducts<double>& products) {
  CrossProducts<float> single{products.weight, products.y_sum, products.yy, products.x_sums, products.xy, {}};
  single.packed.assign(products.packed.begin(), products.packed.end());
  return single;
}

void add(const CrossProducts<double>& part, CrossProducts<double>& total) {
  if (total.xy.empty()) {
    total = part;
    return;
  }
  total.weight += part.weight;
  total.y_sum += part.y_sum;
  total.yy += part.yy;
  for (Index j = 0; j < std::ssize(total.xy); ++j) {
    total.x_sums[j] += part.x_sums[j];
    total.xy[j] += part.xy[j];
  }
  for (Index e = 0; e < std::ssize(total.packed); ++e) total.packed[e] += part.packed[e];
}

CenteredProducts::CenteredProducts(const CrossProducts<double>& total, const CrossProducts<float>* held_out,
                                   bool intercept)
    : x_means(total.xy.size()), xy(total.xy.size()), total_(total), held_out_(held_out) {
  const auto kept = [&](double all, double out) { return held_out != nullptr ? all - out : all; };
  weight = kept(total.weight, held_out != nullptr ? held_out->weight : 0);
  y_mean = intercept ? kept(total.y_sum, held_out != nullptr ? held_out->y_sum : 0) / weight : 0.0;
  yy = std::max(0.0, kept(total.yy, held_out != nullptr ? held_out->yy : 0) / weight - y_mean * y_mean);
  for (Index j = 0; j < std::ssize(xy); ++j) {
    x_means[j] = intercept ? kept(total.x_sums[j], held_out != nullptr ? held_out->x_sums[j] : 0) / weight : 0.0;
    xy[j] = kept(total.xy[j], held_out != nullptr ? held_out->xy[j] : 0) / weight - x_means[j] * y_mean;
  }
}

// x_i'W x_j / w - mean_i mean_j over the training rows. Formed when asked for: solvers touch the columns of their
// working set only, and a centered matrix per fold would be K times the memory.
double CenteredProducts::entry(Index i, Index j) const {
  const double raw = total_.entry(i, j) - (held_out_ != nullptr ? held_out_->entry(i, j) : 0.0);
  const double centered = raw / weight - x_means[i] * x_means[j];
  return i == j && centered < 1e-12 * raw / weight ? 0.0 : centered;  // a constant column leaves rounding error only
}

}  // namespace tamis
