// Expectation propagation for spike-and-slab regression (Minka 2001; Hernandez-Lobato, Hernandez-Lobato & Suarez 2015):
// the prior of each feature is replaced by a normal site such that mean and variance of the coefficient are right given
// all the other sites. Sites are moved together, damped, until they stay. Hyperparameters that are not fixed are
// learned by EM: the maximum of evidence times their prior.
#pragma once

#include <vector>

#include "method/ep/likelihood_part.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

struct PropagationPlan {
  double damping = 0.5;     ///< share of a site that a move keeps
  double tolerance = 1e-5;  ///< of inclusion, of predictors and of logs of hyperparameters
  Index most_sweeps = 1000;
  Observer* observer = nullptr;
};

enum class PropagationEnd { converged, sweep_limit, improper, stopped };

class Propagation {
 public:
  Propagation(const ScaledProblem& problem, const HyperPrior& prior, const PropagationPlan& plan,
              LikelihoodPart& likelihood);

  PropagationEnd run();

  const FeatureMarginals& marginals() const { return marginals_; }
  const std::vector<TiltedPrior>& features() const { return tilted_; }
  const SpikeSlabHyper& hyper() const { return hyper_; }
  double log_evidence() const { return log_evidence_; }  ///< in units of the working response
  const std::vector<TracePoint>& trace() const { return trace_; }
  double change() const { return change_; }
  /// Whether sites were constrained to positive precision: with negative ones the approximation was improper, or did
  /// not converge.
  bool constrained() const { return constrained_; }
  /// Whether coefficients diverged, so that the algorithm restarted with fixed hyperparameters.
  bool diverged() const { return diverged_; }

 private:
  bool refresh();
  bool fall_back();
  PropagationEnd restore_last_finite();
  void adapt_damping(double moved);
  void tilted_moments();
  double update_sites();
  double em_step();
  bool report_progress();

  const ScaledProblem& data_;
  const HyperPrior& prior_;
  const PropagationPlan& plan_;
  LikelihoodPart& likelihood_;
  SpikeSlabHyper hyper_;
  std::vector<NaturalParameters> sites_, target_;
  std::vector<TiltedPrior> tilted_;
  FeatureMarginals marginals_;
  std::vector<TracePoint> trace_;
  double log_evidence_ = 0;
  double change_ = 0;
  double damping_;
  bool constrained_ = false;
  bool diverged_ = false;
  struct {
    FeatureMarginals marginals;
    std::vector<TiltedPrior> tilted;
    SpikeSlabHyper hyper;
  } last_finite_;  // the last state before anything ran away
  double smallest_move_ = 0;
  Index smallest_at_ = 0;
};

}  // namespace tamis
