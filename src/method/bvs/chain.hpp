// A chain over models: weighted tempered Gibbs sampling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "method/bvs/exchange.hpp"
#include "method/bvs/weighted_tally.hpp"

namespace tamis {

class BvsChain {
 public:
  /// Even numbers begin without features, odd ones with some at random. `tuning`: how many steps may tune it.
  BvsChain(std::unique_ptr<Target> target, const BvsPrior& prior, Index features, std::uint64_t seed, Index number,
           Index tuning);

  /// The steps `first`, `first` + 1, ... of this chain, each a function of the state and its number.
  void run(Index first, Index count);
  /// Drops the older of the two sums, and begins a new one.
  void turn() { tally_.turn(); }

  const WeightedTally& tally() const { return tally_; }
  const KeptDraws& draws() const { return draws_; }
  Index size() const { return model_.size(); }
  double log_likelihood() const { return target_->log_likelihood(model_); }
  const Target& target() const { return *target_; }
  void exchange(Archive& archive);

 private:
  void start();
  void step(Index number);
  void flip(RandomStream& random);
  void move_scale(Index number, RandomStream& random);
  void exchange_pair(RandomStream& random);
  void update_rates();
  double log_total() const;

  std::unique_ptr<Target> target_;
  const BvsPrior& prior_;
  const std::uint64_t seed_, number_;
  const Index tuning_;
  ActiveModel model_;
  FlipRates rates_;
  WeightedTally tally_;
  KeptDraws draws_;
  std::optional<PairExchange> pairs_;
  double log_refresh_rate_;
};

}  // namespace tamis
