// A'WB in tiles of the result. Where columns lie side by side and have no weights, BLAS reads them in place; else a
// bounded strip of rows is gathered first, with the weights on one side. Tiles do not depend on the number of threads.
#include "linalg/gram.hpp"

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/scratch.hpp"
#include "base/single_threaded_blas.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr Index tile = 128;
// Rows per call: two gathered sides of a tile are 2 MB. In place, longer strips only cost accuracy.
constexpr Index gathered_rows = 1024;
constexpr Index rows_in_place = 16384;
// Multiply-adds below which one thread does it all.
constexpr double least_shared_work = 1e6;

bool lies_side_by_side(const DenseColumns& a) {
  return a.list == nullptr && a.X.stride <= std::numeric_limits<int>::max();
}

// Some rows of some columns as BLAS wants them: in place if possible, else a copy in `memory`.
ConstMatrixView strip(const DenseColumns& a, Index k, Index count, Index i, Index rows, const double* weights,
                      double* memory) {
  if (memory == nullptr) return {a.column(k) + i, rows, count, a.X.stride};
  for (Index l = 0; l < count; ++l) {
    const double* from = a.column(k + l) + i;
    double* to = memory + l * rows;
    if (weights == nullptr) {
      std::copy_n(from, rows, to);
    } else {
      for (Index s = 0; s < rows; ++s) to[s] = weights[i + s] * from[s];
    }
  }
  return {memory, rows, count, rows};
}

void multiply(ConstMatrixView A, ConstMatrixView B, double beta, MatrixView out) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(A.cols), static_cast<int>(B.cols),
              static_cast<int>(A.rows), 1, A.data, static_cast<int>(std::max<Index>(1, A.stride)), B.data,
              static_cast<int>(std::max<Index>(1, B.stride)), beta, out.data, static_cast<int>(out.stride));
}

void multiply_itself(ConstMatrixView A, double beta, MatrixView out) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(A.cols), static_cast<int>(A.rows), 1, A.data,
              static_cast<int>(std::max<Index>(1, A.stride)), beta, out.data, static_cast<int>(out.stride));
}

// One tile of the result, in scratch of its own so that the result may have any stride.
// `diagonal`: both sides are the same columns and only the lower triangle matters.
void make_tile(const DenseColumns& a, Index ka, Index na, const DenseColumns& b, Index kb, Index nb,
               std::span<const double> weights, bool diagonal, MatrixView out) {
  const Index n = a.X.rows;
  const double* w = weights.empty() ? nullptr : weights.data();
  const bool itself = diagonal && w == nullptr;
  const bool copy_a = !lies_side_by_side(a), copy_b = !itself && (w != nullptr || !lies_side_by_side(b));
  const Index height = std::min(n, copy_a || copy_b ? gathered_rows : rows_in_place);
  std::optional<Scratch> memory_a, memory_b;
  if (copy_a) memory_a.emplace(height * na);
  if (copy_b) memory_b.emplace(height * nb);
  const Scratch sums(na * nb);
  const MatrixView result(sums.data(), na, nb);
  std::fill_n(sums.data(), na * nb, 0.0);
  for (Index i = 0; i < n; i += height) {
    const Index rows = std::min(height, n - i);
    const ConstMatrixView A = strip(a, ka, na, i, rows, nullptr, copy_a ? memory_a->data() : nullptr);
    if (itself) {
      multiply_itself(A, 1, result);
    } else {
      multiply(A, strip(b, kb, nb, i, rows, w, copy_b ? memory_b->data() : nullptr), 1, result);
    }
  }
  for (Index l = 0; l < nb; ++l) std::copy_n(result.col(l), na, out.col(kb + l) + ka);
}

}  // namespace

void dense_cross_gram(const DenseColumns& a, const DenseColumns& b, std::span<const double> weights, MatrixView out) {
  const SingleThreadedBlas guard;
  const Index across = (a.count + tile - 1) / tile, down = (b.count + tile - 1) / tile;
  const auto tiles = [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Index ka = t % across * tile, kb = t / across * tile;
      make_tile(a, ka, std::min(tile, a.count - ka), b, kb, std::min(tile, b.count - kb), weights, false, out);
    }
  };
  const double work = static_cast<double>(a.X.rows) * static_cast<double>(a.count) * static_cast<double>(b.count);
  parallel_for(across * down, work < least_shared_work ? across * down : 1, tiles);
}

void dense_gram(const DenseColumns& a, std::span<const double> weights, MatrixView out) {
  const SingleThreadedBlas guard;
  const Index side = (a.count + tile - 1) / tile;
  const auto block_row = [&](Index r, Index s) {
    const Index ka = r * tile, kb = s * tile;
    make_tile(a, ka, std::min(tile, a.count - ka), a, kb, std::min(tile, a.count - kb), weights, r == s, out);
  };
  // Tile t of the lower triangle, column by column: the long columns come first, so that the last pieces are short.
  const auto tiles = [&](Index begin, Index end) {
    Index t = 0;
    for (Index s = 0; s < side; ++s) {
      for (Index r = s; r < side; ++r, ++t) {
        if (t >= begin && t < end) block_row(r, s);
      }
    }
  };
  const Index count = side * (side + 1) / 2;
  const double work = static_cast<double>(a.X.rows) * static_cast<double>(a.count) * static_cast<double>(a.count);
  parallel_for(count, work < least_shared_work ? count : 1, tiles);
  mirror_lower(out);
}

void mirror_lower(MatrixView out) {
  // In squares: a whole row at a time would touch one cache line per entry.
  constexpr Index square = 32;
  for (Index k = 0; k < out.cols; k += square) {
    for (Index l = 0; l <= k; l += square) {
      for (Index i = k; i < std::min(out.cols, k + square); ++i) {
        for (Index j = l; j < std::min(i, l + square); ++j) out(j, i) = out(i, j);
      }
    }
  }
}

}  // namespace tamis
