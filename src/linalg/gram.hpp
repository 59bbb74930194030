// Gram matrices of dense columns where they lie, in tiles of the result.
#pragma once

#include <span>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// Columns of X: those in `list`, or if it is nullptr the `count` ones from `first` on.
struct DenseColumns {
  ConstMatrixView X;
  const Index* list = nullptr;
  Index first = 0;
  Index count = 0;

  const double* column(Index k) const { return X.col(list != nullptr ? list[k] : first + k); }
};

/// out = A'WB, W = diag(weights), empty: identity. Shared between threads; an entry depends on its two columns, on
/// which of them is weighted and on nothing else, not on threads or neighbors.
void dense_cross_gram(const DenseColumns& a, const DenseColumns& b, std::span<const double> weights, MatrixView out);

/// out = A'WA, both triangles, equal to the last bit.
void dense_gram(const DenseColumns& a, std::span<const double> weights, MatrixView out);

/// Copies the lower triangle of a square matrix into the upper one.
void mirror_lower(MatrixView out);

}  // namespace tamis
