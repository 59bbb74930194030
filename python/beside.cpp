#include "beside.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <string>

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

// False: Python has an exception to raise.
bool look_up(const py::object& progress, Watched& watched) {
  if (PyErr_CheckSignals() != 0) return false;
  if (progress.is_none()) return true;
  const std::optional<Progress> latest = watched.take();
  if (!latest) return true;
  try {
    progress(latest->fraction, latest->phase);
  } catch (py::error_already_set& error) {
    error.restore();
    return false;
  }
  return true;
}

}  // namespace

// Python delivers signals to the main thread only, while a fit may poll from any of its threads. So the work runs
// beside, and the calling thread, whose lock (GIL) others may have meanwhile, looks up now and then.
void run_beside(const py::object& progress, const std::function<void(Observer&)>& work) {
  constexpr std::chrono::milliseconds between_looks{50};
  Watched watched;
  bool interrupted = false;
  const py::gil_scoped_release released;
  std::future<void> done = std::async(std::launch::async, [&] { work(watched); });
  while (done.wait_for(between_looks) != std::future_status::ready) {
    const py::gil_scoped_acquire lock;
    if (!interrupted && !look_up(progress, watched)) {
      interrupted = true;
      watched.press();
    }
  }
  if (!interrupted) {
    done.get();
    return;
  }
  const py::gil_scoped_acquire lock;
  throw py::error_already_set();  // what the handler raised: KeyboardInterrupt
}

}  // namespace tamis::python
