// FixedPoint: the Variational Garrote by its published fixed-point equations, with dense linear algebra. The primal
// form (Eqs. 8-10) solves a system of all features, the dual form (Eqs. 22, 25-28) one of all rows. For comparison, and
// for those who want exactly the paper's recipe; MeanFieldPath reaches the same points much faster.
//
// Two departures, both without effect on the fixed points. The primal system is solved in u = sqrt(m) w, where it is
// symmetric and positive. The noise comes from the residual and the variance of the predictor under q,
// because Eq. 10 holds at the solution only, and cancels when the noise is small.
#pragma once

#include <Eigen/Core>

#include "method/mean_field/mean_field_path_base.hpp"

namespace tamis {

class FixedPoint final : public MeanFieldPathBase {
 public:
  /// Throws InvalidOption if the system would be too large.
  FixedPoint(MeanFieldProblem problem, bool dual);

  void start(const MeanFieldParameters& hyper) override;
  /// After start(): sets the inclusion probabilities, and solves for the weights.
  void start_from(std::span<const double> inclusion);
  void solve_block(std::span<const SpikeSlab> priors,
                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  std::vector<MeanFieldPoint> solve_on_working_set(std::span<const SpikeSlab> priors,
                                                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  double present_free_energy() const override;
  MeanFieldPoint present_point() const override;
  void restart(const MeanFieldPoint& from) override;
  FeaturePosteriors state() const override;

 private:
  bool solve(const SpikeSlab& prior);
  bool solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate);
  void set_state(const MeanFieldPoint& from);
  void solve_weights();
  void solve_primal();
  void solve_dual();
  void update_noise();
  Eigen::VectorXd next_logits() const;
  bool state_interpolates() const;

  bool dual_;
  double y_mean_ = 0;
  Eigen::MatrixXd X_;  // rows scaled by the square root of their weights, columns centered
  Eigen::VectorXd y_;
  Eigen::MatrixXd held_out_rows_;  // columns centered
  Eigen::VectorXd held_out_response_;
  Eigen::MatrixXd gram_;  // primal
  Eigen::VectorXd b_, chi_;
  MeanFieldParameters hyper_;
  Eigen::VectorXd m_, logit_, w_;
  double square_ = 0;  // of the residual
  double residual_change_ = 0;
};

}  // namespace tamis
