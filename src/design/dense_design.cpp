// Dense columns in the caller's memory.
#include <algorithm>

#include "tamis/base/parallel.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

void DenseDesign::local_gather(Columns c, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) std::copy_n(values_.col(c[k]), values_.rows, out.col(k));
}

void DenseDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  for (Index l = 0; l < V.cols; ++l) {
    for (Index k = 0; k < c.size(); ++k) {
      const double v = V(k, l);
      if (v == 0) continue;
      const double* x = values_.col(c[k]);
      for (Index i = 0; i < values_.rows; ++i) R(i, l) += v * x[i];
    }
  }
}

void DenseDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    const double* x = values_.col(c[k]);
    for (Index l = 0; l < R.cols; ++l) {
      double sum = 0;
      for (Index i = 0; i < values_.rows; ++i) sum += x[i] * R(i, l);
      out(k, l) = sum;
    }
  }
}

void DenseDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  Design::local_gram(c, weights, out);
}

void DenseDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  Design::local_cross_gram(a, b, weights, out);
}

void DenseDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  for (Index k = 0; k < c.size(); ++k) {
    const double* x = values_.col(c[k]);
    double sum = 0;
    for (Index i = 0; i < values_.rows; ++i) sum += (weights.empty() ? 1 : weights[i]) * x[i] * x[i];
    out[k] = sum;
  }
}

std::optional<ColumnView> DenseDesign::local_column(Index j) const {
  return ColumnView{.values = values_.col(j), .rows = nullptr, .count = values_.rows};
}

}  // namespace tamis
