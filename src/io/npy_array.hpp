// One array in NumPy's NPY format (versions 1 to 3): the header checked against the bytes, and its numbers or texts.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/source.hpp"
#include "io/table.hpp"

namespace tamis::io {

class NpyArray {
 public:
  /// `what` names the array in messages ("" for a file of its own). Throws InvalidInput unless the header is valid and
  /// `bytes` hold exactly what it claims. The bytes must outlive the array.
  NpyArray(const Source& source, std::string what, std::string_view bytes);

  /// Nonnegative extents whose product is size(); () for a scalar.
  std::span<const Index> shape() const { return shape_; }
  Index size() const { return size_; }
  bool is_text() const { return kind_ == 'U' || kind_ == 'S'; }

  /// A matrix, or a vector as its only column; infinite numbers are refused, NaN is kept.
  DenseStorage to_matrix() const;
  /// All numbers of a vector (or of a matrix with one row or column).
  std::vector<double> to_vector() const;
  /// Of an array of whole numbers.
  std::vector<Index> to_indices() const;
  /// Of a text array, as UTF-8.
  std::vector<std::string> to_texts() const;

 private:
  void read_header(std::string_view header);
  void read_type(std::string_view descr);
  void check_size();
  void check_finite(const double* values, Index rows, Index cols) const;
  [[noreturn]] void refuse(const std::string& sentence) const;
  std::string shape_in_words() const;

  const Source& source_;
  std::string what_;
  char kind_ = 'f';
  Index item_ = 8;
  bool swapped_ = false;
  bool fortran_ = false;
  std::vector<Index> shape_;
  Index size_ = 0;
  std::string_view data_;
};

}  // namespace tamis::io
