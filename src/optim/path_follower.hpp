// PathFollower: solutions of one penalised problem along a falling penalty, with as few passes over X as possible.
//
// A block of consecutive penalties is solved on a working set, from Gram matrices or single columns, before anybody
// looks at the rest of X. One pass X'R over all their residuals together (follow.hpp; several problems may share it)
// then checks every feature at every penalty of the block, gives the duality gaps, and says from the slopes of the
// correlations which features will matter next. Violations, which are rare, send the follower back to the first
// penalty that had one. Every accepted solution is thus certified on all features.
//
// Non-quadratic losses: proximal Newton with a Hessian kept over many steps and refreshed when it no longer contracts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optim/penalised_loss.hpp"
#include "optim/quadratic_model.hpp"

namespace tamis {

struct FollowSettings {
  double tolerance = 1e-5;     ///< of the KKT conditions, relative to penalty * l1_ratio * factor
  double dense_tolerance = 0;  ///< the tolerance grows to this where 500 features are in play
  Index longest_block = 8;     ///< penalties per pass at most
  Index patience = 40;         ///< sweeps of coordinate descent before a Newton step on the support
  Index max_newton = 200;      ///< quadratic models per penalty
  double gram_share = 0.045;   ///< memory for Gram matrices, as a share of X
};

class PathFollower {
 public:
  PathFollower(PenalisedLoss problem, FollowSettings settings);

  /// Solves the null model (intercept and unpenalised features); its residual awaits a check.
  void start();
  /// Solves the next penalties of `grid` after those already accepted (at most one block); residuals await a check.
  void solve_block(std::span<const double> grid);

  /// Residuals that await a check: rows x pending().
  Index pending() const { return static_cast<Index>(block_.size()); }
  ConstMatrixView residuals() const { return {residuals_.col(0), problem_.X.rows(), pending()}; }
  /// Linear predictors of the same points, held-out rows included.
  std::span<const double> predictor(Index k) const { return predictors_.column(k); }
  /// Takes X_c'R of columns first, first + 1, ... (rows of `c`) for the pending residuals.
  void check(Index first, ConstMatrixView c);
  /// After check() has seen every column: accepts the points before the first violation; returns their number.
  Index finish_check();

  const PenalisedLoss& problem() const { return problem_; }
  /// The smallest penalty at which nothing enters; known after the first finish_check().
  double largest_penalty() const { return largest_penalty_; }
  const std::vector<PenalisedSolution>& solutions() const { return solutions_; }
  Index accepted() const { return static_cast<Index>(solutions_.size()); }
  double null_loss() const { return null_loss_; }
  bool failed() const { return failed_; }
  /// From now on the same tolerance everywhere.
  void set_tolerance(double tolerance) {
    settings_.tolerance = tolerance;
    settings_.dense_tolerance = 0;
  }
  /// Goes back to accepted solution k and forgets it and its successors: solve_block then solves it again, from there.
  void rewind(Index k);

 private:
  struct Violator {
    Index feature;
    Index point;
    double correlation;
  };

  struct Candidate {
    Index feature;
    double penalty;  // where correlation was measured
    double correlation;
    double slope;  // in the penalty
  };

  // Inner solver (path_inner.cpp)
  void set_penalty(double penalty, double tolerance);
  bool solve_penalty(double penalty);
  bool solve_working_set(double penalty);
  bool newton_step(double penalty, double violation, double tolerance);
  void extrapolate(double penalty);
  void update_predictor();
  void measure_candidates(double penalty);
  bool admit_candidates(double penalty, double slack);
  bool lazy() const { return problem_.likelihood.is_quadratic() && !columns_mode_; }
  double tolerance_here() const;
  bool support_step_pays() const;
  bool support_step(double penalty);
  bool ensure_descent(double penalty, double before);
  void refresh_hessian();
  void add_to_working_set(std::span<const Index> added, std::span<const double> correlations);
  void evaluate();
  void take_gradient();
  double working_violation(double penalty) const;
  double distance_from_optimal(Index j, double b, double correlation, double penalty) const;
  double objective_at(double penalty) const;

  void trim_working_set(double penalty);

  // Path bookkeeping (path_follower.cpp)
  void choose_candidates(double from, double to);
  void store_point(double penalty);
  void restore_point(Index k);
  void set_coefficients(const PenalisedSolution& point);
  void certify(Index k);
  double null_gradient_unit() const;
  double strength(Index j, double penalty) const { return penalty * problem_.factor(j); }

  PenalisedLoss problem_;
  FollowSettings settings_;
  Index n_, p_;

  // State: coefficients of the working set, predictors and residuals that belong to them.
  std::vector<Index> working_;
  std::vector<std::int32_t> place_;  // of each feature in working_, or -1
  std::vector<double> b_of_eta_;     // what eta_ was computed from
  bool predictor_is_settled_ = false;
  std::vector<double> b_, g_;  // g = X'residual of the working set
  double intercept_ = 0;
  std::vector<double> eta_, residual_, curvature_, change_, step_;
  double loss_ = 0;
  CoordinatePenalty penalty_;
  GramModel gram_;
  ColumnModel columns_;
  bool columns_mode_ = false;
  Index gram_limit_ = 0;
  bool gradient_is_current_ = false;
  bool hessian_is_fresh_ = false;
  double last_intercept_step_ = 0;
  bool descent_was_slow_ = false;
  std::vector<double> earlier_;  // coefficients of the point before, for extrapolation
  double earlier_penalty_ = 0, last_penalty_ = 0;
  std::vector<Index> changed_;
  std::vector<double> changed_by_;

  // The block that awaits its check.
  std::vector<PenalisedSolution> block_;
  Matrix residuals_, predictors_;
  std::vector<double> max_ratio_, outside_ratio_, dual_ridge_;
  std::vector<Violator> violators_;
  Matrix working_correlations_;  // of working_ at every pending point
  Index block_length_ = 1;
  double margin_ = 0.1;

  // What the last pass said about every feature: correlation and its slope in the penalty. Heuristics only: float.
  std::vector<float> correlation_, slope_;
  double correlation_penalty_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<Index> candidate_features_;
  std::vector<double> candidate_values_;
  bool started_ = false;
  bool failed_ = false;
  double largest_penalty_ = 0;
  double null_loss_ = 0;
  std::vector<PenalisedSolution> solutions_;
};

}  // namespace tamis
