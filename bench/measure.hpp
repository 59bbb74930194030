// Seconds on the clock and of processor, and how far the peak of resident memory rose above where it stood.
#pragma once

#include <functional>

namespace tamis::bench {

struct Measured {
  double seconds = 0;
  double processor_seconds = 0;  ///< of all threads: what a busy machine distorts least
  double extra_bytes = 0;
};

Measured measure(const std::function<void()>& work);

}  // namespace tamis::bench
