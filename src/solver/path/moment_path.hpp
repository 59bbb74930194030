// MomentPath: the path of a quadratic loss from cross-products alone. With many more rows than features X is read once
// for X'WX and never again: every correlation, loss and duality gap along the path follows from p x p numbers, and so
// do those of a cross-validation fold, whose products are the total's minus those of the held-out rows.
#pragma once

#include <memory>
#include <vector>

#include "design/cross_products.hpp"
#include "solver/descent/working_model.hpp"
#include "solver/path/penalty_path.hpp"

namespace tamis {

class MomentPath final : public PenaltyPath {
 public:
  /// `held_out` are the products of the validation rows, which are left out of the fit; nullptr: none. Both must
  /// outlive this.
  MomentPath(PenalizedLoss problem, PathSettings settings, const CrossProducts<double>& total,
             const CrossProducts<float>* held_out);

  void start() override;
  void solve_block(std::span<const double> grid) override;
  void restart(const PenalizedSolution& from) override;
  void offer(const PenalizedSolution& point) override;
  std::vector<double> curvature_of_support(const PenalizedSolution& point) const override;

 private:
  /// The single-precision Gram matrix of the descent; made for a block and, for folds, freed after it.
  void make_gram();
  void release_gram();
  void take_gradient();
  void set_penalty(double penalty, double tolerance);
  double violation(double penalty) const;
  bool solve(double penalty);
  std::vector<double> extrapolate(double penalty);
  void accept_point(double penalty);
  double held_out_error(const PenalizedSolution& point) const;
  /// G b of packed products, added to `out` with the sign of `scale`.
  template <class Number>
  void add_product(const CrossProducts<Number>& products, double scale, std::span<double> out) const;

  const CrossProducts<double>& total_;
  const CrossProducts<float>* held_out_;
  Index p_;
  CenteredProducts products_;  // of the training rows
  GramModel gram_;             // of the training rows; folds take turns with the memory, a block each
  CoordinatePenalty penalty_;
  std::vector<double> b_, g_, previous_b_;
  std::vector<double> held_out_product_;  // X'WX b of the held-out rows
  double previous_penalty_ = 0, last_penalty_ = 0;
};

}  // namespace tamis
