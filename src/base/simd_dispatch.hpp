// Runs a loop with the widest vectors that this processor has, though the library is built for the oldest one.
// The loop must be free of calls that cannot be inlined (see vector_math.hpp); results of the two versions may
// differ in the last place, never with the number of threads.
#pragma once

namespace tamis {

#if defined(__x86_64__)
// Everything that `loop` calls is inlined here and so compiled for AVX2.
template <class Loop>
[[gnu::target("avx2,fma"), gnu::flatten]] void run_with_avx2(const Loop& loop) {
  loop();
}
#endif

template <class Loop>
void simd_dispatch(const Loop& loop) {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (wide) {
    run_with_avx2(loop);
    return;
  }
#endif
  loop();
}

}  // namespace tamis
