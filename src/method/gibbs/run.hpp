// Several chains side by side. They run in segments of about the same time, between which progress is reported and
// cancelling is asked for; where a segment ends does not change a draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "method/gibbs/chain.hpp"
#include "method/gibbs/chain_models.hpp"
#include "method/gibbs/tally.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct GibbsPlan {
  Index chains = 4;
  Index samples = 1000;  ///< recorded sweeps of each chain
  Index burn_in = 500;   ///< sweeps before them
  std::uint64_t seed = 1;
  Observer* observer = nullptr;
  bool keep_draws = false;

  Index sweeps() const { return burn_in + samples; }
};

/// Every recorded state of one chain, one after the other, on the working scale; the rest is in ChainSeries.
struct ChainDraws {
  std::vector<double> coefficients;
  std::vector<std::uint8_t> included;
  std::vector<double> intercept;

  void record(const Chain& chain, Index iteration);
  void exchange(Archive& archive);
};

class GibbsRun {
 public:
  /// Goes on from the checkpoint if it has a state.
  GibbsRun(const ChainData& data, const HyperPrior& prior, const GibbsPlan& plan, Checkpoint& checkpoint);

  /// To the end, or until the observer cancels; then every chain has at least one recorded sweep.
  void run();
  bool cancelled() const { return cancelled_; }
  std::span<const Tally> tallies() const { return tallies_; }
  std::span<const ChainDraws> draws() const { return draws_; }
  /// A few thousand models of all chains; feature k is called names[k].
  ModelDraws models(std::span<const Index> names) const;

 private:
  void advance(Index sweeps);
  void record(Index chain, Index iteration);
  bool report_progress();
  void exchange(Archive& archive);

  const GibbsPlan plan_;
  Checkpoint& checkpoint_;
  std::vector<Chain> chains_;
  std::vector<Tally> tallies_;
  std::vector<ChainModels> models_;
  std::vector<ChainDraws> draws_;  // none unless they are to be kept
  Index done_ = 0;                 // sweeps of every chain
  bool cancelled_ = false;
};

}  // namespace tamis
