// The kernels of each instruction set; kernels.cpp chooses. Calling one that the processor lacks is illegal.
#pragma once

#include "linalg/kernels.hpp"

namespace tamis {

extern const Kernels baseline_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace tamis
