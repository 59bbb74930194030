// K = X_c diag(scale) X_c', rows x rows.
//
// Dense      columns are gathered 256 at a time, scaled by sqrt(scale), and multiplied in 256 x 256 tiles of K by BLAS.
// Sparse     each column adds its outer product at its stored entries; with z = (x - m 1) the centering is
//              z z' = x x' - m (x 1' + 1 x') + m^2 1 1',
//            whose last two parts are summed over all columns and applied once. Cost stored^2 per column, so it is
//            taken below a tenth of the entries only.
// Hazard     The sparse form cancels for columns whose center is far above their spread; sparse columns rarely are.
// Each tile is one thread's: the same bits on any number of threads.
#include "design/row_gram.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/gram.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// K += block block', lower tiles only.
void add_outer(const Matrix& block, Index width, Matrix& K) {
  constexpr Index tile = 256;
  const Index n = K.rows();
  const Index tiles = (n + tile - 1) / tile;
  parallel_for(tiles * tiles, 1, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Index row = (t / tiles) * tile, col = (t % tiles) * tile;
      if (row < col) continue;
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(std::min(tile, n - row)),
                  static_cast<int>(std::min(tile, n - col)), static_cast<int>(width), 1.0, block.col(0) + row,
                  static_cast<int>(n), block.col(0) + col, static_cast<int>(n), 1.0, K.col(col) + row,
                  static_cast<int>(n));
    }
  });
}

// 256 columns at a time: a scaled copy of all of X_c would be as large as X. K is read and written once per panel.
Matrix row_gram_of_panels(const Design& X, Columns c, std::span<const double> scale) {
  constexpr Index width = 256;
  const Index n = X.rows();
  Matrix K(n, n), block(n, std::min(width, c.size()));
  for (Index first = 0; first < c.size(); first += width) {
    const Index count = std::min(width, c.size() - first);
    X.gather(c.slice(first, count), MatrixView(block.col(0), n, count));
    for (Index k = 0; k < count && !scale.empty(); ++k) {
      const double root = std::sqrt(scale[first + k]);
      for (double& x : block.column(k)) x *= root;
    }
    add_outer(block, count, K);
  }
  return K;
}

// Stored entries only; centers are applied at the end (see the head of this file).
Matrix row_gram_of_entries(const Design& X, Columns c, std::span<const double> scale) {
  const Index n = X.rows();
  Matrix K(n, n);
  std::vector<double> cross(n);
  double square = 0;
  for (Index k = 0; k < c.size(); ++k) {
    const ColumnView x = *X.column(c[k]);
    const double r = x.factor * x.factor * (scale.empty() ? 1.0 : scale[k]);
    square += r * x.center * x.center;
    for (Index e = 0; e < x.count; ++e) {
      const double v = r * x.values[e];
      cross[x.rows[e]] += v * x.center;
      double* column = K.col(x.rows[e]);
      for (Index f = e; f < x.count; ++f) column[x.rows[f]] += v * x.values[f];
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) K(i, j) += square - cross[i] - cross[j];
  }
  return K;
}

}  // namespace

Matrix row_gram(const Design& X, Columns c, std::span<const double> scale) {
  const bool sparse = X.stored_per_column() < 0.1 * static_cast<double>(X.rows());
  const auto has_entries = [&] {
    for (Index k = 0; k < c.size(); ++k) {
      const std::optional<ColumnView> x = X.column(c[k]);
      if (!x || x->rows == nullptr) return false;
    }
    return true;
  };
  Matrix K = sparse && has_entries() ? row_gram_of_entries(X, c, scale) : row_gram_of_panels(X, c, scale);
  mirror_lower(K);
  return K;
}

// sum_k f_k^2 (x_ik - m_k)^2: entries of a sparse column change the m_k^2 f_k^2 that every row has by f^2 x (x - 2 m).
std::vector<double> row_gram_diagonal(const Design& X, Columns c) {
  std::vector<double> squares(X.rows(), 0.0);
  Matrix gathered(X.rows(), 1);
  double everywhere = 0;  // from the means of sparse columns
  for (Index k = 0; k < c.size(); ++k) {
    const std::optional<ColumnView> x = X.column(c[k]);
    if (x && x->rows != nullptr) {
      const double square = x->factor * x->factor;
      everywhere += square * x->center * x->center;
      for (Index e = 0; e < x->count; ++e) {
        squares[x->rows[e]] += square * x->values[e] * (x->values[e] - 2 * x->center);
      }
      continue;
    }
    X.gather(c.slice(k, 1), gathered);
    for (Index i = 0; i < std::ssize(squares); ++i) squares[i] += gathered.col(0)[i] * gathered.col(0)[i];
  }
  for (double& s2 : squares) s2 += everywhere;
  return squares;
}

}  // namespace tamis
