// (G + shift I) x = g for one symmetric positive semidefinite G, one g, and any number of shifts.
//
// The Krylov space of G and g is the same for every shift, so one Lanczos process serves a whole ridge path: each
// shift costs a tridiagonal system, and a larger shift needs fewer steps. The basis is kept orthogonal to machine
// precision (Gram-Schmidt twice), so that the recurrence ends after rank(G) steps at the latest.
// An eigendecomposition gives the same for about ten times the work. Golub & Van Loan, Matrix Computations, ch. 10.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

class ShiftedLanczos {
 public:
  /// out = G v
  using Operator = std::function<void(std::span<const double> v, std::span<double> out)>;

  ShiftedLanczos(Operator multiply, std::span<const double> g);

  /// Takes steps until |(G + shift I) x - g| <= tolerance |g|, or until the space is exhausted or `max_steps` long.
  /// Returns whether the residual is small enough.
  bool extend(double shift, double tolerance, Index max_steps);
  /// The solution in the present space.
  void solve(double shift, std::span<double> x) const;
  /// Its residual relative to |g|.
  double residual(double shift) const;
  /// Estimate of the largest eigenvalue of G whose eigenvector g is not orthogonal to; accurate after a few steps.
  double largest_eigenvalue() const;
  Index steps() const { return std::ssize(diagonal_); }

 private:
  void step();
  std::vector<double> tridiagonal_solution(double shift) const;

  Operator multiply_;
  Index size_;
  double norm_;                   // of g
  double largest_ = 0;            // length of an image so far: what rounding is compared with
  bool exhausted_ = false;        // the space contains every solution
  std::vector<double> basis_;     // columns q_1, q_2, ..., of the next step included
  std::vector<double> diagonal_;  // of T
  std::vector<double> off_;       // off_[k] couples q_k and q_(k+1)
};

}  // namespace tamis
