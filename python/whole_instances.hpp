// Classes of tamis._core without uninitialized instances. In pybind11 `cls.__new__(cls)` is an object whose C++ value
// is not constructed, and any use of it reads uninitialized memory; another class may be assigned to the `__class__`
// of an object; and the common base class ends the process when it is called, as copyreg does for the old protocols of
// pickle.
#pragma once

#include <pybind11/pybind11.h>

namespace tamis::python {

/// Before the first class of the module: from then on `__new__` runs `__init__` at once and returns an object with its
/// value or raises a TypeError.
void make_instances_whole();

/// For py::class_<Value>: its objects have a size that no other class expects, so that Python refuses to assign
/// `__class__`.
pybind11::custom_type_setup own_size();

/// What pickle (all protocols), copy and skops take for an object whose class is made from a text: class and text, and
/// the attributes that a subclass may have.
template <class Value>
pybind11::tuple reduced(const pybind11::object& self) {
  namespace py = pybind11;
  if (!py::isinstance<Value>(self)) throw py::type_error("__reduce__: received an object of another class");
  const py::type type = py::type::of(self);
  const py::tuple text = py::make_tuple(to_json(self.cast<const Value&>()));
  if (!py::hasattr(self, "__dict__")) return py::make_tuple(type, text);
  return py::make_tuple(type, text, self.attr("__dict__"));
}

}  // namespace tamis::python
