// Inner loops over the cells of a row. Call them inside simd_dispatch().
#pragma once

#include "tamis/base/index.hpp"

namespace tamis::factor {

// Four doubles at a time, whatever the processor makes of it. The order of additions is then part of the source: the
// same sums with SSE2, AVX2 and AVX-512, on which draws depend to the last bit. Loads by memcpy: rows are not aligned.
typedef double Four __attribute__((vector_size(32)));
// By reference: a vector returned by value would have another calling convention on every processor.
inline void add_product(Four& sum, const double* a, const double* b) {
  Four x, y;
  __builtin_memcpy(&x, a, sizeof x);
  __builtin_memcpy(&y, b, sizeof y);
  sum += x * y;
}
inline void add_product(Four& sum, const double* a, const double* b, const double* c) {
  Four x, y, z;
  __builtin_memcpy(&x, a, sizeof x);
  __builtin_memcpy(&y, b, sizeof y);
  __builtin_memcpy(&z, c, sizeof z);
  sum += x * y * z;
}
inline double sum_of(const Four& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// Over the cells of a row (or of a column).
// Two accumulators per sum hide the latency of an addition. Linear and curvature in one pass, for theta is read from
// the second-level cache once per factor and row: this is the inner loop of every prior.
struct RowSums {
  double linear;     // theta'r
  double curvature;  // theta'W theta
};

inline RowSums row_sums(const double* theta, const double* w, const double* r, Index count) {
  Four linear_0 = {}, linear_1 = {}, curvature_0 = {}, curvature_1 = {};
  Index d = 0;
  for (; d + 8 <= count; d += 8) {
    add_product(linear_0, theta + d, r + d);
    add_product(linear_1, theta + d + 4, r + d + 4);
    add_product(curvature_0, theta + d, theta + d, w + d);
    add_product(curvature_1, theta + d + 4, theta + d + 4, w + d + 4);
  }
  RowSums sums{sum_of(linear_0 + linear_1), sum_of(curvature_0 + curvature_1)};
  for (; d < count; ++d) {
    sums.linear += theta[d] * r[d];
    sums.curvature += theta[d] * theta[d] * w[d];
  }
  return sums;
}

/// a'b
inline double dot(const double* a, const double* b, Index count) {
  Four sum_0 = {}, sum_1 = {};
  Index i = 0;
  for (; i + 8 <= count; i += 8) {
    add_product(sum_0, a + i, b + i);
    add_product(sum_1, a + i + 4, b + i + 4);
  }
  double sum = sum_of(sum_0 + sum_1);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace tamis::factor
