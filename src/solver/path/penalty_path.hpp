// Follower: one penalised problem along a falling penalty. PathFollower streams X; TallFollower has seen it once.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "solver/path/penalized_loss.hpp"
#include "solver/path/screened_problem.hpp"

namespace tamis {

struct FollowSettings {
  double tolerance = 1e-5;        ///< of the KKT conditions, relative to penalty * l1_ratio * factor
  double dense_tolerance = 0;     ///< the tolerance grows to this where 500 features are in play
  Index longest_block = 8;        ///< penalties per pass at most
  Index check_every = 1;          ///< one in so many penalties of a block is checked on all features, the last always
  Index patience = 40;            ///< sweeps of coordinate descent before a Newton step on the support, at most
  Index max_newton = 200;         ///< quadratic models per penalty
  double gram_share = 0.023;      ///< memory for Gram matrices, as a share of X
  bool keep_coefficients = true;  ///< in solutions(); a fold needs its errors only

  /// On a Gram matrix a Newton step on k coefficients costs as much as some k / 16 sweeps over them: small ones are
  /// worth trying early.
  Index patience_for(std::span<const double> b) const {
    const auto active = static_cast<Index>(std::ranges::count_if(b, [](double x) { return x != 0; }));
    return std::clamp<Index>(active / 16, std::min<Index>(8, patience), patience);
  }

  /// A path point is a stepping stone. Where few features are in, exactness costs nothing; where hundreds are, the last
  /// digits cost most of the time, so there the tolerance grows with the square of their number, and slower from 500
  /// on.
  double tolerance_for(Index features) const {
    const double k = static_cast<double>(features) / 500;
    return std::max(tolerance, dense_tolerance * std::min(k < 1 ? k * k : k, 6.0));
  }
};

class Follower : public Checked {
 public:
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  /// Solves the null model: the intercept and the unpenalised features.
  virtual void start() = 0;
  /// Solves the next penalties of `grid` after those already accepted, one block at most.
  virtual void solve_block(std::span<const double> grid) = 0;
  /// Chooses some penalties behind the block that awaits its check, which solve_ahead() may solve beside the pass that
  /// checks. Afterwards solve_block() completes their block. By default nothing is done ahead.
  virtual void plan_ahead(std::span<const double> grid) { (void)grid; }
  virtual void solve_ahead() {}
  /// Forgets all solutions and continues from this one (of the same problem, at its penalty).
  virtual void restart(const PenalisedSolution& from) = 0;
  /// As restart(), but the next check takes this support and these values as they are: they become a solution with its
  /// own intercept, loss and certificate, unless a feature that should be in is not.
  virtual void offer(const PenalisedSolution& point) = 0;
  /// Second derivatives of the loss by the coefficients of this support, where the follower stands.
  virtual std::vector<double> curvature_of_support(const PenalisedSolution& point) const = 0;

  const Design& design() const override { return problem_.X; }
  const PenalisedLoss& problem() const { return problem_; }
  /// The smallest penalty at which nothing enters; known after start() and its check.
  double largest_penalty() const { return largest_penalty_; }
  const std::vector<PenalisedSolution>& solutions() const { return solutions_; }
  /// Hands the solutions over; accepted() is then 0.
  std::vector<PenalisedSolution> release_solutions() { return std::exchange(solutions_, {}); }
  Index accepted() const { return std::ssize(solutions_); }
  /// Loss of the null model above that of a perfect fit: half its mean deviance.
  double null_loss() const { return null_loss_; }
  bool failed() const { return failed_; }
  /// From now on the same tolerance everywhere.
  void set_tolerance(double tolerance) {
    settings_.tolerance = tolerance;
    settings_.dense_tolerance = 0;
  }

 protected:
  Follower(PenalisedLoss problem, FollowSettings settings) : problem_(std::move(problem)), settings_(settings) {}
  double strength(Index j, double penalty) const { return penalty * problem_.factor(j); }

  PenalisedLoss problem_;
  FollowSettings settings_;
  double largest_penalty_ = 0;
  double null_loss_ = 0;
  bool failed_ = false;
  std::vector<PenalisedSolution> solutions_;
};

}  // namespace tamis
