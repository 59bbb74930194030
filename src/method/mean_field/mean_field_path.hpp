// MeanFieldPath: the mean field of one problem along a path of priors, with as few passes over X as possible.
//
// A few hundred features, the working set, are solved for several priors ahead from their Gram matrix. One pass X'R
// over all these residuals then looks at every other feature. One that deserves more than a negligible inclusion joins
// the working set, and the follower goes back to the first prior at which it was missed. The rest, the background, is
// not neglected: each of its features takes its best value given the residual (a Jacobi step; they are so small that it
// contracts), and their joint contribution enters the fit until it no longer changes.
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
  double least_in_fit = 1e-6;         ///< inclusion from which a feature is in the background's joint fit
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
  static constexpr double largest_remainder = 0.01;  // inclusion above which a feature belongs into the working set

  /// A feature outside the working set that deserves to be in it: for its inclusion at some point, or as a candidate
  /// for the points to come.
  struct Newcomer {
    Index feature;
    Index point;  // the first at which it was missed; pending(): none
    double rank;
    std::array<double, 8> correlations;
  };
  /// What a feature outside the working set would be.
  struct Belief {
    double prior, shrinkage, mean, logit, m;
  };
  struct Beliefs {
    explicit Beliefs(std::size_t count) : prior(count), shrinkage(count), mean(count), logit(count), m(count) {}
    Belief at(std::size_t r) const { return {prior[r], shrinkage[r], mean[r], logit[r], m[r]}; }
    std::vector<double> prior, shrinkage, mean, logit, m;
  };

  /// Inclusion from which a coefficient is in the background's joint fit.
  double least_in_fit() const { return recording_ ? 1e-7 : settings_.least_in_fit; }
  double remainder_tolerance() const { return recording_ ? tolerance_ : settings_.remainder_tolerance; }
  double sweep_tolerance() const { return recording_ ? tolerance_ : settings_.sweep_tolerance; }

  bool checks_all() const { return settings_.check_every == 1; }

  enum class Outcome { solved, interpolates };

  // One prior after the other (field_solve.cpp)
  Outcome solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate);
  void predict_remainder();
  Outcome solve_from_here(const SpikeSlab& prior);
  Outcome settle_working_set();
  Outcome sweep_until_still(bool traces);
  Outcome settle_with_weights();
  bool state_interpolates() const;
  void trace_step(double change);

  // Members, residual, quadratic view (field_follower.cpp)
  void take_response();
  std::vector<double> predictor() const;
  void go_to_null();
  void update_weights();
  void update_working_response();
  void go_to(const MeanFieldPoint& point);
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

  // What a pass over X says (field_check.cpp)
  const MeanFieldPoint& checked(Index k) const { return block_[checks_[k]]; }
  Index most_candidates() const { return working_.is_exact() ? 64 : 16; }  // per pass
  void check_start(Index first, ConstMatrixView c);
  bool believe(Index k, Index first, std::span<const double> correlations, Beliefs& out) const;
  Belief belief_of(Index k, Index j, double correlation) const;
  void add_to(Remainder& remainder, const MeanFieldPoint& point, double chi, const Belief& b, double sign) const;
  void record_newcomer(Index first, Index r, ConstMatrixView c, Index missed, double logit);
  void add_joint_fit(Index first, const std::vector<bool>& counts, const Matrix& fits);
  void record_posterior(std::size_t j, const Belief& b);
  void keep_best_candidates(Index count);
  Belief take_out(Remainder& remainder, Index point, const Newcomer& newcomer) const;
  bool admit_newcomers(Index point);
  Index before_dense_end(Index count) const;
  Index finish_start();
  void clear_block();

  // How the background comes to rest (field_background.cpp)
  void update_remainder(Index k);
  void note_growth(Index k);
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
  double growth_ = 1, noted_odds_ = 0, noted_total_ = 0;
  std::vector<std::int32_t> place_;
  std::vector<double> residual_;
  double intercept_ = 0;
  std::vector<double> in_residual_;  // coefficients that it contains

  std::vector<MeanFieldPoint> block_;
  std::vector<Index> checks_;  // those of the block that await one
  std::vector<Remainder> used_, found_;
  std::vector<Remainder> foreseen_;  // of priors that were sent back, after the next one
  Matrix residuals_;
  std::vector<Newcomer> violators_, candidates_;
  double candidate_bar_ = 0;
  std::vector<double> fresh_correlations_;  // of the working set at the last pending point
  Matrix joint_fits_;                       // of the background at the pending points, while a check runs
  Index block_length_;
  int rejections_ = 0;  // of the next point
  double damping_ = 1, last_distance_ = 0;
  double stiffness_ = 1;                           // how far the background overshoots when all of it moves at once
  std::vector<double> last_used_, last_movement_;  // of the point that was sent back
  bool started_ = false, started_on_path_ = false;
  bool collapse_ahead_ = false;
  bool goes_denser_ = false;  // the priors of the present path
  FeaturePosteriors all_;     // of every feature outside the working set, when recording
};

}  // namespace tamis
