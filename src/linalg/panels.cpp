#include "linalg/panels.hpp"

#include <algorithm>

namespace tamis {

Panels::Panels(ConstMatrixView R, int widest)
    : rows_(R.rows),
      columns_(R.cols),
      widest_(widest),
      total_width_(width_of_all(R.cols, widest)),
      memory_(total_width_ * R.rows) {
  for_each([&](const Panel& panel, Index) { fill(R, panel); });
}

Index Panels::width_of_all(Index columns, int widest) {
  Index total = 0;
  for_each_panel(columns, widest, [&](Index, int, int width, Index) { total += width; });
  return total;
}

void Panels::fill(ConstMatrixView R, const Panel& panel) const {
  // A few rows of all columns at a time: both sides then stay in the first-level cache.
  constexpr Index strip = 64;
  for (Index from = 0; from < rows_; from += strip) {
    const Index to = std::min(rows_, from + strip);
    for (int l = 0; l < panel.width; ++l) {
      const double* r = l < panel.count ? R.col(panel.first + l) : nullptr;
      for (Index i = from; i < to; ++i) panel.data[i * panel.width + l] = r != nullptr ? r[i] : 0;
    }
  }
}

}  // namespace tamis
