// Random numbers by counting: Philox4x64-10 of Random123 (Salmon et al., SC 2011). A stream is a pure function of
// its key, so a result does not depend on how many threads drew from how many streams, and any stream is reached
// without walking through another.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// 2^66 numbers for each (seed, stream, substream, item), all streams independent of each other. Name the parts by
/// what varies: a chain and a variable, a set and a column. A UniformRandomBitGenerator, so the distributions of
/// Boost.Random draw from it (the standard library's differ between vendors).
class RandomStream {
 public:
  using result_type = std::uint64_t;
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t substream = 0,
                        std::uint64_t item = 0)
      : key_{seed, stream}, counter_{0, substream, item, 0} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }

  /// Uniform on the multiples of 2^-53 in [0, 1).
  double uniform01() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  /// Standard normal.
  double normal();
  /// Fills with standard normals: the same numbers as repeated normal(), faster.
  void normals(std::span<double> out);
  /// Each of 0, 1, ..., count - 1 with the same probability; count > 0.
  Index index(Index count);
  /// 0, 1, ..., count - 1 in random order.
  std::vector<Index> permutation(Index count);
  /// `chosen` different ones of 0, 1, ..., count - 1, in rising order; chosen <= count.
  std::vector<Index> sample(Index count, Index chosen);

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  std::size_t used_ = 4;
};

}  // namespace tamis
