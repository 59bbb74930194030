// A long call beside Python: other Python threads go on, Ctrl-C ends it, and its progress reaches a Python function.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "tamis/base/observer.hpp"

namespace tamis::python {

/// Runs `work` on another thread without Python's lock. Meanwhile this one looks for signals, and calls
/// `progress(fraction, phase)` (None: nobody wants to know) a few times a second. What a signal handler or `progress`
/// raises ends the work and is thrown.
void run_without_gil(const pybind11::object& progress, const std::function<void(Observer&)>& work);

}  // namespace tamis::python
