// For threads that wait for each other for less than it takes to fall asleep.
#pragma once

namespace tamis {

/// Leaves the core's units to others for some cycles.
inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tamis
