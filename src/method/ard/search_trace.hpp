// Trace, progress and cancellation of a fit by ard; the trace is that of the last stage.
#pragma once

#include <vector>

#include "tamis/base/observer.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class SearchLog {
 public:
  explicit SearchLog(const Control& control) : observer_(control.observer) {}

  /// Counts a step; false: cancelled. Most fits end long before their limit, so the fraction approaches one
  /// asymptotically.
  bool proceed() {
    ++steps_;
    if (observer_ == nullptr) return true;
    observer_->progress(static_cast<double>(steps_) / static_cast<double>(steps_ + 20), "evidence");
    return !observer_->cancelled();
  }

  bool record(double cost, double change, Index active, double certificate) {
    trace_.push_back({std::ssize(trace_) + 1, cost, change, active, certificate});
    if (observer_ != nullptr) observer_->trace(trace_.back());
    return proceed();
  }

  /// A new stage minimizes another cost: its trace begins anew.
  void restart() { trace_.clear(); }
  std::vector<TracePoint>& trace() { return trace_; }

 private:
  Observer* observer_;
  std::vector<TracePoint> trace_;
  Index steps_ = 0;
};

}  // namespace tamis
