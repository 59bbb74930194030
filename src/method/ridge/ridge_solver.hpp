// What the search over ridge penalties asks of a solver. Problem 0 is the full data, the others are training sets of
// folds; penalties come in falling order. There are two: from moments (gaussian, few columns) and by Newton's method.
#pragma once

#include <memory>
#include <vector>

#include "method/ridge/ridge_basis.hpp"
#include "search/folds.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// A solution in the coordinates of RidgeBasis::columns().
struct RidgeSolution {
  std::vector<double> coefficients;
  double intercept = 0;
};

class RidgeSolver {
 public:
  virtual ~RidgeSolver() = default;
  /// The largest curvature of the null model's loss among the penalized directions that y can see; 0 if it sees none.
  virtual double largest_curvature() = 0;
  /// Norm of the null model's gradient on the full data: what gradients are compared with.
  virtual double null_gradient() const = 0;
  /// Solves every problem at this penalty; false on numerical failure or at the iteration limit.
  virtual bool solve(double penalty) = 0;
  /// Of the full data at the last penalty: penalized loss, and gradient relative to the null model's.
  virtual double objective() const = 0;
  virtual double certificate() const = 0;
  virtual RidgeSolution solution() const = 0;
  /// Mean deviance of the held-out rows of each fold at the last penalty.
  virtual std::vector<double> held_out() const = 0;
  /// The full data alone at any penalty, to this relative gradient.
  virtual RidgeSolution polish(double penalty, double tolerance) = 0;
};

/// The faster solver for this problem. Everything passed must outlive it.
std::unique_ptr<RidgeSolver> make_ridge_solver(const Problem& problem, const RidgeBasis& basis, const Folds& folds);

}  // namespace tamis
