// How a running fit talks to whoever started it. The library never prints: it tells an Observer.
#pragma once

#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// One line of a convergence trace. What `objective` and `certificate` mean is the method's to say.
struct TracePoint {
  Index iteration = 0;
  double objective = 0;    ///< the method's own objective
  double change = 0;       ///< size of the last step
  Index active = 0;        ///< features in play
  double certificate = 0;  ///< distance from optimality (duality gap, KKT residual); 0 where a method has none
};

/// Told about progress, asked about cancellation. Calls come from one thread at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  /// `fraction` of the work is done, from 0 to 1 and never falling within a phase; `phase` is for people.
  virtual void progress(double fraction, std::string_view phase) {
    (void)fraction;
    (void)phase;
  }
  virtual void trace(const TracePoint& point) { (void)point; }
  /// Polled between steps; once true the fit ends soon with its best state and status `cancelled`.
  virtual bool cancelled() { return false; }
};

}  // namespace tamis
