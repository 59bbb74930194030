// The header of an NPY file: a Python dictionary, written by NumPy in a fixed manner.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis::io {

/// As written; dtype and shape are not checked against the data here.
struct NpyHeader {
  std::string descr;  ///< "<f8"
  bool fortran_order = false;
  std::vector<Index> shape;
};

/// Nothing if `text` is not such a dictionary with exactly the keys descr, fortran_order and shape.
std::optional<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace tamis::io
