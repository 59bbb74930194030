// Chains side by side, for as long as their answer is not known well enough.
#pragma once

#include <span>
#include <vector>

#include "method/bvs/chain.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct BvsPlan {
  Index chains = 4;
  Index most_steps = 100'000;  ///< of each chain
  double precision = 0.02;     ///< the largest Monte Carlo error of an inclusion probability that is wanted
  std::uint64_t seed = 1;
  Observer* observer = nullptr;

  /// Steps until the first look. Later ones are at 1.5, 2, 3, 4, 6, ... times as many.
  Index first_look() const;
};

class BvsRun {
 public:
  /// Makes one chain per target; goes on from the checkpoint if it has a state.
  BvsRun(std::vector<std::unique_ptr<Target>> targets, const BvsPrior& prior, Index features, const BvsPlan& plan,
         Checkpoint& checkpoint);

  void run();
  bool cancelled() const { return cancelled_; }
  Index steps() const { return done_; }
  /// States before this step are burn-in.
  Index recorded_from() const { return recorded_from_; }
  std::span<const BvsChain> chains() const { return chains_; }
  std::span<const TracePoint> trace() const { return trace_; }

 private:
  Index next_stop() const;
  void advance_to(Index stop);
  void pass(Index stop);
  void advance(Index steps);
  bool good_enough();
  void report_progress();
  void exchange(Archive& archive);

  const BvsPlan plan_;
  Checkpoint& checkpoint_;
  std::vector<BvsChain> chains_;
  std::vector<TracePoint> trace_;
  Index done_ = 0, passed_ = 0, turned_ = 0, recorded_from_ = 0;
  Index wanted_;  // steps that precision is expected to take
  double shown_ = 0;
  bool finished_ = false, cancelled_ = false;
};

}  // namespace tamis
