// Views on column-major memory owned elsewhere, and a small owning matrix.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/large_pages.hpp"

namespace tamis {

/// Read-only column-major matrix: entry (i, j) is data[i + j * stride].
struct ConstMatrixView {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  ConstMatrixView() = default;
  ConstMatrixView(const double* d, Index r, Index c, Index s) : data(d), rows(r), cols(c), stride(s) {}
  ConstMatrixView(const double* d, Index r, Index c) : ConstMatrixView(d, r, c, r) {}
  /// A vector is a matrix of one column.
  ConstMatrixView(std::span<const double> v) : ConstMatrixView(v.data(), std::ssize(v), 1) {}

  double operator()(Index i, Index j) const { return data[i + j * stride]; }
  const double* col(Index j) const { return data + j * stride; }
  std::span<const double> column(Index j) const { return span_of(col(j), rows); }
};

/// Writable column-major matrix.
struct MatrixView {
  double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  MatrixView() = default;
  MatrixView(double* d, Index r, Index c, Index s) : data(d), rows(r), cols(c), stride(s) {}
  MatrixView(double* d, Index r, Index c) : MatrixView(d, r, c, r) {}
  MatrixView(std::span<double> v) : MatrixView(v.data(), std::ssize(v), 1) {}

  operator ConstMatrixView() const { return {data, rows, cols, stride}; }
  double& operator()(Index i, Index j) const { return data[i + j * stride]; }
  double* col(Index j) const { return data + j * stride; }
  std::span<double> column(Index j) const { return span_of(col(j), rows); }
};

/// Owning column-major matrix of doubles, initialized to zero.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols) : rows_(rows), cols_(cols), values_(rows * cols) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  double& operator()(Index i, Index j) { return values_[i + j * rows_]; }
  double operator()(Index i, Index j) const { return values_[i + j * rows_]; }
  double* col(Index j) { return values_.data() + j * rows_; }
  const double* col(Index j) const { return values_.data() + j * rows_; }
  std::span<double> column(Index j) { return span_of(col(j), rows_); }
  std::span<const double> column(Index j) const { return span_of(col(j), rows_); }
  MatrixView view() { return {values_.data(), rows_, cols_}; }
  ConstMatrixView view() const { return {values_.data(), rows_, cols_}; }
  operator MatrixView() { return view(); }
  operator ConstMatrixView() const { return view(); }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<double, LargePageAllocator<double>> values_;
};

}  // namespace tamis
