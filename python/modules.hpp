// The parts of tamis._core, one per source.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "tamis/method/options.hpp"

namespace tamis::python {

void bind_fit(pybind11::module_& module);     ///< Fit
void bind_method(pybind11::module_& module);  ///< methods, fit
void bind_factor(pybind11::module_& module);  ///< FactorFit, factor_priors, fit_factors

/// A list of dictionaries: name, meaning, type, default, range.
pybind11::list described(const std::vector<Field>& fields);

/// One array per member of the points, so that pandas.DataFrame(...) is a table of them.
template <class Point, class... Members>
pybind11::dict table_of(const std::vector<Point>& points, const std::pair<const char*, Members Point::*>&... members) {
  pybind11::dict columns;
  const auto add = [&](const char* name, auto member) {
    std::vector<double> values;
    for (const Point& point : points) {
      const std::optional<double> value = [&]() -> std::optional<double> { return point.*member; }();
      values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    columns[name] = array_of(values);
  };
  (add(members.first, members.second), ...);
  return columns;
}

/// The trace of any fit.
inline pybind11::dict trace_of(const std::vector<TracePoint>& trace) {
  return table_of(trace, std::pair("iteration", &TracePoint::iteration), std::pair("objective", &TracePoint::objective),
                  std::pair("change", &TracePoint::change), std::pair("active", &TracePoint::active),
                  std::pair("certificate", &TracePoint::certificate));
}

}  // namespace tamis::python
