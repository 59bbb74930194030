// Between numpy, scipy and the library: X as a view where its memory allows, vectors and matrices as arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis::python {

/// Numbers whose addresses are multiples of their size: compiled loops rely on it. Others (of a file read at an odd
/// place, say) are copied.
constexpr int aligned = int{pybind11::array::forcecast} | int{pybind11::detail::npy_api::NPY_ARRAY_ALIGNED_};

using Vector = pybind11::array_t<double, pybind11::array::c_style | aligned>;
using ColumnMajor = pybind11::array_t<double, pybind11::array::f_style | aligned>;

/// From a tuple (rows, columns, starts, indices, values), copied once.
SparseColumns columns_of(const pybind11::tuple& parts);

/// X as a Design, and the Python objects whose memory it looks at.
struct HeldDesign {
  pybind11::object owner;
  std::unique_ptr<const Design> X;
};

/// A view of a two-dimensional, aligned float64 array whose columns or rows are contiguous, or of sparse columns (see
/// columns_of; row indices of another type than int32 are copied). Throws InvalidInput for anything else.
HeldDesign design_of(const pybind11::object& X);

/// The numbers of `v`, which must have one axis; None: none.
std::span<const double> numbers_of(const std::optional<Vector>& v, const char* what);
/// The numbers of `m`, which must have two axes.
ConstMatrixView matrix_of(const ColumnMajor& m, const char* what);

pybind11::array_t<double> array_of(std::span<const double> values);
/// In Fortran order.
pybind11::array_t<double> array_of(ConstMatrixView values);
/// None for an empty list: the method defines no such numbers.
pybind11::object array_or_none(std::span<const double> values);

}  // namespace tamis::python
