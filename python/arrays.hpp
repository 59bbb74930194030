// Between numpy, scipy and the library: X as a view where its memory allows, vectors as arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis::python {

using Vector = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;

/// X as a Design, and the Python objects whose memory it looks at.
struct HeldDesign {
  pybind11::object owner;
  std::unique_ptr<const Design> X;
};

/// A two-dimensional float64 array whose columns are contiguous becomes a view; a tuple (rows, columns, starts,
/// indices, values) of sparse columns is copied once. Throws InvalidInput for anything else: nothing is converted here.
HeldDesign design_of(const pybind11::object& X);

/// The numbers of `v`, which must have one axis; None: none.
std::span<const double> numbers_of(const std::optional<Vector>& v, const char* what);

pybind11::array_t<double> array_of(std::span<const double> values);
/// None for an empty list: the method defines no such numbers.
pybind11::object array_or_none(std::span<const double> values);

}  // namespace tamis::python
