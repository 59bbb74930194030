// For x86-64 processors since about 2013: vectors of four doubles with fused multiply-add.
#if defined(__x86_64__)
#include <immintrin.h>

#include "linalg/kernel_bodies.hpp"
#include "linalg/kernel_sets.hpp"

namespace tamis {
namespace {

struct Avx2 {
  static constexpr int lanes = 4;
  static constexpr int dot_columns = 4;
  static constexpr int dot_chains = 2;
  static constexpr int panel_vectors = 2;
  static __m256i mask(int count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_set_epi64x(3, 2, 1, 0));
  }
  static Vector<4> load_part(const double* p, int count) { return _mm256_maskload_pd(p, mask(count)); }
  static void store_part(double* p, Vector<4> v, int count) { _mm256_maskstore_pd(p, mask(count), v); }
};

}  // namespace

constexpr Kernels avx2_kernels = kernels_of<Avx2>("avx2");

}  // namespace tamis
#endif
