// Expectation propagation for spike-and-slab regression (Minka 2001; Hernandez-Lobato, Hernandez-Lobato & Suarez 2015):
// the prior of each feature is replaced by a normal site such that mean and variance of the coefficient are right given
// all the other sites. Sites are moved together, damped, until they stay; where they do not, one at a time, and then in
// a double loop. Hyperparameters that are not fixed are learned by EM whenever the sites are at rest: the maximum of
// evidence times their prior.
#pragma once

#include <vector>

#include "method/ep/prior_sites.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct PropagationPlan {
  double damping = 0.5;     ///< share of a site that a move keeps
  double tolerance = 1e-5;  ///< of inclusion, of predictors and of logs of hyperparameters
  Index most_sweeps = 1000;
  Observer* observer = nullptr;
};

enum class PropagationEnd { converged, sweep_limit, improper, stopped };

/// How the prior's sites are moved. The factorized likelihood knows the first one only.
enum class Moves { together, in_turn, double_loop };

class Propagation {
 public:
  Propagation(const ScaledProblem& problem, const HyperPrior& prior, const PropagationPlan& plan,
              LikelihoodPart& likelihood);

  PropagationEnd run();

  const FeatureMarginals& marginals() const { return now_.marginals; }
  const std::vector<TiltedPrior>& features() const { return now_.sites.tilted(); }
  const SpikeSlabHyper& hyper() const { return now_.hyper; }
  double log_evidence() const { return now_.log_evidence; }  ///< in units of the working response
  double change() const { return now_.change; }
  const std::vector<TracePoint>& trace() const { return trace_; }
  Moves moves() const { return moves_; }
  /// Whether sites were constrained to positive precision: with negative ones the approximation was improper, or did
  /// not converge.
  bool constrained() const { return constrained_; }
  /// Whether coefficients diverged, so that the algorithm restarted with fixed hyperparameters.
  bool diverged() const { return diverged_; }
  /// The last sweep at which the sites were at rest, whose state is returned if the sweeps did not suffice; 0: none.
  Index rested_at() const { return rested_.sweep; }
  /// Whether learning has lowered the evidence again and again, so that it was ended at its best.
  bool ended_learning() const { return longest_step_ == 0; }

 private:
  /// Marginals, tilted moments, hyperparameters and evidence belong together; the sites may be one move ahead.
  struct State {
    PriorSites sites;
    FeatureMarginals marginals = {};
    SpikeSlabHyper hyper = {};
    double log_evidence = 0;
    double change = 0;
  };

  bool sweep();
  void move_sites(double moved);
  bool has_circled() const { return constrained_ || moves_ != Moves::together; }
  bool rests(double moved) const;
  bool keep_rested();
  double learned_objective() const;
  double learn();
  void watch(double moved);
  void change_moves();
  void forget_rested();
  bool recover();
  void start_at(const State* state);
  PropagationEnd end_at_sweep_limit();
  PropagationEnd restore_last_proper();
  bool report_progress();

  const ScaledProblem& data_;
  const HyperPrior& prior_;
  const PropagationPlan& plan_;
  LikelihoodPart& likelihood_;
  State now_;
  State proper_;  // the last one before anything ran away; without marginals: none
  struct {
    State state;
    Index sweep = 0;       // 0: none
    double objective = 0;  // the best at rest so far; that of the state is not much less
  } rested_;
  std::vector<TracePoint> trace_;
  double damping_;
  Moves moves_ = Moves::together;
  bool constrained_ = false, diverged_ = false;
  double longest_step_;  // of a log hyperparameter
  struct {
    double last = 0;             // largest move of the last sweep
    double smallest = 0;         // of those since the moves were changed
    Index since = 0, begun = 0;  // sweeps at which it was smallest, and at which the moves were changed
  } progress_;
};

}  // namespace tamis
