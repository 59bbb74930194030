// tamis._core: the library for Python. Everything numerical happens behind these calls; the estimators in
// python/tamis only name things. InvalidInput and InvalidOption arrive as ValueError.
#include <string>

#include "modules.hpp"
#include "tamis/base/error.hpp"
#include "tamis/version.hpp"
#include "whole_instances.hpp"
#include "without_gil.hpp"

namespace tamis::python {
namespace {

// Before 2.12 pybind11 supports only the arrays of numpy 1, and silently misreads those of numpy 2.
void check_numpy() {
  if constexpr (PYBIND11_VERSION_MAJOR == 2 && PYBIND11_VERSION_MINOR < 12) {
    const auto installed = pybind11::module_::import("numpy").attr("__version__").cast<std::string>();
    if (std::stoi(installed) < 2) return;
    throw pybind11::import_error("tamis was built with a version of pybind11 that does not support numpy " + installed +
                                 "; rebuild it with pybind11 2.12 or newer (as pip install . does), or use numpy 1");
  }
}

// The library names options as the command line spells them: "use --family gaussian".
std::string for_python(std::string words) {
  for (std::size_t at = words.find("--"); at != std::string::npos; at = words.find("--", at)) words.erase(at, 2);
  return words;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InvalidInput& error) {
    PyErr_SetString(PyExc_ValueError, for_python(error.what()).c_str());
  } catch (const MissingFile& error) {
    PyErr_SetString(PyExc_FileNotFoundError, error.what());
  } catch (const OutputError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const pybind11::cast_error& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  check_numpy();
  module.doc() = "Bindings of the tamis C++ library.";
  module.attr("version") = version;
  pybind11::register_exception_translator(&translate);
  make_instances_whole();
  register_end();
  bind_fit(module);
  bind_method(module);
  bind_factor(module);
}

}  // namespace tamis::python
