// The loops behind Kernels for one instruction set S. Included by one source file per instruction set, each
// compiled with its own flags: everything here has internal linkage and calls nothing of the standard library, so
// that no code for a newer processor can leak into the rest of the program.
//
// S has: `lanes` of its vectors, load_part and store_part of fewer than `lanes` doubles, `dot_columns` per tile of
// plain dot products and `dot_chains`, independent sums per column (one alone would wait for the latency of each
// addition; both together must fit its registers), `panel_vectors` of right-hand sides in a tile.
#pragma once

#include "linalg/kernels.hpp"

namespace tamis {
namespace {

template <class Number, int L>
struct Lanes {
  typedef Number V __attribute__((vector_size(sizeof(Number) * L)));
};
template <int L>
using Vector = typename Lanes<double, L>::V;
template <int L>  // never longer than the processor's: GCC carries such vectors through memory
using Floats = typename Lanes<float, L>::V;

template <int L, class Number>
inline auto load(const Number* p) {
  typename Lanes<Number, L>::V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <int L>
inline void store(double* p, Vector<L> v) {
  __builtin_memcpy(p, &v, sizeof v);
}
template <int L>
inline double sum_of_lanes(Vector<L> v) {
  double sum = v[0];
  for (int i = 1; i < L; ++i) sum += v[i];
  return sum;
}

// Tiles prefetch the next tile's columns while they work, into the second-level cache: the processor's own
// prefetching stops at the end of every column. Measured 1.2 times faster in order, twice as fast on scattered lists.
constexpr int line = 8;  // doubles
template <int C>
inline void prefetch(const double* const* next, Index i) {
  for (int k = 0; k < C; ++k) __builtin_prefetch(next[k] + i, 0, 2);
}

// out_k += x_k'r for C columns. `chains` independent sums per column hide the latency of fused multiply-add (4 cycles
// on current processors); they are added pairwise at the end, in an order that depends on n alone.
template <class S, int C>
inline void dot_tile(const double* const* x, const double* const* next, const double* r, Index n, double* out) {
  constexpr int L = S::lanes, chains = S::dot_chains;
  Vector<L> sums[C][chains] = {};
  Index i = 0;
  for (; i + chains * L <= n; i += chains * L) {
    if (next != nullptr) {
      for (int u = 0; u < chains * L; u += line) prefetch<C>(next, i + u);
    }
    for (int u = 0; u < chains; ++u) {
      const Vector<L> ri = load<L>(r + i + u * L);
      for (int k = 0; k < C; ++k) sums[k][u] += load<L>(x[k] + i + u * L) * ri;
    }
  }
  for (; i + L <= n; i += L) {
    const Vector<L> ri = load<L>(r + i);
    for (int k = 0; k < C; ++k) sums[k][0] += load<L>(x[k] + i) * ri;
  }
  if (i < n) {
    const int part = static_cast<int>(n - i);
    const Vector<L> ri = S::load_part(r + i, part);
    for (int k = 0; k < C; ++k) sums[k][1] += S::load_part(x[k] + i, part) * ri;
  }
  for (int k = 0; k < C; ++k) {
    for (int half = chains / 2; half > 0; half /= 2) {
      for (int u = 0; u < half; ++u) sums[k][u] += sums[k][u + half];
    }
    out[k] += sum_of_lanes<L>(sums[k][0]);
  }
}

template <class S>
double dot(const double* x, const double* r, Index n) {
  double out = 0;
  dot_tile<S, 1>(&x, nullptr, r, n, &out);
  return out;
}

template <class S>
void dots(const double* const* x, Index count, Index ahead, const double* r, Index n, double* out) {
  constexpr int C = S::dot_columns;
  Index k = 0;
  for (; k + C <= count; k += C) {
    dot_tile<S, C>(x + k, k + 2 * C <= count + ahead ? x + k + C : nullptr, r, n, out + k);
  }
  for (; k < count; ++k) dot_tile<S, 1>(x + k, nullptr, r, n, out + k);
}

// C columns by W vectors of L right-hand sides: C x W sums stay in registers, each entry of X is broadcast once and
// each vector of the panel loaded once per C columns.
template <int L, int C, int W>
inline void panel_tile(const double* const* x, const double* const* next, const double* panel, Index n, double* out) {
  constexpr int width = L * W;
  Vector<L> sums[C][W] = {};
  const auto add = [&](Index i) {
    Vector<L> r[W];
    for (int w = 0; w < W; ++w) r[w] = load<L>(panel + i * width + w * L);
    for (int k = 0; k < C; ++k) {
      for (int w = 0; w < W; ++w) sums[k][w] += r[w] * x[k][i];
    }
  };
  Index i = 0;
  for (; i + line <= n; i += line) {
    if (next != nullptr) prefetch<C>(next, i);
#pragma GCC unroll 8
    for (int u = 0; u < line; ++u) add(i + u);
  }
  for (; i < n; ++i) add(i);
  for (int k = 0; k < C; ++k) {
    for (int w = 0; w < W; ++w) {
      double* o = out + k * width + w * L;
      store<L>(o, load<L>(o) + sums[k][w]);
    }
  }
}

// As many tiles of C columns as there are from column k on; returns the first column that is not done.
template <int L, int C, int W>
inline Index panel_tiles(const double* const* x, Index k, Index count, Index ahead, const double* panel, Index n,
                         double* out) {
  for (; k + C <= count; k += C) {
    panel_tile<L, C, W>(x + k, k + 2 * C <= count + ahead ? x + k + C : nullptr, panel, n, out + k * L * W);
  }
  return k;
}

template <int L, int W>
void panel_dots_of(const double* const* x, Index count, Index ahead, const double* panel, Index n, double* out) {
  // Enough sums to hide latency, few enough columns that their cache lines do not evict each other.
  constexpr int C = W == 1 && L <= 4 ? 8 : W == 2 && L == 4 ? 6 : 4;
  const Index fours = C == 6 && count % 6 == 2 && count >= 8 ? 8 : 0;  // two tiles of four, instead of a narrow one
  Index k = panel_tiles<L, C, W>(x, 0, count - fours, ahead + fours, panel, n, out);
  if constexpr (C > 4) k = panel_tiles<L, 4, W>(x, k, count, ahead, panel, n, out);
  panel_tiles<L, 1, W>(x, k, count, ahead, panel, n, out);
}

// Calls body with the number of vectors of a panel as a constant: 1 .. W.
template <int W, class Body>
inline void with_vectors(int vectors, const Body& body) {
  if (vectors == W) {
    body.template operator()<W>();
  } else if constexpr (W > 1) {
    with_vectors<W - 1>(vectors, body);
  }
}

// Calls body with lanes and vectors of a panel of this width as constants.
template <class S, class Body>
inline void with_panel(int width, const Body& body) {
  if (width == 1) return body.template operator()<1, 1>();
  if (width == 2) return body.template operator()<2, 1>();
  if constexpr (S::lanes >= 4) {
    if (width == 4) return body.template operator()<4, 1>();
  }
  with_vectors<S::panel_vectors>(width / S::lanes, [&]<int W>() { body.template operator()<S::lanes, W>(); });
}

template <class S>
void panel_dots(const double* const* x, Index count, Index ahead, const double* panel, int width, Index n,
                double* out) {
  with_panel<S>(width, [&]<int L, int W>() { panel_dots_of<L, W>(x, count, ahead, panel, n, out); });
}

// Rows i .. i + L - 1 (or `part` of them) of R += sum of C columns.
template <class S, int C, bool whole>
inline void update_rows(const double* const* x, const double* v, MatrixView R, Index i, int part) {
  constexpr int L = S::lanes;
  Vector<L> xs[C];
  for (int k = 0; k < C; ++k) xs[k] = whole ? load<L>(x[k] + i) : S::load_part(x[k] + i, part);
  for (Index l = 0; l < R.cols; ++l) {
    double* to = R.data + l * R.stride + i;
    Vector<L> r = whole ? load<L>(to) : S::load_part(to, part);
    for (int k = 0; k < C; ++k) r += xs[k] * v[k * R.cols + l];
    if constexpr (whole) {
      store<L>(to, r);
    } else {
      S::store_part(to, r, part);
    }
  }
}

template <class S, int C>
inline void update(const double* const* x, const double* const* next, const double* v, MatrixView R) {
  constexpr int L = S::lanes;
  Index i = 0;
  for (; i + line <= R.rows; i += line) {
    if (next != nullptr) prefetch<C>(next, i);
    for (int u = 0; u < line; u += L) update_rows<S, C, true>(x, v, R, i + u, L);
  }
  for (; i + L <= R.rows; i += L) update_rows<S, C, true>(x, v, R, i, L);
  if (i < R.rows) update_rows<S, C, false>(x, v, R, i, static_cast<int>(R.rows - i));
}

template <class S>
void multiply_add(const double* const* x, Index count, const double* v, MatrixView R) {
  constexpr int C = 8;
  Index k = 0;
  for (; k + C <= count; k += C) {
    update<S, C>(x + k, k + 2 * C <= count ? x + k + C : nullptr, v + k * R.cols, R);
  }
  for (; k + 2 <= count; k += 2) update<S, 2>(x + k, nullptr, v + k * R.cols, R);
  if (k < count) update<S, 1>(x + k, nullptr, v + k * R.cols, R);
}

template <class S, bool weighted>
inline void centered_sums_of(const double* x, const double* w, Index n, double center, double* out) {
  constexpr int L = S::lanes;
  constexpr int U = 2;
  Vector<L> sums[U] = {}, squares[U] = {};
  const auto add = [&](int u, Vector<L> d, Vector<L> wi) {
    const Vector<L> wd = weighted ? wi * d : d;
    sums[u] += wd;
    squares[u] += wd * d;
  };
  Index i = 0;
  for (; i + U * L <= n; i += U * L) {
    for (int u = 0; u < U; ++u) {
      add(u, load<L>(x + i + u * L) - center, weighted ? load<L>(w + i + u * L) : Vector<L>{});
    }
  }
  double sum = sum_of_lanes<L>(sums[0] + sums[1]), square = sum_of_lanes<L>(squares[0] + squares[1]);
  for (; i < n; ++i) {
    const double d = x[i] - center, wd = weighted ? w[i] * d : d;
    sum += wd;
    square += wd * d;
  }
  out[0] = sum;
  out[1] = square;
}

template <class S>
void centered_sums(const double* x, const double* w, Index n, double center, double* out) {
  if (w == nullptr) {
    centered_sums_of<S, false>(x, w, n, center, out);
  } else {
    centered_sums_of<S, true>(x, w, n, center, out);
  }
}

template <int L, int W>
inline void sparse_dots_of(const double* x, const std::int32_t* rows, Index count, const double* panel, double* out) {
  constexpr int width = L * W;
  constexpr int U = W == 1 ? 4 : W == 2 ? 2 : 1;
  Vector<L> sums[U][W] = {};
  Index e = 0;
  for (; e + U <= count; e += U) {
    for (int u = 0; u < U; ++u) {
      const double* r = panel + Index{rows[e + u]} * width;
      for (int w = 0; w < W; ++w) sums[u][w] += load<L>(r + w * L) * x[e + u];
    }
  }
  for (; e < count; ++e) {
    const double* r = panel + Index{rows[e]} * width;
    for (int w = 0; w < W; ++w) sums[0][w] += load<L>(r + w * L) * x[e];
  }
  for (int w = 0; w < W; ++w) {
    for (int u = 1; u < U; ++u) sums[0][w] += sums[u][w];
    store<L>(out + w * L, sums[0][w]);
  }
}

template <class S>
void sparse_dots(const double* x, const std::int32_t* rows, Index count, const double* panel, int width, double* out) {
  with_panel<S>(width, [&]<int L, int W>() { sparse_dots_of<L, W>(x, rows, count, panel, out); });
}

// g -= v, sixteen numbers.
template <int L>
inline void subtract_tile(const float* v, double* g) {
  for (int i = 0; i < 16; i += L) {
    store<L>(g + i, load<L>(g + i) - __builtin_convertvector(load<L>(v + i), Vector<L>));
  }
}

// Sums of neighboring lanes: those of a, then those of b.
inline Floats<4> add_pairs(Floats<4> a, Floats<4> b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}
#ifdef __AVX__
inline Floats<8> add_pairs(Floats<8> a, Floats<8> b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
#endif
#ifdef __AVX512F__
inline Floats<16> add_pairs(Floats<16> a, Floats<16> b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
#endif

// out_c = sum of the lanes of v_c, c = 0 .. 15. Overwrites v.
template <int F>
inline void sum_lanes(Floats<F>* v, float* out) {
  for (int first = 0; first < 16; first += F) {
    for (int width = F / 2; width > 0; width /= 2) {
      for (int c = 0; c < width; ++c) v[first + c] = add_pairs(v[first + 2 * c], v[first + 2 * c + 1]);
    }
    __builtin_memcpy(out + first, v + first, sizeof v[first]);
  }
}

// g of tile row i -= T(i, block) d for i > block.
template <class S>
void tile_push(const float* tiles, Index block, Index blocks, const float* d, double* g) {
  constexpr int F = 2 * S::lanes, H = 16 / F;
  for (Index i = block + 1; i < blocks; ++i) {
    const float* t = tiles + (i * (i + 1) / 2 + block) * 256;
    Floats<F> sums[4][H] = {};
#pragma GCC unroll 16
    for (int c = 0; c < 16; ++c) {
      for (int h = 0; h < H; ++h) sums[c % 4][h] += load<F>(t + 16 * c + F * h) * d[c];
    }
    float sum[16];
    for (int h = 0; h < H; ++h) {
      const Floats<F> whole = (sums[0][h] + sums[1][h]) + (sums[2][h] + sums[3][h]);
      __builtin_memcpy(sum + F * h, &whole, sizeof whole);
    }
    subtract_tile<S::lanes>(sum, g + 16 * i);
  }
}

// products_c = sum_i T(i, block)_c d_i, lane by lane, over the tiles first <= i < end that moved, for C columns c of
// each: as many sums as registers hold.
template <int F, int C>
inline void sum_products(const float* tiles, Index block, Index first, Index end, const float* d, const bool* moved,
                         int from, Floats<F>* products) {
  constexpr int H = 16 / F;
  Floats<F> sums[C][H] = {};
  for (Index i = first; i < end; ++i) {
    if (!moved[i]) continue;
    Floats<F> step[H];
    for (int h = 0; h < H; ++h) step[h] = load<F>(d + 16 * i + F * h);
    const float* t = tiles + (i * (i + 1) / 2 + block) * 256 + 16 * from;
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
      for (int h = 0; h < H; ++h) sums[c][h] += load<F>(t + 16 * c + F * h) * step[h];
    }
  }
  for (int c = 0; c < C; ++c) {
    products[from + c] = sums[c][0];
    for (int h = 1; h < H; ++h) products[from + c] += sums[c][h];
  }
}

// own -= sum_i T(i, block)' d_i over i > block. Lanes are summed once per group of tiles: as many as
// single precision bears, since that costs as much as some tiles.
template <class S>
void tile_pull(const float* tiles, Index block, Index blocks, const float* d, const bool* moved, double* own) {
  constexpr int F = 2 * S::lanes, C = S::lanes;
  constexpr Index group = 8;
  for (Index first = block + 1; first < blocks; first += group) {
    const Index end = first + group < blocks ? first + group : blocks;
    bool any = false;
    for (Index i = first; i < end; ++i) any |= moved[i];
    if (!any) continue;
    Floats<F> products[16];
    for (int from = 0; from < 16; from += C) {
      sum_products<F, C>(tiles, block, first, end, d, moved, from, products);
    }
    float sum[16];
    sum_lanes<F>(products, sum);
    subtract_tile<S::lanes>(sum, own);
  }
}

// q += v h x, entry by entry: the update of the weighted residual in coordinate descent on columns.
template <class S>
void add_weighted(double v, const double* h, const double* x, Index n, double* q) {
  constexpr int L = S::lanes;
  Index i = 0;
  for (; i + L <= n; i += L) store<L>(q + i, load<L>(q + i) + load<L>(h + i) * load<L>(x + i) * v);
  for (; i < n; ++i) q[i] += v * h[i] * x[i];
}

template <class S>
constexpr Kernels kernels_of(const char* name) {
  return {name,
          S::lanes * S::panel_vectors,
          dot<S>,
          dots<S>,
          panel_dots<S>,
          multiply_add<S>,
          centered_sums<S>,
          sparse_dots<S>,
          tile_push<S>,
          tile_pull<S>,
          add_weighted<S>};
}

}  // namespace
}  // namespace tamis
