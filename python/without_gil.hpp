// C++ without Python's lock (the GIL), also in threads that are still at work when Python ends (daemon threads). Before
// version 3.14 Python ends a thread that asks for the lock from then on where it stands: in the midst of C++, which no
// destructor survives, so that the whole process aborts. So Python waits with its end for this work.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

namespace tamis::python {

/// Gives the lock to other threads, and takes it again in the end. Once Python ends it is kept.
class WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  /// This process is a child that was forked meanwhile (by a signal handler, say): it has this thread only.
  bool in_child() const;

 private:
  const int process_;
  const bool counted_;
  std::optional<pybind11::gil_scoped_release> released_;
};

/// Python ends: work that can be cancelled should be.
bool python_ends();

/// At the import of the module: makes Python's end wait for work without the lock.
void register_end();

}  // namespace tamis::python
