// Row-major memory (NumPy's default) behind the column interface.
//
// A cache line holds eight neighbors of a row, so columns are transposed eight at a time into scratch memory, and the
// kernels of DenseDesign work on the copy while it is in the second-level cache. X is read once per pass, not copied.
#include <algorithm>

#include "base/scratch.hpp"
#include "design/shared_work.hpp"
#include "tamis/design/row_major.hpp"

namespace tamis {
namespace {

constexpr Index line = 8;  // doubles in a line of the cache

// Columns transposed at a time, so that they stay in the second-level cache until they are used.
Index width_of_piece(Index rows) {
  constexpr Index doubles = Index{1} << 15;
  return std::max(line, doubles / std::max<Index>(1, rows) / line * line);
}

}  // namespace

// Eight consecutive columns read each cache line of a row once; a list of scattered columns reads eight times as much.
void RowMajorDesign::local_gather(Columns c, MatrixView out) const {
  for (Index k = 0; k < c.size(); k += line) {
    const Index count = std::min(line, c.size() - k);
    const bool together = c.is_range() && count == line;
    for (Index i = 0; i < rows_; ++i) {
      const double* row = data_ + i * stride_;
      double* to = out.data + i + k * out.stride;
      if (together) {
        const double* from = row + c[k];
        for (Index s = 0; s < line; ++s) to[s * out.stride] = from[s];
      } else {
        for (Index s = 0; s < count; ++s) to[s * out.stride] = row[c[k + s]];
      }
    }
  }
}

// Pieces are columns: each sum is the same whatever the threads.
void RowMajorDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  const Index width = width_of_piece(rows_);
  const double work = static_cast<double>(rows_) * static_cast<double>(R.cols * c.size());
  parallel_for(c.size(), width, work, [&](Index begin, Index end) {
    const Scratch columns(rows_ * std::min(width, end - begin));
    for (Index k = begin; k < end; k += width) {
      const Index count = std::min(width, end - k);
      const MatrixView block(columns.data(), rows_, count);
      local_gather(c.slice(k, count), block);
      DenseDesign(block).transpose_multiply(Columns::range(0, count), R,
                                            MatrixView(out.data + k, count, out.cols, out.stride));
    }
  });
}

void RowMajorDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  const Index width = width_of_piece(rows_);
  parallel_for(c.size(), width, static_cast<double>(rows_) * static_cast<double>(c.size()),
               [&](Index begin, Index end) {
                 const Scratch columns(rows_ * std::min(width, end - begin));
                 for (Index k = begin; k < end; k += width) {
                   const Index count = std::min(width, end - k);
                   const MatrixView block(columns.data(), rows_, count);
                   local_gather(c.slice(k, count), block);
                   DenseDesign(block).squared_norms(Columns::range(0, count), weights, out.subspan(k, count));
                 }
               });
}

}  // namespace tamis
