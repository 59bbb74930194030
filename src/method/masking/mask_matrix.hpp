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
      : memory_(std::make_unique_for_overwrite<double[]>(rows * cols)), working_response_(memory_.get(), rows, cols) {
    prefer_large_pages(memory_.get(), rows * cols * sizeof(double));
  }

  explicit MaskMatrix(ConstMatrixView from) : MaskMatrix(from.rows, from.cols) {
    for (Index j = 0; j < from.cols; ++j) std::copy_n(from.col(j), from.rows, col(j));
  }

  Index rows() const { return working_response_.rows; }
  Index cols() const { return working_response_.cols; }
  double& operator()(Index i, Index j) { return working_response_(i, j); }
  double operator()(Index i, Index j) const { return working_response_(i, j); }
  double* col(Index j) { return working_response_.col(j); }
  const double* col(Index j) const { return working_response_.col(j); }
  std::span<double> column(Index j) { return working_response_.column(j); }
  operator ConstMatrixView() const { return working_response_; }

 private:
  std::unique_ptr<double[]> memory_;
  MatrixView working_response_;
};

}  // namespace tamis
