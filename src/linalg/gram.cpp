// A'WB in tiles of up to 256 columns of A by 40 of B. A strip of rows of B is weighted and interleaved into
// second-level cache, and the columns of A are streamed past it where they lie: no copy of A, whatever its list.
// OpenBLAS would need both sides gathered when columns are scattered or weighted; measured on 20,000 x 500 in place
// its dsyrk takes about the time of this.
#include "linalg/gram.hpp"

#include <algorithm>

#include "base/scratch.hpp"
#include "linalg/kernels.hpp"
#include "linalg/panels.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr Index tile_a = 256;
constexpr Index tile_b = 40;
constexpr Index strip = 256;                  // rows at a time: a panel of eight columns of B in first-level cache
constexpr Index pointer_batch = 64;           // columns of A at a time, so that their sums stay in cache too
constexpr double least_shared_work = 20'000;  // multiply-adds

struct Tile {
  Index ka, na;  // columns of A
  Index kb, nb;  // columns of B
  bool lower;    // A is B, and only the lower triangle is computed

  /// The first column of A, counted from ka, that is wanted beside column `b` of B, counted from kb.
  Index first_beside(Index b) const { return lower ? std::clamp<Index>(kb + b - ka, 0, na) : 0; }
};

void gather_strip(const DenseColumns& b, const Tile& t, Index i, Index rows, std::span<const double> weights,
                  double* out) {
  for (Index l = 0; l < t.nb; ++l, out += rows) {
    const double* x = b.column(t.kb + l) + i;
    if (weights.empty()) {
      std::copy_n(x, rows, out);
    } else {
      for (Index s = 0; s < rows; ++s) out[s] = weights[i + s] * x[s];
    }
  }
}

// B's part of a strip: where it lies if it can be, else copied (and weighted) to `out`.
ConstMatrixView strip_of(const DenseColumns& b, const Tile& t, Index i, Index rows, std::span<const double> weights,
                         double* out) {
  if (weights.empty() && b.list == nullptr) return {b.column(t.kb) + i, rows, t.nb, b.X.stride};
  gather_strip(b, t, i, rows, weights, out);
  return {out, rows, t.nb};
}

// sums += A_i' B_i for one strip; panel by panel, each as many columns of A by its width.
void add_strip(const DenseColumns& a, const Tile& t, Index i, const Panels& panels, Index rows, double* sums) {
  for (Index k = 0; k < t.na; k += pointer_batch) {
    const Index count = std::min(pointer_batch, t.na - k);
    const Index ahead = std::min(Kernels::furthest_ahead, t.na - k - count);
    const double* x[pointer_batch + Kernels::furthest_ahead];
    for (Index s = 0; s < count + ahead; ++s) x[s] = a.column(t.ka + k + s) + i;
    panels.for_each([&](const Panel& panel, Index offset) {
      const Index skip = std::min(count, std::max<Index>(0, t.first_beside(panel.first) - k));
      kernels().panel_dots(x + skip, count - skip, offset == 0 ? ahead : Kernels::in_cache, panel.data, panel.width,
                           rows, sums + offset * t.na + (k + skip) * panel.width);
    });
  }
}

// put(k, l, value) for the entries of one tile.
template <class Put>
void make_tile(const DenseColumns& a, const DenseColumns& b, std::span<const double> weights, const Tile& t,
               const Put& put) {
  const Index n = a.X.rows;
  const Scratch side(std::min(strip, n) * t.nb), sums(t.na * (t.nb + largest_padding));
  std::fill_n(sums.data(), t.na * (t.nb + largest_padding), 0.0);
  for (Index i = 0; i < n; i += strip) {
    const Index rows = std::min(strip, n - i);
    const Panels panels(strip_of(b, t, i, rows, weights, side.data()), kernels().widest_panel);
    add_strip(a, t, i, panels, rows, sums.data());
  }
  for_each_panel(t.nb, kernels().widest_panel, [&](Index first, int count, int width, Index offset) {
    const double* from = sums.data() + offset * t.na;
    for (int l = 0; l < count; ++l) {
      for (Index k = 0; k < t.na; ++k) put(t.ka + k, t.kb + first + l, from[k * width + l]);
    }
  });
}

// Tiles of the whole result, or of its lower triangle (then those on the diagonal reach above it, with zeros or more).
template <class Put>
void make_tiles(const DenseColumns& a, const DenseColumns& b, std::span<const double> weights, bool lower,
                const Put& put) {
  const Index groups = (b.count + tile_b - 1) / tile_b, chunks = (a.count + tile_a - 1) / tile_a;
  const double work = static_cast<double>(a.X.rows) * static_cast<double>(a.count) * static_cast<double>(b.count);
  const Index grain = work < least_shared_work ? groups * chunks : 1;
  parallel_for(groups * chunks, grain, [&](Index begin, Index end) {
    for (Index piece = begin; piece < end; ++piece) {
      const Index kb = piece / chunks * tile_b, last = std::min(a.count, (piece % chunks + 1) * tile_a);
      const Index ka = std::max(piece % chunks * tile_a, lower ? kb : 0);
      if (ka < last) make_tile(a, b, weights, {ka, last - ka, kb, std::min(tile_b, b.count - kb), lower}, put);
    }
  });
}

}  // namespace

void dense_cross_gram(const DenseColumns& a, const DenseColumns& b, std::span<const double> weights, MatrixView out) {
  // The longer side is streamed; the shorter one is copied strip by strip.
  if (a.count >= b.count) {
    make_tiles(a, b, weights, false, [&](Index k, Index l, double value) { out(k, l) = value; });
  } else {
    make_tiles(b, a, weights, false, [&](Index l, Index k, double value) { out(k, l) = value; });
  }
}

void dense_gram(const DenseColumns& a, std::span<const double> weights, MatrixView out) {
  make_tiles(a, a, weights, true, [&](Index k, Index l, double value) { out(k, l) = value; });
  mirror_lower(out);
}

void mirror_lower(MatrixView out) {
  // In squares: a whole row at a time would touch one cache line per entry.
  constexpr Index square = 32, few = 256;
  parallel_for(out.cols, out.cols <= few ? out.cols : square, [&](Index begin, Index end) {
    for (Index k = begin; k < end; k += square) {
      for (Index l = 0; l <= k; l += square) {
        for (Index i = k; i < std::min(end, k + square); ++i) {
          for (Index j = l; j < std::min(i, l + square); ++j) out(j, i) = out(i, j);
        }
      }
    }
  });
}

}  // namespace tamis
