// MeanFieldPath: the mean field of one problem along a path of priors, with as few passes over X as possible.
//
// A few hundred features, the working set, are solved for several priors ahead from their Gram matrix. One pass X'R
// over all these residuals then screens every other feature. One with more than a negligible inclusion joins the
// working set, and the path is rewound to the first prior at which it was missing. The others, the remainder, are not
// neglected: each takes its optimum given the residual (a Jacobi step; they are so small that it contracts), and their
// joint contribution is part of the fit, iterated until it no longer changes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "family/working_response.hpp"
#include "method/mean_field/mean_field_path_base.hpp"
#include "method/mean_field/mean_field_sweep.hpp"

namespace tamis {

struct MeanFieldPathSettings {
  Index longest_block = 8;            ///< priors solved before a check, at most
  Index check_every = 1;              ///< of them one in so many is checked, and the last; at most 8 checks per block
  Index max_sweeps = 500;             ///< of the working set per prior
  Index capacity = 0;                 ///< of the working set; 0: chosen
  double least_in_fit = 1e-6;         ///< inclusion from which a feature is in the remainder's joint fit
  double remainder_tolerance = 2e-2;  ///< along the way, in posterior sds; what is returned is polished
  double sweep_tolerance = 1e-5;      ///< likewise, of the working set
};

class MeanFieldPath final : public MeanFieldPathBase {
 public:
  MeanFieldPath(MeanFieldProblem problem, MeanFieldPathSettings settings);

  void start(const MeanFieldParameters& hyper) override;
  void solve_block(std::span<const SpikeSlab> priors,
                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  std::vector<MeanFieldPoint> solve_on_working_set(std::span<const SpikeSlab> priors,
                                                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  double present_free_energy() const override { return field_.free_energy(hyper_, remainder_); }
  MeanFieldPoint present_point() const override;
  void restart(const MeanFieldPoint& from) override;
  FeaturePosteriors state() const override;

  Index pending() const override { return std::ssize(checks_); }
  ConstMatrixView residuals() const override { return {residuals_.col(0), problem_.X.rows(), pending()}; }
  void take_correlations(Index first, ConstMatrixView c) override;
  Index accept_points() override;

 private:
  static constexpr double working_set_threshold = 0.01;  // inclusion above which a feature belongs into the working set

  /// A feature outside the working set that deserves to be in it: for its inclusion at some point, or as a candidate
  /// for the points to come.
  struct Newcomer {
    Index feature;
    Index point;  // the first at which it was missed; pending(): none
    double rank;
    std::array<double, 8> correlations;
  };
  /// What a feature outside the working set would be.
  struct CandidatePosterior {
    double prior, shrinkage, mean, logit, m;
  };
  struct CandidatePosteriors {
    explicit CandidatePosteriors(Index count) : prior(count), shrinkage(count), mean(count), logit(count), m(count) {}
    CandidatePosterior at(Index r) const { return {prior[r], shrinkage[r], mean[r], logit[r], m[r]}; }
    std::vector<double> prior, shrinkage, mean, logit, m;
  };

  /// Inclusion from which a coefficient is in the remainder's joint fit.
  double least_in_fit() const { return recording_ ? 1e-7 : settings_.least_in_fit; }
  double remainder_tolerance() const { return recording_ ? tolerance_ : settings_.remainder_tolerance; }
  double sweep_tolerance() const { return recording_ ? tolerance_ : settings_.sweep_tolerance; }

  bool checks_all() const { return settings_.check_every == 1; }

  enum class Outcome { solved, interpolates };

  // Solving on the working set (mean_field_solver.cpp)
  Outcome solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate);
  void predict_remainder();
  Outcome solve_from_here(const SpikeSlab& prior);
  Outcome solve_working_set();
  Outcome sweep_to_convergence(bool traces);
  Outcome solve_reweighted();
  bool state_interpolates() const;
  void trace_step(double change);

  // Working set, residual, quadratic bound (mean_field_path.cpp)
  void center_response();
  std::vector<double> predictor() const;
  void set_null_state();
  void update_weights();
  void update_working_response();
  void set_state(const MeanFieldPoint& point);
  void move_residual();
  void rebuild_residual();
  void weigh_residual(std::span<double> weighted);
  void update_working_set_correlations();
  void set_members(const MeanFieldPoint& point);
  void admit(std::span<const Index> features, std::span<const double> correlations);
  Index make_room(Index needed, Index wanted);
  void keep(std::span<const Index> places);
  void record_point(bool awaits_check);
  void measure_errors(MeanFieldPoint& point) const;

  // Screening by a pass over X (mean_field_screening.cpp)
  const MeanFieldPoint& checked(Index k) const { return block_[checks_[k]]; }
  Index most_candidates() const { return working_.is_exact() ? 64 : 16; }  // per pass
  void check_start(Index first, ConstMatrixView c);
  bool compute_posteriors(Index k, Index first, std::span<const double> correlations, CandidatePosteriors& out) const;
  CandidatePosterior posterior_of(Index k, Index j, double correlation) const;
  void add_to(Remainder& remainder, const MeanFieldPoint& point, double chi, const CandidatePosterior& b,
              double sign) const;
  void record_newcomer(Index first, Index r, ConstMatrixView c, Index missed, double logit);
  void add_joint_fit(Index first, const std::vector<bool>& counts, const Matrix& fits);
  void record_posterior(Index j, const CandidatePosterior& b);
  void keep_best_candidates(Index count);
  CandidatePosterior remove_from(Remainder& remainder, Index point, const Newcomer& newcomer) const;
  bool admit_newcomers(Index point);
  Index before_dense_end(Index count) const;
  Index finish_start();
  void clear_block();

  // Fixed-point iteration of the remainder (remainder.cpp)
  void update_remainder(Index k);
  void update_growth(Index k);
  void estimate_overshoot();
  void damp_remainder(Index k, bool sent_back);

  MeanFieldPathSettings settings_;
  Index n_, p_;
  WorkingResponse working_;
  double rows_;                        // as they count
  std::vector<double> given_weights_;  // where the working ones differ
  double null_deviance_ = 0;
  double y_mean_ = 0;
  std::vector<double> y_;  // centered, without the offset

  MeanFieldParameters hyper_;
  MeanFieldSweep field_;
  Remainder remainder_;
  double growth_ = 1, growth_log_odds_ = 0, growth_total_ = 0;
  std::vector<std::int32_t> position_;
  std::vector<double> residual_;
  double intercept_ = 0;
  std::vector<double> in_residual_;  // coefficients that it contains

  std::vector<MeanFieldPoint> block_;
  std::vector<Index> checks_;  // those of the block that await one
  std::vector<Remainder> assumed_, found_;
  std::vector<Remainder> predicted_remainders_;  // of rejected points, after the next one
  Matrix residuals_;
  std::vector<Newcomer> violators_, candidates_;
  double candidate_bar_ = 0;
  std::vector<double> fresh_correlations_;  // of the working set at the last pending point
  Matrix joint_fits_;                       // of the remainder at the pending points, during a pass
  Index block_length_;
  int rejections_ = 0;  // of the next point
  double damping_ = 1, last_distance_ = 0;
  double stiffness_ = 1;                              // overshoot of an undamped Jacobi step, >= 1
  std::vector<double> last_assumed_, last_movement_;  // of the rejected point
  bool started_ = false, started_on_path_ = false;
  bool interpolation_ahead_ = false;
  bool goes_denser_ = false;  // the priors of the present path
  FeaturePosteriors all_;     // of every feature outside the working set, when recording
};

}  // namespace tamis
