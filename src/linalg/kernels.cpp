// Chooses the kernels once, by CPUID. Not by the loader (ifunc): sanitizers and static programs do not support that.
// All sets remain callable, so that tests compare them on one machine.
#include "linalg/kernels.hpp"

#include "linalg/kernel_sets.hpp"

namespace tamis {
namespace {

struct Runnable {
  const Kernels* items[3];
  std::size_t count = 0;

  Runnable() {
    items[count++] = &baseline_kernels;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) items[count++] = &avx2_kernels;
    if (__builtin_cpu_supports("avx512f")) items[count++] = &avx512_kernels;
#endif
  }
};

const Runnable& runnable() {
  static const Runnable r;
  return r;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& best = *runnable().items[runnable().count - 1];
  return best;
}

std::span<const Kernels* const> runnable_kernels() { return {runnable().items, runnable().count}; }

}  // namespace tamis
