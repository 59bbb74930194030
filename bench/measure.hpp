// Seconds, and how far the peak of resident memory rose above where it stood.
#pragma once

#include <functional>

namespace tamis::bench {

struct Measured {
  double seconds = 0;
  double extra_bytes = 0;
};

Measured measure(const std::function<void()>& work);

}  // namespace tamis::bench
