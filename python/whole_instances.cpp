#include "whole_instances.hpp"

#include <exception>
#include <string>

namespace tamis::python {
namespace {

namespace py = pybind11;

newfunc allocate = nullptr;  // pybind11's own `__new__`: an object without a value

py::object made(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  const auto& known = py::detail::all_type_info(type);
  if (known.empty()) throw py::type_error(std::string(type->tp_name) + ": this class has no instances");
  auto self = py::reinterpret_steal<py::object>(allocate(type, args, kwargs));
  if (!self) throw py::error_already_set();
  // Of the class that we bound: a subclass may have an __init__ of its own, which comes later and finds the value.
  const py::handle bound(reinterpret_cast<PyObject*>(known.front()->type));
  const auto more = kwargs != nullptr ? py::reinterpret_borrow<py::dict>(kwargs) : py::dict();
  bound.attr("__init__")(self, *py::reinterpret_borrow<py::tuple>(args), **more);
  for (const auto& value : py::detail::values_and_holders(reinterpret_cast<py::detail::instance*>(self.ptr()))) {
    if (!value.holder_constructed()) throw py::type_error("__init__ did not construct a value");
  }
  return self;
}

// Called by Python: no exception of C++ may pass.
PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  try {
    return made(type, args, kwargs).release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

}  // namespace

// The base class is that of this module alone (PYBIND11_STDLIB in python/CMakeLists.txt), and its subclasses inherit.
void make_instances_whole() {
  auto* base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
  if (base->tp_new == &make) return;
  allocate = base->tp_new;
  base->tp_new = &make;
}

py::custom_type_setup own_size() {
  return py::custom_type_setup([](PyHeapTypeObject* type) { type->ht_type.tp_basicsize += sizeof(PyObject*); });
}

}  // namespace tamis::python
