// For x86-64 processors with AVX-512: vectors of eight doubles.
#if defined(__x86_64__)
#include <immintrin.h>

#include "linalg/kernel_bodies.hpp"
#include "linalg/kernel_sets.hpp"

namespace tamis {
namespace {

struct Avx512 {
  static constexpr int lanes = 8;
  static constexpr int dot_columns = 4;
  static constexpr int dot_chains = 4;
  static constexpr int panel_vectors = 5;
  static __mmask8 mask(int count) { return static_cast<__mmask8>((1u << count) - 1u); }
  static Vector<8> load_part(const double* p, int count) { return _mm512_maskz_loadu_pd(mask(count), p); }
  static void store_part(double* p, Vector<8> v, int count) { _mm512_mask_storeu_pd(p, mask(count), v); }
};

}  // namespace

constexpr Kernels avx512_kernels = kernels_of<Avx512>("avx512");

}  // namespace tamis
#endif
