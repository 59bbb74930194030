#include "background_thread.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "without_gil.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

struct Progress {
  double fraction = 0;
  std::string phase;
};

class Watched final : public Observer {
 public:
  void progress(double fraction, std::string_view phase) override {
    const std::lock_guard lock(mutex_);
    latest_ = {fraction, std::string(phase)};
  }
  bool cancelled() override { return pressed_; }

  void press() { pressed_ = true; }
  // What happened since the last call.
  std::optional<Progress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }

 private:
  std::atomic<bool> pressed_{false};
  std::mutex mutex_;
  std::optional<Progress> latest_;
};

// Signal handlers run here, and `progress`; what they raise is thrown.
void look_up(const py::object& progress, Watched& watched, const WithoutGil& without) {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress.is_none() || without.in_child()) return;
  if (const std::optional<Progress> latest = watched.take()) progress(latest->fraction, latest->phase);
}

[[noreturn]] void leave_quietly() {
  const py::gil_scoped_acquire lock;
  PyErr_SetNone(PyExc_SystemExit);  // ends a thread without a message
  throw py::error_already_set();
}

}  // namespace

// Python delivers signals to the main thread only, while a fit may poll from any of its threads. So the work runs on
// another thread, and the calling thread, which has released the GIL, checks for signals at intervals.
void run_without_gil(const py::object& progress, const std::function<void(Observer&)>& work) {
  constexpr std::chrono::milliseconds between_looks{50};
  Watched watched;
  if (python_ends()) {
    work(watched);
    return;
  }
  std::exception_ptr raised;
  const WithoutGil without;
  std::future<void> done = std::async(std::launch::async, [&] { work(watched); });
  while (done.wait_for(between_looks) != std::future_status::ready) {
    if (raised) continue;
    try {
      look_up(progress, watched, without);
    } catch (...) {
      raised = std::current_exception();
    }
    if (without.in_child()) {
      // No thread works in this process, and the destructor of the future would wait forever: so it is leaked.
      static_cast<void>(std::make_unique<std::future<void>>(std::move(done)).release());
      if (raised) std::rethrow_exception(raised);
      throw std::runtime_error("this process was forked during a fit; its threads continue in the parent process only");
    }
    if (raised || python_ends()) watched.press();
  }
  if (raised) std::rethrow_exception(raised);
  if (watched.cancelled()) leave_quietly();
  done.get();
}

}  // namespace tamis::python
