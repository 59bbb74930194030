// Coordinate ascent on the evidence lower bound of the continuous spike and slab: q(w, b0) is one normal distribution
// with its whole covariance, q(z_j) and q(s_j) are independent.
#pragma once

#include <optional>
#include <vector>

#include "method/vb/joint_normal_step.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Variances are in units of ScaledProblem; what is not given is learned (noise, slab) or chosen by the data.
struct VariationalRequest {
  std::optional<double> prior_inclusion = {}, spike_variance = {}, slab_variance = {}, noise_variance = {};
  bool annealed_only = false;  ///< one start: even inclusion, little noise, the spike narrowed in steps
  double tolerance = 1e-4;
  Index most_rounds = 1000;  ///< at one width of the spike
};

/// Where an ascent is.
struct VariationalState {
  double slab = 1, spike = 1e-4, noise = 1;
  std::vector<double> inclusion;  ///< mean of q(z_j)
  JointNormalStep coefficients;   ///< q(w, b0) of the last round
  std::vector<TracePoint> trace;  ///< bounds of the rounds at the present width of the spike: they never fall
  double change = 0;              ///< of an inclusion probability or a log hyperparameter, in the last round
  Status status = Status::iteration_limit;

  double bound() const { return trace.back().objective; }
};

class VariationalAscent {
 public:
  VariationalAscent(const ScaledProblem& scaled, const VariationalRequest& request, Observer* observer);

  double prior_inclusion() const { return prior_inclusion_; }
  /// Inclusion as a priori, everything else at its start; `noise` unless it is given.
  VariationalState start(double noise) const;
  /// Rounds until they settle. With `learns` slab and noise that are not given are learned.
  void settle(VariationalState& state, bool learns, double tolerance);
  /// The spike is narrowed in steps from a tenth of the slab to its width, where it settles and learns.
  void anneal(VariationalState& state);

 private:
  void round(VariationalState& state);
  double view_rows(const VariationalState& state, std::vector<double>& information, std::vector<double>& working) const;
  double bound_of_inclusion(const VariationalState& state) const;
  double update_inclusion(VariationalState& state) const;
  double em_step(VariationalState& state) const;

  const ScaledProblem& scaled_;
  const VariationalRequest& request_;
  Observer* observer_;
  JointNormal normal_;
  double prior_inclusion_ = 0.25, first_slab_ = 1;
};

}  // namespace tamis
