// tamis._core: the library for Python. Everything numerical happens behind these calls; the estimators in
// python/tamis only name things. InvalidInput and InvalidOption arrive as ValueError.
#include "modules.hpp"
#include "tamis/base/error.hpp"
#include "tamis/version.hpp"

namespace tamis::python {
namespace {

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InvalidInput& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const MissingFile& error) {
    PyErr_SetString(PyExc_FileNotFoundError, error.what());
  } catch (const OutputError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The tamis library.";
  module.attr("version") = version;
  pybind11::register_exception_translator(&translate);
  bind_fit(module);
  bind_method(module);
  bind_factor(module);
}

}  // namespace tamis::python
