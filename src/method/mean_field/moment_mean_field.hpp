// TallField: the mean field of a gaussian problem with many more rows than features, from cross-products alone. X is
// read once for X'WX; all features are the working set, so nothing is left to be checked and nothing can
// interpolate, and a fold's products are the
// whole's minus the held-out rows'.
#pragma once

#include "design/cross_products.hpp"
#include "method/mean_field/mean_field_path_base.hpp"
#include "method/mean_field/mean_field_sweep.hpp"

namespace tamis {

class TallField final : public FieldPath {
 public:
  /// `held_out` are the products of the rows to leave out and to judge by; nullptr: none. Both must outlive this.
  TallField(FieldProblem problem, const CrossProducts<double>& total, const CrossProducts<float>* held_out);

  void start(const FieldHyper& hyper) override;
  /// All of `priors` at once: between calls the Gram matrix is given back, so that folds take turns with the memory.
  void solve_block(std::span<const SpikeSlab> priors, std::span<const FieldPoint> rivals = {}) override;
  std::vector<FieldPoint> explore(std::span<const SpikeSlab> priors, std::span<const FieldPoint> rivals = {}) override;
  double present_free_energy() const override { return present_.free_energy; }
  FieldPoint present_point() const override { return present_; }
  void restart(const FieldPoint& from) override;
  FieldState state() const override;

 private:
  void solve(GramField& field, const SpikeSlab& prior);
  void sweep_until_still(GramField& field, bool traces);
  void solve_point(GramField& field, const SpikeSlab& prior, const FieldPoint* rival);
  GramField make_field() const;
  void set_state(GramField& field, const FieldPoint& point) const;
  FieldPoint point_of(const GramField& field) const;
  double held_out_error(std::span<const double> coefficients) const;

  const CrossProducts<float>* held_out_;
  CentredProducts products_;
  std::vector<Index> features_;
  FieldHyper hyper_;
  FieldPoint present_;
  FieldState all_;  // of the last point, when recording
};

}  // namespace tamis
