// Row-major memory of the caller as a Design, without a copy: what C and numpy programs have by default.
#pragma once

#include "tamis/design/design.hpp"

namespace tamis {

/// Entry (i, j) is data[i * stride + j]; the memory must outlive the Design. Every operation turns the columns that it
/// needs into columns of scratch memory, a cache's worth at a time, and works on those: the extra memory is about a
/// megabyte per thread, but a pass costs several of DenseDesign's (whole fits take five to eight times as long).
/// If memory permits, make a column-major copy instead.
class RowMajorDesign final : public Design {
 public:
  RowMajorDesign(const double* data, Index rows, Index cols, Index stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}
  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

 protected:
  void local_gather(Columns c, MatrixView out) const override;
  void local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const override;
  void local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const override;

 private:
  const double* data_;
  Index rows_;
  Index cols_;
  Index stride_;
};

}  // namespace tamis
