// Several right-hand sides as the kernels want them: cut into panels, each stored row by row.
#pragma once

#include "base/scratch.hpp"
#include "linalg/kernels.hpp"

namespace tamis {

struct Panel {
  double* data;  ///< row i is data[i * width] ... data[i * width + count - 1]
  Index first;   ///< the column of R that it begins with
  int count;     ///< columns of R in it
  int width;     ///< count rounded up to a width that the kernels have; what is beyond count is zero
};

/// No panel is wider, whatever the instruction set, and all panels together have at most so many zero columns.
inline constexpr int widest_panel_of_all = 64;
inline constexpr int largest_padding = 3;

/// Width of the first panel when so many columns are left: eights as long as there are any; five to seven left over
/// are padded to eight, fewer to four or two.
inline int next_panel_width(Index remaining, int widest) {
  if (remaining >= widest) return widest;
  if (remaining > 4) return static_cast<int>((remaining + 3) / 8 * 8);
  return remaining > 2 ? 4 : 2;
}

/// body(first, count, width, offset) for each panel of so many columns; offset is the widths of those before it.
template <class Body>
void for_each_panel(Index columns, int widest, const Body& body) {
  Index offset = 0;
  for (Index first = 0; first < columns;) {
    const int width = next_panel_width(columns - first, widest);
    const int count = static_cast<int>(columns - first < width ? columns - first : width);
    body(first, count, width, offset);
    first += count;
    offset += width;
  }
}

/// The panels of R in scratch memory, made once per call and read by all threads.
class Panels {
 public:
  Panels(ConstMatrixView R, int widest);

  /// Widths of all panels together.
  Index total_width() const { return total_width_; }

  /// body(panel, offset) for each.
  template <class Body>
  void for_each(const Body& body) const {
    for_each_panel(columns_, widest_, [&](Index first, int count, int width, Index offset) {
      body(Panel{memory_.data() + offset * rows_, first, count, width}, offset);
    });
  }

 private:
  static Index width_of_all(Index columns, int widest);
  /// Rows [begin, end) of one panel.
  void fill(ConstMatrixView R, const Panel& panel, Index begin, Index end) const;

  Index rows_;
  Index columns_;
  int widest_;
  Index total_width_;
  Scratch memory_;
};

}  // namespace tamis
