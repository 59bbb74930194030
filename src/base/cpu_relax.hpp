// For spin loops: threads that wait for less time than a sleep and a wake-up take.
#pragma once

namespace tamis {

/// The processor's pause instruction: yields execution units to the sibling hyper-thread for some cycles.
inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tamis
