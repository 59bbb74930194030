// Loops over the rows of one feature: Eq. 11 of Kondo, Maeda & Hayashi (2015) and the sums it feeds.
//
// Elementwise loops, which compilers vectorize (exp and log1p included), write blocks of 256 that stay in first-level
// cache; dot products sum them with the row counts as weights. The whole method is bound by these exponentials.
#include "method/masking/mask_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "linalg/kernels.hpp"

namespace tamis {
namespace {

constexpr Index block = 256;

// body(first, count) for consecutive blocks.
template <class Body>
void for_blocks(Index count, const Body& body) {
  for (Index i = 0; i < count; i += block) body(i, std::min(block, count - i));
}

}  // namespace

RateSums& RateSums::operator+=(const RateSums& other) {
  on += other.on;
  off += other.off;
  both += other.both;
  return *this;
}

MaskSums& MaskSums::operator+=(const MaskSums& other) {
  on += other.on;
  off += other.off;
  entropy += other.entropy;
  spread += other.spread;
  return *this;
}

void take_evidence(const MaskRows& rows, double beta, double noise_precision) {
  const double *x = rows.x, *masked = rows.certain ? rows.x : rows.masked, *residual = rows.residual,
               *precisions = rows.precisions;
  double* evidence = rows.evidence;
  const double outer = noise_precision * beta, half = 0.5 * beta;
  simd_dispatch([=, count = rows.count] {
    for (Index i = 0; i < count; ++i) {
      evidence[i] = outer * precisions[i] * x[i] * (residual[i] + beta * masked[i] - half * x[i]);
    }
  });
}

RateSums rate_sums(const MaskRows& rows, double shift) {
  RateSums sums;
  const auto& dot = kernels().dot;
  for_blocks(rows.count, [&](Index first, Index count) {
    alignas(64) double on[block], off[block], both[block];
    const double *evidence = rows.evidence + first, *weights = rows.weights + first;
    simd_dispatch([&, evidence, count, shift] {
      for (Index i = 0; i < count; ++i) {
        const double a = evidence[i] + shift;
        // sigma(|a|) and sigma(-|a|) from one exponential that cannot overflow; the smaller keeps its relative
        // accuracy.
        const double e = vector_math::exp(-std::abs(a));
        const double larger = 1 / (1 + e), smaller = e * larger;
        on[i] = a > 0 ? larger : smaller;
        off[i] = a > 0 ? smaller : larger;
        both[i] = larger * smaller;
      }
    });
    sums.on += dot(on, weights, count);
    sums.off += dot(off, weights, count);
    sums.both += dot(both, weights, count);
  });
  return sums;
}

MaskSums set_masks(const MaskRows& rows, double beta, double shift) {
  MaskSums sums;
  const auto& dot = kernels().dot;
  for_blocks(rows.count, [&](Index first, Index count) {
    alignas(64) double on[block], off[block], entropy[block], spread[block];
    const double *evidence = rows.evidence + first, *x = rows.x + first, *precisions = rows.precisions + first;
    const double* weights = rows.weights + first;
    double *masked = rows.masked + first, *residual = rows.residual + first;
    simd_dispatch([&, evidence, x, precisions, masked, residual, count, beta, shift] {
#pragma GCC ivdep
      for (Index i = 0; i < count; ++i) {
        const double a = evidence[i] + shift, size = std::abs(a);
        const double e = vector_math::exp(-size);
        const double larger = 1 / (1 + e), smaller = e * larger;
        const double mu = a > 0 ? larger : smaller;
        on[i] = mu;
        off[i] = a > 0 ? smaller : larger;
        // H(sigma(a)) = log(1 + e^-|a|) + |a| sigma(-|a|).
        entropy[i] = size * smaller + vector_math::log1p(e);
        spread[i] = precisions[i] * x[i] * x[i] * larger * smaller;
        const double now = x[i] * mu;
        residual[i] += beta * (masked[i] - now);
        masked[i] = now;
      }
    });
    sums.on += dot(on, weights, count);
    sums.off += dot(off, weights, count);
    sums.entropy += dot(entropy, weights, count);
    sums.spread += dot(spread, weights, count);
  });
  return sums;
}

RowSums row_sums(std::span<const double> values, std::span<const double> weights) {
  double sums[2];
  kernels().centered_sums(values.data(), weights.empty() ? nullptr : weights.data(), std::ssize(values), 0, sums);
  return {sums[0], sums[1]};
}

}  // namespace tamis
