// Gaussian ridge from moments alone: A'WA, A'W1 and A'Wy of the full data and of every training set. After these,
// neither a penalty nor a fold touches the rows again: a penalty is a shift of one Lanczos process per problem, and the
// held-out error is a quadratic form in the held-out moments.
#pragma once

#include <optional>

#include "linalg/shifted_lanczos.hpp"
#include "method/ridge/ridge_solver.hpp"

namespace tamis {

/// Weighted moments of the columns A, the constant 1 and the response t.
struct Moments {
  Matrix gram;                // A'WA
  std::vector<double> sums;   // A'W1
  std::vector<double> cross;  // A'Wt
  double total = 0;           // 1'W1
  double response = 0;        // 1'Wt
  double squares = 0;         // t'Wt

  /// Weighted squared error of intercept + A s.
  double squared_error(const RidgeSolution& s) const;
};

/// One ridge problem: unpenalized columns and the intercept are eliminated exactly. The Krylov space grows with
/// extend() and serves every penalty; solutions at smaller penalties need more of it.
class MomentSystem {
 public:
  MomentSystem(const Moments& moments, bool intercept, std::span<const double> penalized);

  /// Extends the Lanczos process until the relative residual at this penalty is small.
  bool extend(double penalty, double tolerance);
  RidgeSolution solve(double penalty) const;
  double residual(double penalty) const { return lanczos_->residual(penalty); }
  double largest_curvature();
  double null_gradient() const;
  /// Minimum of the penalized loss at the solution.
  double objective(double penalty) const;
  /// Solves for another gradient: of the columns, and of the intercept.
  RidgeSolution correct(double penalty, std::vector<double> gradient, double intercept_gradient,
                        double tolerance) const;

 private:
  void multiply(std::span<const double> v, std::span<double> out) const;
  std::vector<double> free_gradient(std::span<const double> gradient, double intercept_gradient) const;
  std::vector<double> eliminate(std::vector<double> gradient, std::span<const double> free) const;
  RidgeSolution with_free(std::vector<double> s, std::span<const double> free) const;
  std::vector<double> apply_inverse(std::span<const double> free) const;

  const Moments& moments_;
  bool intercept_;
  std::span<const double> penalized_;
  std::vector<Index> free_;  // unpenalized columns
  Matrix coupling_;          // one column per eliminated unknown: its products with the columns
  Matrix inverse_;           // pseudo-inverse of the eliminated unknowns' own moments
  std::vector<double> reduced_;
  std::optional<ShiftedLanczos> lanczos_;
};

/// Most columns for which moments are kept: memory is their square, per fold.
constexpr Index max_moment_columns = 2000;

std::unique_ptr<RidgeSolver> make_moment_solver(const Problem& problem, const RidgeBasis& basis, const Folds& folds);

}  // namespace tamis
