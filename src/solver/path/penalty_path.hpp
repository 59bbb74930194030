// PenaltyPath: one penalized problem along a decreasing penalty. LassoPath streams X; MomentPath needs cross-products
// only.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "solver/path/penalized_loss.hpp"
#include "solver/path/screened_problem.hpp"

namespace tamis {

struct PathSettings {
  double tolerance = 1e-5;        ///< of the KKT conditions, relative to penalty * l1_ratio * factor
  double dense_tolerance = 0;     ///< the tolerance grows to this where 500 features are in play
  Index longest_block = 8;        ///< penalties per pass at most
  Index check_every = 1;          ///< one in so many penalties of a block is checked on all features, the last always
  Index max_sweeps = 40;          ///< sweeps of coordinate descent before a Newton step on the support, at most
  Index max_newton = 200;         ///< quadratic models per penalty
  double gram_share = 0.023;      ///< memory for Gram matrices, as a share of X
  bool keep_coefficients = true;  ///< in solutions(); a fold needs its errors only

  /// On a Gram matrix a Newton step on k coefficients costs as much as some k / 16 sweeps over them: small ones are
  /// worth trying early.
  Index max_sweeps_for(std::span<const double> b) const {
    const Index active = std::ranges::count_if(b, [](double x) { return x != 0; });
    return std::clamp<Index>(active / 16, std::min<Index>(8, max_sweeps), max_sweeps);
  }

  /// A path point is a warm start for the next. With few features exactness costs nothing; with hundreds the last
  /// digits cost most of the time, so the tolerance grows with the square of their number up to 500, linearly above.
  double tolerance_for(Index features) const {
    const double k = static_cast<double>(features) / 500;
    return std::max(tolerance, dense_tolerance * std::min(k < 1 ? k * k : k, 6.0));
  }
};

class PenaltyPath : public ScreenedProblem {
 public:
  PenaltyPath(const PenaltyPath&) = delete;
  PenaltyPath& operator=(const PenaltyPath&) = delete;

  /// Solves the null model: the intercept and the unpenalized features.
  virtual void start() = 0;
  /// Solves the next penalties of `grid` after those already accepted, one block at most.
  virtual void solve_block(std::span<const double> grid) = 0;
  /// Chooses some penalties behind the block that awaits its check; solve_lookahead() may solve them concurrently with
  /// the screening pass. Afterwards solve_block() completes their block. By default nothing is solved ahead.
  virtual void plan_lookahead(std::span<const double> grid) { (void)grid; }
  virtual void solve_lookahead() {}
  /// Forgets all solutions and continues from this one (of the same problem, at its penalty).
  virtual void restart(const PenalizedSolution& from) = 0;
  /// As restart(), but the next check takes this support and these values as they are: they become a solution with its
  /// own intercept, loss and certificate, unless a feature that should be in is not.
  virtual void offer(const PenalizedSolution& point) = 0;
  /// Second derivatives of the loss by the coefficients of this support, at the present coefficients.
  virtual std::vector<double> curvature_of_support(const PenalizedSolution& point) const = 0;

  const Design& design() const override { return problem_.X; }
  const PenalizedLoss& problem() const { return problem_; }
  /// The smallest penalty at which nothing enters; known after start() and its check.
  double largest_penalty() const { return largest_penalty_; }
  const std::vector<PenalizedSolution>& solutions() const { return solutions_; }
  /// Hands the solutions over; accepted() is then 0.
  std::vector<PenalizedSolution> release_solutions() { return std::exchange(solutions_, {}); }
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
  PenaltyPath(PenalizedLoss problem, PathSettings settings) : problem_(std::move(problem)), settings_(settings) {}
  double strength(Index j, double penalty) const { return penalty * problem_.factor(j); }

  PenalizedLoss problem_;
  PathSettings settings_;
  double largest_penalty_ = 0;
  double null_loss_ = 0;
  bool failed_ = false;
  std::vector<PenalizedSolution> solutions_;
};

}  // namespace tamis
