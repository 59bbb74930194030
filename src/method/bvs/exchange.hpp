// A move that trades two features for one, or one for two.
#pragma once

#include "method/bvs/odds.hpp"
#include "method/bvs/target.hpp"

namespace tamis {

/// The state that a move proposes; work memory between moves.
class PairExchange {
 public:
  PairExchange(const NormalEquations& data, Index features);

  /// Proposes from `model`, whose rates have this log total, refreshes included at log_refresh_rate. True: the state to
  /// go on from is in model() and rates(), to be swapped in.
  bool propose(const ActiveModel& model, double log_total, double log_refresh_rate, const Target& target,
               const BvsPrior& prior, RandomStream& random);
  ActiveModel& model() { return work_; }
  FlipRates& rates() { return rates_; }

 private:
  struct Proposal {
    double log_target = 0;    // of the proposed model against the present one
    double log_forward = 0;   // of proposing it
    double log_backward = 0;  // of proposing the way back
  };
  bool merge(const Target& target, const BvsPrior& prior, RandomStream& random, Proposal& proposal);
  bool split(const Target& target, const BvsPrior& prior, RandomStream& random, Proposal& proposal);
  void odds(const Target& target, const BvsPrior& prior, std::vector<double>& out) const;
  double log_pair(Index i, Index j, Index single) const;

  ActiveModel work_;
  FlipRates rates_;
  // Log odds given the rest B of the model alone, with the first of the pair, with the second.
  std::vector<double> base_, first_, second_;
  double log_base_ = 0;
};

/// Features inside that have no prior of their own.
Index counted_inside(const ActiveModel& model, const OwnPriors& own);

}  // namespace tamis
