// The inner loops that stream X, written once for vectors of any width and compiled for several instruction sets;
// the best one that the processor has is chosen when the program starts. Sums run in an order that depends on the
// number of rows and of right-hand sides only, never on a column's neighbors.
#pragma once

#include <cstdint>
#include <span>

#include "tamis/base/index.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

/// Several right-hand sides come as a panel: their values row by row, r[i * width + l], aligned to 64 bytes, where
/// width is 2, 4 or a multiple of 8 up to `widest_panel` (see linalg/panels.hpp).
struct Kernels {
  /// No kernel prefetches more columns ahead.
  static constexpr Index furthest_ahead = 8;
  /// As `ahead`: the columns themselves are in cache already, so that nothing is fetched.
  static constexpr Index in_cache = -(Index{1} << 40);

  const char* name;
  int widest_panel;

  /// x'r.
  double (*dot)(const double* x, const double* r, Index n);
  /// out_k += x_k' r for `count` columns of n entries each. `ahead` more pointers follow them, to columns that will
  /// be needed next: they are fetched into cache.
  void (*dots)(const double* const* x, Index count, Index ahead, const double* r, Index n, double* out);
  /// out[k * width + l] += x_k' r_l, likewise.
  void (*panel_dots)(const double* const* x, Index count, Index ahead, const double* panel, int width, Index n,
                     double* out);
  /// R(:, l) += sum_k v[k * R.cols + l] x_k, in the order of k, for `count` columns of R.rows entries each.
  void (*multiply_add)(const double* const* x, Index count, const double* v, MatrixView R);
  /// sums[0] = sum_i w_i (x_i - center), sums[1] = sum_i w_i (x_i - center)^2; w nullptr: ones.
  void (*centered_sums)(const double* x, const double* w, Index n, double center, double* sums);
  /// out_l = sum_e x_e r_l[rows_e] over the stored entries of a sparse column; width 1 (a plain vector) is allowed.
  void (*sparse_dots)(const double* x, const std::int32_t* rows, Index count, const double* panel, int width,
                      double* out);
  /// For a symmetric matrix A in tiles of 16 x 16 floats, lower tiles row by row, each column-major:
  /// g -= A d in the rows below tile `block`, where d (16 floats) belongs to that tile's columns.
  void (*tile_push)(const float* tiles, Index block, Index blocks, const float* d, double* g);
  /// own -= A d, the 16 rows of tile `block`, where d (16 floats for every tile) counts below it, and there only where
  /// `moved`. With tile_push this reads the same half of A, one tile column at a time.
  void (*tile_pull)(const float* tiles, Index block, Index blocks, const float* d, const bool* moved, double* own);
  /// q_i += v h_i x_i.
  void (*add_weighted)(double v, const double* h, const double* x, Index n, double* q);
};

/// Asks for the entries of a sparse column that is wanted soon. Short columns in any order defeat the processor's own
/// prefetching, which begins to help after some cache lines: so only the first ones of a long column.
inline void prefetch_entries(const double* x, const std::int32_t* rows, Index count) {
  const Index wanted = count < 128 ? count : 128;
  for (Index e = 0; e < wanted; e += 8) __builtin_prefetch(x + e);
  for (Index e = 0; e < wanted; e += 16) __builtin_prefetch(rows + e);
}

/// The best for this processor.
const Kernels& kernels();

/// All that this processor can run, plainest first.
std::span<const Kernels* const> runnable_kernels();

}  // namespace tamis
