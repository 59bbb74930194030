// WorkingResponse: the response of any family as weighted gaussian data. For gaussian it is y itself; for others the
// quadratic of the family at the present predictor. For bernoulli (Jaakkola & Jordan) that is a lower bound of the log
// density, so that updating it never raises the free energy.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

class WorkingResponse {
 public:
  /// `weights` sum to one over the rows that are learned from; `samples` is what they stand for.
  WorkingResponse(const Family& likelihood, std::span<const double> y, std::vector<double> weights, double samples);

  bool is_exact() const { return likelihood_.is_quadratic(); }
  /// Takes the family's quadratic at a linear predictor of this mean and variance.
  void update(std::span<const double> eta_mean, std::span<const double> eta_variance);

  std::span<const double> response() const { return response_; }
  std::span<const double> weights() const { return weights_; }  ///< sum to one
  double total() const { return total_; }                       ///< precision of all rows together
  double constant() const { return constant_; }                 ///< of the free energy
  /// Mean deviance of rows with these weights (which sum to one).
  double deviance(std::span<const double> eta, std::span<const double> row_weights) const;

 private:
  const Family& likelihood_;
  std::span<const double> y_;
  std::vector<double> given_;
  double samples_;
  std::vector<double> response_, weights_;
  std::vector<Index> rows_;  // that are learned from
  bool equal_ = true;        // whether they count the same
  std::vector<double> row_y_, row_mean_, row_variance_, row_weight_, row_working_;
  double total_, constant_ = 0;
};

}  // namespace tamis
