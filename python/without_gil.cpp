#include "without_gil.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace tamis::python {
namespace {

namespace py = pybind11;

std::atomic<bool> ending{false};
std::atomic<int> at_work{0};
std::atomic<int> forks{0};  // how many forks away from the process that imported the module

void wait_for_work() {
  ending = true;
  while (at_work > 0) {
    const py::gil_scoped_release released;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The worker threads exist in the parent only: waiting for them would take forever.
void begin_in_child() {
  ++forks;
  at_work = 0;
}

}  // namespace

WithoutGil::WithoutGil() : process_(forks), counted_(!ending) {
  if (!counted_) return;
  ++at_work;
  released_.emplace();
}

WithoutGil::~WithoutGil() {
  released_.reset();
  if (counted_ && !in_child()) --at_work;
}

bool WithoutGil::in_child() const { return forks != process_; }

bool python_ends() { return ending; }

void register_end() {
  // The end of another interpreter of the process (a subinterpreter) is not the end of all.
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) return;
  py::module_::import("atexit").attr("register")(py::cpp_function(&wait_for_work));
  const py::module_ os = py::module_::import("os");
  if (!py::hasattr(os, "register_at_fork")) return;
  os.attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function(&begin_in_child));
}

}  // namespace tamis::python
