// Ridge-penalized losses of any likelihood by truncated Newton, several problems on the same columns at once.
//
// Each problem minimizes sum_i weights_i loss(y_i, offset_i + b0 + a_i's) + penalty/2 sum_j penalized_j s_j^2 with its
// own weights. All take their Newton steps together, and inside a step their conjugate gradients: every pass over the
// columns serves all problems that still need one (folds of a cross-validation cost little more than one fit). The
// intercept is eliminated exactly. A preconditioner made from a Gram matrix (or from column norms) is shared.
#pragma once

#include <span>
#include <vector>

#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

/// M = rotation diag(curvature * scale + penalty) rotation', near the Hessian of a loss of that mean curvature.
struct RidgeMetric {
  std::vector<double> scale;  ///< eigenvalues of the weighted Gram matrix, or its diagonal
  Matrix rotation = {};       ///< eigenvectors; empty: identity
};

class BatchedNewtonCg {
 public:
  struct Setting {
    const Design& A;
    const Family& likelihood;
    std::span<const double> y;
    std::span<const double> offset = {};  ///< empty: zeros
    bool intercept = true;
    double intercept_unit = 1;          ///< its gradient times this compares with those of the columns
    std::span<const double> penalized;  ///< per column: 1, or 0 for a free one
    RidgeMetric metric;
    Index max_newton = 60;
    Index max_conjugate = 500;  ///< steps of conjugate gradients per Newton step
  };
  /// One problem per list of weights (each summing to one); all start at the null model without free columns.
  BatchedNewtonCg(Setting setting, const std::vector<std::vector<double>>& weights);

  Index size() const { return std::ssize(members_); }
  /// Takes the first `count` problems from where they are to this penalty, until each gradient is below `tolerance`
  /// relative to that of the start. False if some problem did not get there.
  bool solve(double penalty, double tolerance, Index count);

  const std::vector<double>& coefficients(Index k) const { return at(k).s; }
  double intercept(Index k) const { return at(k).b0; }
  /// Linear predictors of all rows, offset included.
  const std::vector<double>& predictor(Index k) const { return at(k).eta; }
  double objective(Index k) const { return at(k).objective; }
  double certificate(Index k) const { return at(k).relative_gradient; }
  /// Gradient of the columns and mean curvature at the present coefficients, and the gradient's norm at the start.
  const std::vector<double>& gradient(Index k) const { return at(k).gradient; }
  double mean_curvature(Index k) const { return at(k).total_curvature; }
  double start_gradient(Index k) const { return at(k).start_gradient; }

 private:
  struct Member {
    std::vector<double> weights, s, eta, residual, curvature, gradient;
    double b0 = 0, objective = 0, start_gradient = 0, relative_gradient = 1, total_curvature = 0,
           intercept_gradient = 0;
    // Of the Newton step: direction, its image, and conjugate gradients' own.
    std::vector<double> step, image, cg_residual, cg_direction, cg_direction_image;
    double step_intercept = 0, search_intercept = 0, energy = 0, stop_energy = 0;
  };

  const Member& at(Index k) const { return members_[k]; }
  void evaluate(Member& member) const;
  void profile_intercept(Member& member, double penalty) const;
  double objective_of(const Member& member, std::span<const double> s, std::span<const double> eta,
                      double penalty) const;
  void take_gradients(std::span<Member* const> members, double penalty) const;
  std::vector<double> precondition(const Member& member, std::span<const double> v, double penalty) const;
  void find_steps(std::vector<Member*> members, double penalty) const;
  void begin_step(Member& member, double penalty) const;
  bool conjugate_step(Member& member, std::span<const double> curved, double penalty) const;
  bool line_search(Member& member, double penalty) const;

  Setting setting_;
  Index n_, m_;
  std::vector<Member> members_;
};

}  // namespace tamis
