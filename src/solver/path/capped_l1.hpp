// One capped-L1 problem at one penalty after another: GIST on a working set, certified on all features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/path/penalized_loss.hpp"
#include "solver/path/working_loss.hpp"
#include "solver/smooth/gist.hpp"

namespace tamis {

class CappedProblem {
 public:
  /// `curvature` of the loss along a typical column: the scale of a first step.
  CappedProblem(PenalizedLoss problem, double curvature);
  CappedProblem(const CappedProblem&) = delete;
  CappedProblem& operator=(const CappedProblem&) = delete;

  /// Restarts at a solution of the lasso: the capped penalty is not convex, so the start is part of the method.
  void start(const PenalizedSolution& lasso, double penalty, double cap);
  /// GIST on the working features, to this distance from stationary relative to the penalty. Leaves exact residuals.
  void solve(double tolerance, Index max_steps);
  /// Weighted residuals, for X'residual.
  const std::vector<double>& residual() const { return loss_->residual(); }
  /// Takes X'residual of all features: certifies, and adds those that are not stationary at 0 to the working set. True
  /// if there were any, so that solve() has work again.
  bool check(std::span<const double> correlations, double tolerance);

  /// Support and values of solution() without coefficients of rounding size and with duplicate columns merged
  /// (negligible.hpp, duplicate_columns.hpp): a point to start() from.
  PenalizedSolution pruned_support(double tolerance) const;

  const PenalizedLoss& problem() const { return problem_; }
  /// Support, values, loss, objective, held-out deviance; `violation` is the distance from stationary at the last
  /// check, relative to the penalty.
  PenalizedSolution solution() const;

 private:
  void add(std::span<const Index> added);
  bool newton_step();
  bool line_search(std::span<const double> step);

  PenalizedLoss problem_;
  std::unique_ptr<WorkingLoss> loss_;
  std::vector<std::int32_t> place_;  // of each feature among the working ones, or -1
  std::vector<double> b_;
  CappedPenalty penalty_;
  double strength_ = 0;  // the penalty without factors
  double violation_ = 0;
  double typical_curvature_;
  double curvature_;  // first step of the next call of GIST
};

}  // namespace tamis
