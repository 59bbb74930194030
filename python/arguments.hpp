// Keyword arguments of the functions in tamis._core.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <set>
#include <string>

#include "tamis/base/error.hpp"

namespace tamis::python {

/// Reads keyword arguments one by one; finish() refuses those that were never read.
class Keywords {
 public:
  explicit Keywords(const pybind11::kwargs& given) : given_(given) {}

  /// The value; `fallback` if it is absent or None.
  template <class Value>
  Value get(const char* name, Value fallback) {
    seen_.insert(name);
    if (!given_.contains(name) || given_[name].is_none()) return fallback;
    const pybind11::object value = given_[name];
    try {
      return value.cast<Value>();
    } catch (const pybind11::cast_error&) {
      throw pybind11::type_error(std::string(name) + ": received an object of type " + Py_TYPE(value.ptr())->tp_name +
                                 " that does not hold what is expected");
    }
  }

  void finish() const {
    for (const auto& each : given_) {
      const auto name = each.first.cast<std::string>();
      if (!seen_.contains(name)) throw pybind11::type_error("unexpected keyword argument " + name);
    }
  }

 private:
  const pybind11::kwargs& given_;
  std::set<std::string> seen_;
};

}  // namespace tamis::python
