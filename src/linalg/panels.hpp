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

/// The panels of R in scratch memory, made once per call and read by all threads.
class Panels {
 public:
  Panels(ConstMatrixView R, int widest);

  /// Widths of all panels together.
  Index total_width() const { return total_width_; }

  /// body(panel, offset) for each, where offset is the widths of those before it.
  template <class Body>
  void for_each(const Body& body) const {
    Index offset = 0;
    for (Index first = 0; first < columns_;) {
      const int width = next_width(columns_ - first, widest_);
      const int count = static_cast<int>(columns_ - first < width ? columns_ - first : width);
      body(Panel{memory_.data() + offset * rows_, first, count, width}, offset);
      first += count;
      offset += width;
    }
  }

 private:
  static int next_width(Index remaining, int widest);
  static Index width_of_all(Index columns, int widest);
  void fill(ConstMatrixView R, const Panel& panel) const;

  Index rows_;
  Index columns_;
  int widest_;
  Index total_width_;
  Scratch memory_;
};

}  // namespace tamis
