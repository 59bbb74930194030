// MomentMeanField: the mean field of a gaussian problem with many more rows than features, from cross-products alone. X
// is read once for X'WX; all features are the working set, so nothing is left to be checked and nothing can
// interpolate, and a fold's products are the
// whole's minus the held-out rows'.
#pragma once

#include "design/cross_products.hpp"
#include "method/mean_field/mean_field_path_base.hpp"
#include "method/mean_field/mean_field_sweep.hpp"

namespace tamis {

class MomentMeanField final : public MeanFieldPathBase {
 public:
  /// `held_out` are the products of the held-out rows; nullptr: none. Both must outlive this.
  MomentMeanField(MeanFieldProblem problem, const CrossProducts<double>& total, const CrossProducts<float>* held_out);

  void start(const MeanFieldParameters& hyper) override;
  /// All of `priors` at once: between calls the Gram matrix is given back, so that folds take turns with the memory.
  void solve_block(std::span<const SpikeSlab> priors,
                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  std::vector<MeanFieldPoint> solve_on_working_set(std::span<const SpikeSlab> priors,
                                                   std::span<const MeanFieldPoint> warm_start_candidates = {}) override;
  double present_free_energy() const override { return present_.free_energy; }
  MeanFieldPoint present_point() const override { return present_; }
  void restart(const MeanFieldPoint& from) override;
  FeaturePosteriors state() const override;

 private:
  void solve(MeanFieldSweep& field, const SpikeSlab& prior);
  void sweep_to_convergence(MeanFieldSweep& field, bool traces);
  void solve_point(MeanFieldSweep& field, const SpikeSlab& prior, const MeanFieldPoint* candidate);
  MeanFieldSweep make_field() const;
  void set_state(MeanFieldSweep& field, const MeanFieldPoint& point) const;
  MeanFieldPoint point_of(const MeanFieldSweep& field) const;
  double held_out_error(std::span<const double> coefficients) const;

  const CrossProducts<float>* held_out_;
  CenteredProducts products_;
  std::vector<Index> features_;
  MeanFieldParameters hyper_;
  MeanFieldPoint present_;
  FeaturePosteriors all_;  // of the last point, when recording
};

}  // namespace tamis
