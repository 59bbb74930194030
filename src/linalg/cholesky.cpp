#include "linalg/cholesky.hpp"

#include <algorithm>

#include "tamis/base/parallel.hpp"

extern "C" {
void spotrf_(const char* triangle, const int* size, float* A, const int* stride, int* info);
void spotrs_(const char* triangle, const int* size, const int* columns, const float* factor, const int* stride,
             float* x, const int* x_stride, int* info);
void strsm_(const char* side, const char* triangle, const char* transposed, const char* diagonal, const int* rows,
            const int* cols, const float* scale, const float* A, const int* A_stride, float* B, const int* B_stride);
void sgemm_(const char* a_transposed, const char* b_transposed, const int* rows, const int* cols, const int* inner,
            const float* scale, const float* A, const int* A_stride, const float* B, const int* B_stride,
            const float* keep, float* C, const int* C_stride);
}

namespace tamis {
namespace {

constexpr int tile = 128;  // as large as OpenBLAS needs to run at its speed

// The factor, tile column by tile column; the tiles that a column changes are shared among the threads.
class TiledFactor {
 public:
  TiledFactor(float* A, int size) : A_(A), size_(size), tiles_((size + tile - 1) / tile) {}

  bool factorise() {
    for (int k = 0; k < tiles_; ++k) {
      const int own = width(k);
      int info = 0;
      spotrf_("L", &own, at(k, k), &size_, &info);
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
  float* at(int i, int j) const { return A_ + static_cast<Index>(j) * tile * size_ + static_cast<Index>(i) * tile; }
  int width(int k) const { return std::min(tile, size_ - k * tile); }

  void divide(int i, int k) const {
    const int rows = width(i), cols = width(k);
    const float one = 1;
    strsm_("R", "L", "T", "N", &rows, &cols, &one, at(k, k), &size_, at(i, k), &size_);
  }

  void subtract(int i, int j, int k) const {
    if (i < j) return;
    const int rows = width(i), cols = width(j), inner = width(k);
    const float minus = -1, one = 1;
    sgemm_("N", "T", &rows, &cols, &inner, &minus, at(i, k), &size_, at(j, k), &size_, &one, at(i, j), &size_);
  }

  float* A_;
  int size_;
  int tiles_;
};

}  // namespace

bool cholesky_solve(std::span<float> A, std::span<float> x) {
  const int size = static_cast<int>(x.size());
  if (size == 0) return true;
  if (!TiledFactor(A.data(), size).factorise()) return false;
  const int one = 1;
  int info = 0;
  spotrs_("L", &size, &one, A.data(), &size, x.data(), &size, &info);
  return info == 0;
}

}  // namespace tamis
