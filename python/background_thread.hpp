// A long call on a background thread: other Python threads keep running, Ctrl-C ends it, and its progress is passed
// to a Python function.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "tamis/base/observer.hpp"

namespace tamis::python {

/// Runs `work` on another thread without the GIL. Meanwhile this one checks for signals, and calls
/// `progress(fraction, phase)` (None: not called) a few times a second. What a signal handler or `progress` raises ends
/// the work and is thrown.
void run_without_gil(const pybind11::object& progress, const std::function<void(Observer&)>& work);

}  // namespace tamis::python
