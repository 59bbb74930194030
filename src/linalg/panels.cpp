#include "linalg/panels.hpp"

#include <algorithm>

#include "tamis/base/parallel.hpp"

namespace tamis {

Panels::Panels(ConstMatrixView R, int widest)
    : rows_(R.rows),
      columns_(R.cols),
      widest_(widest),
      total_width_(width_of_all(R.cols, widest)),
      memory_(total_width_ * R.rows) {
  constexpr Index least_shared_entries = 65'536, rows_at_once = 128;
  const Index grain = rows_ * columns_ < least_shared_entries ? rows_ : rows_at_once;
  parallel_for(rows_, grain, [&](Index begin, Index end) {
    for_each([&](const Panel& panel, Index) { fill(R, panel, begin, end); });
  });
}

Index Panels::width_of_all(Index columns, int widest) {
  Index total = 0;
  for_each_panel(columns, widest, [&](Index, int, int width, Index) { total += width; });
  return total;
}

namespace {

typedef double Pair __attribute__((vector_size(16)));

Pair load_pair(const double* from) {
  Pair pair;
  __builtin_memcpy(&pair, from, sizeof pair);
  return pair;
}

// Transposes two columns into neighboring places of each row, two rows at a time by 2 x 2 shuffles: scalar copies would
// store every number on its own.
void interleave(const double* left, const double* right, Index from, Index to, int width, double* out) {
  Index i = from;
  for (; i + 2 <= to; i += 2) {
    const Pair a = load_pair(left + i), b = load_pair(right + i);
    const Pair low = __builtin_shufflevector(a, b, 0, 2), high = __builtin_shufflevector(a, b, 1, 3);
    __builtin_memcpy(out + i * width, &low, sizeof low);
    __builtin_memcpy(out + (i + 1) * width, &high, sizeof high);
  }
  if (i < to) {
    out[i * width] = left[i];
    out[i * width + 1] = right[i];
  }
}

}  // namespace

void Panels::fill(ConstMatrixView R, const Panel& panel, Index begin, Index end) const {
  // A few rows of all columns at a time: both sides then stay in the first-level cache.
  constexpr Index strip = 64;
  const int even = panel.count / 2 * 2;
  for (Index from = begin; from < end; from += strip) {
    const Index to = std::min(end, from + strip);
    for (int l = 0; l < even; l += 2) {
      interleave(R.col(panel.first + l), R.col(panel.first + l + 1), from, to, panel.width, panel.data + l);
    }
    for (int l = even; l < panel.width; ++l) {
      const double* r = l < panel.count ? R.col(panel.first + l) : nullptr;
      for (Index i = from; i < to; ++i) panel.data[i * panel.width + l] = r != nullptr ? r[i] : 0;
    }
  }
}

}  // namespace tamis
