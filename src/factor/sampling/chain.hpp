// One chain on its way, and what all chains drew together.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/checkpoint.hpp"
#include "factor/model/match_factors.hpp"
#include "factor/model/predictive.hpp"
#include "factor/model/task.hpp"
#include "factor/sampling/sampler.hpp"

namespace tamis::factor {

struct ChainPlan {
  explicit ChainPlan(const FactorTask& task);
  Index chains, samples, burn_in;
  Index sweeps() const { return burn_in + samples; }

  /// Cells whose predictions are watched: some that have to be predicted if there are enough, else any.
  struct Place {
    Index row, column;
  };
  std::vector<Place> watched;
};

class Chain {
 public:
  /// At the sampler's start, or empty, to be filled from an archive.
  enum class Origin { start, archive };
  Chain(const FactorTask& task, const ChainPlan& plan, const ChainKey& key, std::unique_ptr<Sampler> sampler,
        Origin origin);

  /// One sweep, and after the burn-in one draw.
  void advance();
  bool finished() const { return done_ == plan_.sweeps(); }
  Index done() const { return done_; }
  Index draws() const;
  /// Adds its draws to those of chains that are done, so that there is one tally in memory and not two.
  void add_to(PredictiveTally&& earlier) { tally_ = std::move(earlier); }
  /// Ended before its first draw: where the chain stands is all there is.
  void take_last_state();

  void exchange(Archive& archive);

 private:
  friend class ChainSummary;
  void keep();
  void trace();

  const FactorTask& task_;
  const ChainPlan& plan_;
  ChainKey key_;
  std::unique_ptr<Sampler> sampler_;
  FactorState state_;
  PredictiveTally tally_;
  FactorAverage average_;
  std::vector<std::vector<double>> series_;  // of the watched cells, one value per draw
  std::vector<TracePoint> trace_;            // of the first chain only
  Index done_ = 0;                           // sweeps
};

class ChainSummary {
 public:
  ChainSummary(const FactorTask& task, const ChainPlan& plan);
  /// What chains drew so far, for the next one to add to.
  PredictiveTally give_tally() { return std::exchange(tally_, task_.tally()); }
  /// Takes what chains drew, in their order. Of chains that were stopped those without a draw are left out, unless
  /// no chain has one: then the state of the one that came furthest is taken.
  void take(const std::vector<std::unique_ptr<Chain>>& chains);
  /// R-hat, effective sample size, status, message, factors and predictions.
  void conclude(bool stopped, bool has_spike, FactorResult& result);

  void exchange(Archive& archive);

 private:
  void take(Chain& chain);  // all but its tally
  std::string words() const;
  void diagnose(FactorFit& fit) const;

  const FactorTask& task_;
  const ChainPlan& plan_;
  PredictiveTally tally_;
  FactorAverage average_;
  std::vector<std::vector<std::vector<double>>> series_;  // chain, watched cell, draw
  std::vector<TracePoint> trace_;
  Index sweeps_ = 0;
  bool burning_ = false;  // no chain had a draw
};

}  // namespace tamis::factor
