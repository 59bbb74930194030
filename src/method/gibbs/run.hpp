// Several chains side by side. They run in segments of about the same time, between which progress is told and
// cancelling is asked for; where a segment ends does not change a draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "method/gibbs/chain.hpp"
#include "method/gibbs/tally.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct GibbsPlan {
  Index chains = 4;
  Index samples = 1000;  ///< recorded sweeps of each chain
  Index burn_in = 500;   ///< sweeps before them
  std::uint64_t seed = 1;
  Observer* observer = nullptr;

  Index sweeps() const { return burn_in + samples; }
};

class GibbsRun {
 public:
  GibbsRun(const ChainData& data, const HyperPrior& prior, const GibbsPlan& plan);

  /// To the end, or until the observer cancels; then every chain has at least one recorded sweep.
  void run();
  bool cancelled() const { return cancelled_; }
  std::span<const Tally> tallies() const { return tallies_; }

 private:
  void advance(Index sweeps);
  bool tell();

  const GibbsPlan plan_;
  std::vector<Chain> chains_;
  std::vector<Tally> tallies_;
  Index done_ = 0;  // sweeps of every chain
  bool cancelled_ = false;
};

}  // namespace tamis
