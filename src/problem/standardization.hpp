// The scale on which a method works: columns centered (with an intercept) and of unit standard deviation (if
// standardized), weights that sum to one; and the way back to the original scale.
#pragma once

#include <memory>
#include <vector>

#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class Standardization {
 public:
  explicit Standardization(const Problem& problem);

  const Design& X() const { return design_; }
  const std::vector<double>& weights() const { return weights_; }  ///< sum to one
  double total_weight() const { return total_weight_; }            ///< of the original weights
  /// Turns a coefficient of working column j into one of the original column.
  double to_original(Index j, double coefficient) const;
  /// Mean that was subtracted from original column j.
  double center(Index j) const { return design_.center()[j]; }
  /// What original column j was divided by; 0: the column is constant and became zero.
  double scale(Index j) const { return design_.scale()[j]; }
  /// What a gradient by the intercept is multiplied with before it is compared with those by coefficients: the spread
  /// of the largest column of X(), at most 1. Columns of 1e-60 have gradients of that size; the intercept's, which is
  /// never below the rounding error of the response, would drown them.
  double intercept_unit() const { return intercept_unit_; }

 private:
  struct Divisors {
    std::shared_ptr<const ColumnMoments> moments;
    double largest_spread = 1;  ///< of what is left, at most 1
  };
  static Divisors divisors_of(const Problem& problem);
  Standardization(const Problem& problem, Divisors divisors);

  std::vector<double> weights_;
  double total_weight_ = 0;
  StandardizedDesign design_;
  double intercept_unit_ = 1;
};

}  // namespace tamis
