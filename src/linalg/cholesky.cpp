// Tiled right-looking Cholesky, shared between threads.
//
// Algorithm  for each tile column k: factor the diagonal tile (potrf); divide the tiles below by its transpose (trsm);
//            subtract their outer products from the trailing tiles (gemm). Tiles of a phase are independent.
// Invariant  The cut into 64 x 64 tiles and the order of the subtractions of a tile depend on the size alone: the
//            factor is the same to the last bit on any number of threads. LAPACK with its own threads does not promise
//            that.
// Paper      Buttari, Langou, Kurzak & Dongarra (2009) Parallel Computing 35, tiled algorithms (here with a barrier
//            after each phase instead of a task graph: simpler, and phases are long at the sizes that matter).
#include "linalg/cholesky.hpp"

#include <cblas.h>

#include <algorithm>

#include "linalg/dense_algebra.hpp"
#include "tamis/base/parallel.hpp"

extern "C" {
void spotrf_(const char* triangle, const int* size, float* A, const int* stride, int* info);
void dpotrf_(const char* triangle, const int* size, double* A, const int* stride, int* info);
}

namespace tamis {
namespace {

constexpr int tile = 64;  // measured: 128 takes a fifth longer, on one thread and on two, 32 as long

struct Single {
  using Number = float;
  static constexpr auto factorize = spotrf_;
  static constexpr auto solve = cblas_strsm;
  static constexpr auto multiply = cblas_sgemm;
};
struct Double {
  using Number = double;
  static constexpr auto factorize = dpotrf_;
  static constexpr auto solve = cblas_dtrsm;
  static constexpr auto multiply = cblas_dgemm;
};

// The factor, tile column by tile column; the tiles that a column changes are shared among the threads.
template <class Blas>
class TiledFactor {
 public:
  using Number = typename Blas::Number;
  TiledFactor(Number* A, int size) : A_(A), size_(size), tiles_((size + tile - 1) / tile) {}

  bool factorize() {
    for (int k = 0; k < tiles_; ++k) {
      const int own = width(k);
      int info = 0;
      Blas::factorize("L", &own, at(k, k), &size_, &info);
      if (info != 0) return false;
      const int left = tiles_ - k - 1;
      parallel_for(left, 1, [&](Index first, Index end) {
        for (Index i = first; i < end; ++i) divide(k + 1 + static_cast<int>(i), k);
      });
      parallel_for(Index{left} * left, 1, [&](Index first, Index end) {
        for (Index e = first; e < end; ++e)
          subtract(k + 1 + static_cast<int>(e % left), k + 1 + static_cast<int>(e / left), k);
      });
    }
    return true;
  }

 private:
  Number* at(int i, int j) const { return A_ + Index{j} * tile * size_ + Index{i} * tile; }
  int width(int k) const { return std::min(tile, size_ - k * tile); }

  void divide(int i, int k) const {
    Blas::solve(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, width(i), width(k), Number{1},
                at(k, k), size_, at(i, k), size_);
  }

  void subtract(int i, int j, int k) const {
    if (i < j) return;
    Blas::multiply(CblasColMajor, CblasNoTrans, CblasTrans, width(i), width(j), width(k), Number{-1}, at(i, k), size_,
                   at(j, k), size_, Number{1}, at(i, j), size_);
  }

  Number* A_;
  int size_;
  int tiles_;
};

}  // namespace

bool shared_cholesky(MatrixView A) { return TiledFactor<Double>(A.data, static_cast<int>(A.rows)).factorize(); }

// (A^-1)_kk = |L^-1 e_k|^2. L^-1 e_k is zero above k, so only the trailing triangle of L is solved with.
std::vector<double> inverse_diagonal(ConstMatrixView factor) {
  const Index n = factor.rows;
  std::vector<double> diagonal(n);
  parallel_for(n, tile, [&](Index begin, Index end) {
    Matrix columns(n - begin, end - begin);
    for (Index k = 0; k < columns.cols(); ++k) columns(k, k) = 1;
    solve_lower(ConstMatrixView(factor.col(begin) + begin, n - begin, n - begin, n), columns);
    for (Index k = begin; k < end; ++k) {
      for (const double value : columns.column(k - begin)) diagonal[k] += value * value;
    }
  });
  return diagonal;
}

bool shared_cholesky(std::span<float> A, Index size) {
  return TiledFactor<Single>(A.data(), static_cast<int>(size)).factorize();
}

void solve_by_factor(std::span<const float> factor, Index size, std::span<float> b) {
  if (b.empty()) return;
  const int rows = static_cast<int>(size), columns = static_cast<int>(std::ssize(b) / size);
  if (columns == 1) {
    for (const auto transposed : {CblasNoTrans, CblasTrans})
      cblas_strsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, rows, factor.data(), rows, b.data(), 1);
    return;
  }
  for (const auto transposed : {CblasNoTrans, CblasTrans}) {
    cblas_strsm(CblasColMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, rows, columns, 1, factor.data(), rows,
                b.data(), rows);
  }
}

}  // namespace tamis
