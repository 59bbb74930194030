// Sampler: how one chain moves. Chains, burn-in, averages and diagnostics are the same for all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "factor/model/state.hpp"
#include "tamis/base/random.hpp"

namespace tamis::factor {

/// Streams of random numbers of one chain, by sweep, purpose and item: the result does not depend on threads, and a
/// checkpoint needs no state of a generator.
struct ChainKey {
  enum Purpose : std::uint64_t { start, scores, augmentation, loadings, hyper, scale, noise };
  static constexpr std::uint64_t purposes = 16;
  std::uint64_t seed = 1;
  std::uint64_t chain = 0;
  RandomStream stream(Index sweep, Purpose purpose, Index item = 0) const {
    return RandomStream(seed, chain, static_cast<std::uint64_t>(sweep) * purposes + purpose,
                        static_cast<std::uint64_t>(item));
  }
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Where the chain begins.
  virtual FactorState start() = 0;
  /// One update of everything. `burning`: before the draws that count, when step sizes may adapt.
  virtual void sweep(FactorState& state, Index sweep, bool burning) = 0;
  /// What the sampler has learned besides the state (step sizes), for checkpoints.
  virtual std::vector<double> memory() const { return {}; }
  virtual void remember(const std::vector<double>& memory) { (void)memory; }
};

}  // namespace tamis::factor
