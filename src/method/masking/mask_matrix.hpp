// A column-major matrix as large as X, left uninitialized: the first write to a page allocates it, which is left to the
// threads that fill it.
#pragma once

#include <algorithm>
#include <memory>

#include "tamis/base/matrix.hpp"

namespace tamis {

class MaskMatrix {
 public:
  MaskMatrix(Index rows, Index cols)
      : memory_(std::make_unique_for_overwrite<double[]>(rows * cols)), view_(memory_.get(), rows, cols) {
    prefer_large_pages(memory_.get(), static_cast<std::size_t>(rows * cols) * sizeof(double));
  }

  explicit MaskMatrix(ConstMatrixView from) : MaskMatrix(from.rows, from.cols) {
    for (Index j = 0; j < from.cols; ++j) std::copy_n(from.col(j), from.rows, col(j));
  }

  Index rows() const { return view_.rows; }
  Index cols() const { return view_.cols; }
  double& operator()(Index i, Index j) { return view_(i, j); }
  double operator()(Index i, Index j) const { return view_(i, j); }
  double* col(Index j) { return view_.col(j); }
  const double* col(Index j) const { return view_.col(j); }
  std::span<double> column(Index j) { return view_.column(j); }
  operator ConstMatrixView() const { return view_; }

 private:
  std::unique_ptr<double[]> memory_;
  MatrixView view_;
};

}  // namespace tamis
