#include "arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "tamis/base/error.hpp"
#include "tamis/design/row_major.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

constexpr Index width = sizeof(double);

std::unique_ptr<const Design> view_of(const py::array& X) {
  if (!py::isinstance<py::array_t<double>>(X) || X.ndim() != 2) {
    throw InvalidInput("X: expected a two-dimensional array of float64");
  }
  const auto* data = static_cast<const double*>(X.data());
  if ((X.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) {
    throw InvalidInput("X: the array is not aligned in memory; use X.copy(order='F')");
  }
  const Index rows = X.shape(0), cols = X.shape(1);
  // The distance from one column (row) to the next, if the entries of a column (row) are neighbors.
  const auto distance = [&](Index count, Index length, Index step, Index next) -> std::optional<Index> {
    const Index stride = count > 1 ? next : length * width;
    if ((length > 1 && step != width) || stride < length * width || stride % width != 0) return std::nullopt;
    return stride / width;
  };
  if (const auto stride = distance(cols, rows, X.strides(0), X.strides(1))) {
    return std::make_unique<DenseDesign>(ConstMatrixView(data, rows, cols, *stride));
  }
  if (const auto stride = distance(rows, cols, X.strides(1), X.strides(0))) {
    return std::make_unique<RowMajorDesign>(data, rows, cols, *stride);
  }
  throw InvalidInput("X: neither its columns nor its rows are contiguous in memory; use numpy.asfortranarray(X)");
}

template <class Number>
using Line = py::array_t<Number, py::array::c_style | aligned>;

// An array of one axis: the one given where its type and memory allow, else a copy.
template <class Number>
Line<Number> line_of(const py::object& array) {
  auto values = Line<Number>::ensure(array);
  if (!values || values.ndim() != 1) {
    throw InvalidInput("X: expected three one-dimensional arrays (indptr, indices, data) for a sparse matrix");
  }
  return values;
}

template <class Number>
std::span<const Number> span_of(const Line<Number>& line) {
  return tamis::span_of(line.data(), line.size());
}

// Row numbers of 64 bits are made narrow: one that is too large must not become another.
Line<std::int32_t> indices_of(const py::object& array) {
  if (py::isinstance<py::array_t<std::int32_t>>(array)) return line_of<std::int32_t>(array);
  const auto wide = line_of<Index>(array);
  for (const Index row : span_of(wide)) {
    if (row < 0 || row > std::numeric_limits<std::int32_t>::max()) {
      throw InvalidInput("X: received the row index " + std::to_string(row) +
                         " in a sparse matrix; expected 0 to 2^31 - 1");
    }
  }
  return line_of<std::int32_t>(wide);
}

struct SparseParts {
  Index rows, cols;
  Line<Index> starts;  // a copy if they are narrow, as scipy's are: there is one per column
  Line<std::int32_t> indices;
  Line<double> values;
};

SparseParts parts_of(const py::tuple& parts) {
  if (parts.size() != 5)
    throw InvalidInput("X: expected a sparse matrix as a tuple (rows, columns, indptr, indices, data)");
  const auto rows = parts[0].cast<Index>();
  if (rows > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidInput("X: received " + std::to_string(rows) + " rows; expected at most 2^31 - 1 for a sparse matrix");
  }
  return {rows, parts[1].cast<Index>(), line_of<Index>(parts[2]), indices_of(parts[3]), line_of<double>(parts[4])};
}

template <class Number>
std::vector<Number> copy_of(const Line<Number>& line) {
  return {line.data(), line.data() + line.size()};
}

}  // namespace

SparseColumns columns_of(const py::tuple& parts) {
  const SparseParts held = parts_of(parts);
  return {held.rows, held.cols, copy_of(held.starts), copy_of(held.indices), copy_of(held.values)};
}

HeldDesign design_of(const py::object& X) {
  if (py::isinstance<py::tuple>(X)) {
    const SparseParts held = parts_of(X.cast<py::tuple>());
    const SparseView view(held.rows, held.cols, span_of(held.starts), span_of(held.indices), span_of(held.values));
    return {py::make_tuple(held.starts, held.indices, held.values), std::make_unique<SparseDesign>(view)};
  }
  if (!py::isinstance<py::array>(X)) throw InvalidInput("X: expected a numpy array or a sparse matrix");
  return {X, view_of(X.cast<py::array>())};
}

std::span<const double> numbers_of(const std::optional<Vector>& v, const char* what) {
  if (!v) return {};
  if (v->ndim() != 1) throw InvalidInput(std::string(what) + ": expected a one-dimensional array");
  return tamis::span_of(v->data(), v->size());
}

ConstMatrixView matrix_of(const ColumnMajor& m, const char* what) {
  if (m.ndim() != 2) throw InvalidInput(std::string(what) + ": expected a two-dimensional array");
  return {m.data(), m.shape(0), m.shape(1)};
}

py::array_t<double> array_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<double> array_of(ConstMatrixView values) {
  const ColumnMajor array({values.rows, values.cols});
  auto* to = const_cast<double*>(array.data());
  for (Index j = 0; j < values.cols; ++j) std::copy_n(values.col(j), values.rows, to + j * values.rows);
  return array;
}

py::object array_or_none(std::span<const double> values) {
  return values.empty() ? py::object(py::none()) : py::object(array_of(values));
}

}  // namespace tamis::python
