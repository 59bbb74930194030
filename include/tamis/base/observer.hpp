// Progress, trace and cancellation of a running fit. The library never prints: it calls an Observer.
#pragma once

#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// One line of a convergence trace. The method defines what `objective` and `certificate` mean.
struct TracePoint {
  Index iteration = 0;
  double objective = 0;    ///< objective of the method
  double change = 0;       ///< size of the last step
  Index active = 0;        ///< number of active features
  double certificate = 0;  ///< distance from optimality (duality gap, KKT residual); 0 where a method has none
};

/// Receives progress and decides about cancellation. Called from one thread at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  /// `fraction` of the work done, from 0 to 1 and nondecreasing within a phase; `phase` is a label for display.
  virtual void progress(double fraction, std::string_view phase) {
    (void)fraction;
    (void)phase;
  }
  virtual void trace(const TracePoint& point) { (void)point; }
  /// Polled between steps; once it returns true the fit stops with its best state and status `cancelled`.
  virtual bool cancelled() { return false; }
};

}  // namespace tamis
