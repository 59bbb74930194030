// exp, log and log1p without branches, calls or tables, so that a compiler turns a loop over them into vector code
// (the library's own functions are calls, and -ffast-math is not an option: it would break NaN checks).
// All are within 2 units in the last place of the true value; the tests hold them to that.
#pragma once

#include <bit>
#include <cstdint>

namespace tamis::vector_math {

/// e^x for x <= 709; exactly 0 below -708 (where the result would be subnormal).
inline double exp(double x) {
  const bool vanishes = x < -708.0;
  const double safe = vanishes ? 0.0 : x;
  // x = k log 2 + r with |r| <= log(2) / 2. Adding 1.5 * 2^52 rounds to a whole number, which then sits in the
  // low bits of the sum. log 2 is split so that k * log2_high is exact.
  constexpr double round_to_whole = 6755399441055744.0;
  constexpr double log2_high = 0x1.62e42fefp-1;
  constexpr double log2_low = 0x1.473de6af278edp-34;
  const double shifted = safe * 1.4426950408889634074 + round_to_whole;
  const double k = shifted - round_to_whole;
  const double r = (safe - k * log2_high) - k * log2_low;
  // Taylor to r^13 / 13!: the rest is below 2^-56 for |r| <= .347.
  double s = 1.0 / 6227020800.0;
  s = s * r + 1.0 / 479001600.0;
  s = s * r + 1.0 / 39916800.0;
  s = s * r + 1.0 / 3628800.0;
  s = s * r + 1.0 / 362880.0;
  s = s * r + 1.0 / 40320.0;
  s = s * r + 1.0 / 5040.0;
  s = s * r + 1.0 / 720.0;
  s = s * r + 1.0 / 120.0;
  s = s * r + 1.0 / 24.0;
  s = s * r + 1.0 / 6.0;
  s = s * r + 0.5;
  const double power = 1.0 + (r + r * r * s);
  // 2^k by its bits. Two factors, because 2^1024 (k at x > 709.4) is no double.
  const auto bits = std::bit_cast<std::uint64_t>(shifted);
  const double scale = std::bit_cast<double>((bits + 1022) << 52);
  const double result = power * scale * 2.0;
  return vanishes ? 0.0 : result;
}

/// 1/3 + q/5 + q^2/7 + ... up to the term with 1/last: log((1 + s) / (1 - s)) = 2 (s + s^3 odd_reciprocals(s^2)).
template <int last>
inline double odd_reciprocals(double q) {
  double sum = 1.0 / last;
#pragma GCC unroll 16
  for (int k = last - 2; k >= 3; k -= 2) sum = sum * q + 1.0 / k;
  return sum;
}

/// log(1 + t) for 0 <= t <= 1, by 2 atanh(t / (2 + t)): only positive terms, so small t keeps its digits.
inline double log1p(double t) {
  const double s = t / (2.0 + t);
  const double q = s * s;  // at most 1/9: q^17 / 35 is below the last bit
  return 2.0 * (s + s * q * odd_reciprocals<33>(q));
}

/// log x for positive x that is not subnormal.
inline double log(double x) {
  // x = 2^k m with m between sqrt(1/2) and sqrt(2): the bits of m's mantissa are compared as whole numbers.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
  const std::uint64_t shifted = bits - sqrt_half;
  const std::uint64_t mantissa_bits = (shifted & 0x000fffffffffffffULL) + sqrt_half;
  const double m = std::bit_cast<double>(mantissa_bits);
  // The exponent, arithmetically shifted, as a double: add 1.5 * 2^52 in the integers and take it off in the doubles.
  const std::uint64_t biased = (shifted >> 52) ^ 0x800;  // 12 bits, signed, made unsigned
  const double k = std::bit_cast<double>(0x4338000000000000ULL + biased) - (6755399441055744.0 + 2048.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double q = s * s;  // at most 0.0295: q^11 / 23 is below the last bit
  constexpr double log2_high = 0x1.62e42fefp-1;
  constexpr double log2_low = 0x1.473de6af278edp-34;
  return k * log2_high + (k * log2_low + 2.0 * (s + s * q * odd_reciprocals<21>(q)));
}

}  // namespace tamis::vector_math
