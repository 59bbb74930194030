// LassoPath: solutions of one penalized problem along a decreasing penalty, with as few passes over X as possible.
//
// A block of consecutive penalties is solved on a working set, from Gram matrices or single columns. One pass X'R over
// all their residuals together (screening_pass.hpp; several problems may share it) then checks the KKT conditions of
// every feature at every penalty of the block, gives the duality gaps, and predicts from the slopes of the correlations
// which features will enter next. A violation, which is rare, rewinds the path to the first penalty that had one. Every
// accepted solution is thus certified on all features. Folds, whose certificates are not needed, may be checked at
// every other penalty only; the points between are still solved for all candidates.
//
// Half of the next block may be solved while the pass for the last one is under way: the solver works in cache, the
// pass streams X, so they suit two threads. Candidates come from the check before. If the pass finds a violation, what
// was solved ahead is discarded.
//
// Non-quadratic losses: proximal Newton with a Hessian kept over many steps and renewed when it no longer contracts.
// Algorithm, invariants and papers are at the top of lasso_path.cpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "solver/descent/working_model.hpp"
#include "solver/path/penalty_path.hpp"

namespace tamis {

class LassoPath final : public PenaltyPath {
 public:
  LassoPath(PenalizedLoss problem, PathSettings settings);

  void start() override;
  void solve_block(std::span<const double> grid) override;
  void plan_lookahead(std::span<const double> grid) override;
  void solve_lookahead() override;
  void restart(const PenalizedSolution& from) override;
  void offer(const PenalizedSolution& point) override;
  std::vector<double> curvature_of_support(const PenalizedSolution& point) const override;
  Index pending() const override { return std::ssize(waiting_.checked); }
  ConstMatrixView residuals() const override { return {waiting_.residuals.col(0), problem_.X.rows(), pending()}; }
  bool takes_any_order() const override { return true; }
  void take_correlations(Index first, ConstMatrixView c) override;
  Index accept_points() override;

 private:
  struct Violator {
    Index feature;
    Index point;
    double correlation;
  };

  /// KKT and dual statistics of one panel of columns at a checked point.
  struct PanelSummary {
    double max_ratio = 0, outside_ratio = 0, dual_ridge = 0;
    std::vector<Violator> violators;
  };

  struct DualRidgeTerm {
    Index first;
    Index point;
    double value;
  };

  /// Candidates may be many; single precision suffices, because they are only predictions.
  struct Candidate {
    std::uint32_t feature : 31;
    std::uint32_t measured : 1;  // at the present state
    float penalty;               // where correlation was measured
    float correlation;
    float slope;  // in the penalty
  };

  /// Consecutive points, solved in a row and checked together.
  struct Block {
    std::vector<PenalizedSolution> points;
    std::vector<std::size_t> checked;  // places in points of those that are checked; everything below is of them
    Matrix residuals;
    std::vector<double> max_ratio, outside_ratio, dual_ridge;
    std::vector<Violator> violators;
    std::vector<DualRidgeTerm> ridges;
    Matrix correlations;  // a column per member of the working set: threads that note different ones stay apart
    bool failed = false;

    const PenalizedSolution& checked_point(Index k) const { return points[checked[k]]; }
    void prepare_check(Index members);
    bool changes_summary(Index k, const PanelSummary& panel);   ///< without the lock
    void add(Index k, Index first, const PanelSummary& panel);  ///< by one thread at a time
    void merge_panels();                                        ///< once everything is added
    void clear();
  };

  /// The working set as the waiting block left it.
  struct WorkingSetSnapshot {
    std::vector<Index> working;
    std::vector<std::int32_t> by_feature;  // their places, sorted by feature
    std::vector<double> g;                 // empty if unknown, or renewed since

    WorkingSetSnapshot() = default;
    WorkingSetSnapshot(std::vector<Index> features, std::vector<double> gradient);
    std::int32_t place(Index j) const;  // or -1
    Index feature(std::int32_t place) const { return working[place]; }
    std::span<const std::int32_t> between(Index first, Index last) const;  // places of features first .. last - 1
  };

  // Solver on the working set (working_set_solver.cpp)
  void set_penalty(double penalty, double tolerance);
  bool solve_penalty(double penalty);
  bool solve_working_set(double penalty);
  bool newton_iterations(double penalty);
  bool newton_step(double penalty, double tolerance, double shortest, Index max_sweeps);
  Index max_sweeps_here(double violation, double tolerance) const;
  double shortest_step(Index step, double violation, double tolerance) const;
  void extrapolate(double penalty);
  void update_predictor();
  double predicted_correlation(const Candidate& c, double penalty) const;
  double screening_threshold(double measured_at, double penalty) const;
  bool may_enter(const Candidate& c, double penalty) const;
  void measure_candidates(double penalty);
  bool admit_candidates(double penalty, double step_tolerance);
  bool lazy() const { return problem_.likelihood.is_quadratic() && !columns_mode_; }
  double tolerance_here() const { return settings_.tolerance_for(std::ssize(working_)); }
  bool support_step_pays() const;
  bool find_support_step(SupportStep& step);
  void support_step(double penalty);
  bool ensure_descent(double penalty, double before);
  void refresh_hessian();
  void switch_to_columns();
  void add_to_working_set(std::span<const Index> added, std::span<const double> correlations);
  void evaluate();
  void take_gradient();
  double working_violation(double penalty) const;
  double distance_from_optimal(Index j, double b, double correlation, double penalty) const;
  double objective_at(double penalty) const;

  void trim_working_set(double penalty, double near);
  Candidate to_candidate(std::size_t w, double penalty) const;

  // KKT conditions on all features (lasso_screening.cpp)
  template <class See>
  void for_each_above(Index first, ConstMatrixView c, Index k, double penalty, const See& see) const;
  PanelSummary summarize_panel(Index first, ConstMatrixView c, Index k) const;
  void store_working_set_correlations(Index first, ConstMatrixView c);
  std::vector<double> coefficients_of(const PenalizedSolution& point) const;
  bool kkt_violated_in_set(Index k) const;
  void certify(Index k);
  Index count_valid_points();
  void accept_point(PenalizedSolution& point);
  void rewind_to(Index k);
  void take_exact_gradient();

  // Blocks, candidates, lookahead (lasso_path.cpp)
  void choose_candidates(double from, double to);
  void record_point(double penalty);
  void queue_check();
  Index solved() const { return accepted() + std::ssize(waiting_.points); }
  void plan(std::span<const double> grid, Index count);
  void solve_planned();
  void discard_lookahead();
  /// The working set at the time when the waiting block was solved.
  const std::vector<Index>& checked_working() const { return solving_lookahead_ ? snapshot_.working : working_; }
  std::int32_t checked_place(Index j) const { return solving_lookahead_ ? snapshot_.place(j) : place_[j]; }
  void set_state(const PenalizedSolution& point);
  void set_coefficients(const PenalizedSolution& point);
  double null_gradient_unit() const;

  Index n_, p_;

  // State: coefficients of the working set, predictors and residuals that belong to them.
  std::vector<Index> working_;
  std::vector<std::int32_t> place_;     // of each feature in working_, or -1
  std::vector<double> b_in_predictor_;  // what eta_ was computed from
  bool predictor_is_current_ = false;
  std::vector<double> b_, g_;         // g = X'residual of the working set
  std::vector<double> pending_step_;  // a step of b that g does not know of yet, if not empty
  double intercept_ = 0;
  std::vector<double> eta_, residual_, curvature_, change_, step_;
  double loss_ = 0;
  CoordinatePenalty penalty_;
  GramModel gram_{0};
  SupportFactor support_factor_;  // while one penalty is solved
  ColumnModel columns_;
  bool columns_mode_ = false;
  Index gram_limit_ = 0;
  bool gradient_is_current_ = false;
  bool hessian_is_fresh_ = false;
  double last_intercept_step_ = 0;
  bool descent_was_slow_ = false;
  std::vector<double> previous_b_;  // coefficients of the point before, for extrapolation
  double previous_penalty_ = 0, last_penalty_ = 0, next_penalty_ = 0;
  std::vector<Index> changed_;
  std::vector<double> changed_by_;

  Block waiting_;  // for its check
  std::mutex panel_mutex_;
  Block lookahead_;  // solved meanwhile
  Block* solving_ = &waiting_;
  bool solving_lookahead_ = false;  // solving_ is ahead_
  WorkingSetSnapshot snapshot_;     // if so
  std::vector<double> planned_;
  double resolved_penalty_ = -1;  // of the last point that lacked a member
  Index block_length_ = 1;
  double margin_ = 0.05;

  // Correlation of every feature and its slope in the penalty, of the last pass. Only for prediction: float.
  std::vector<float> correlation_, slope_;
  double correlation_penalty_ = 0;
  std::vector<Candidate> candidates_;
  bool candidates_are_measured_ = false;  // at the present state
  std::vector<Index> candidate_features_;
  std::vector<double> candidate_values_;  // exact, of the measured ones
  bool started_ = false;
};

}  // namespace tamis
