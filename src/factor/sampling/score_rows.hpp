// The hot loop: (z, v) of every factor of one row, drawn exactly from their joint conditional. With the linear term a
// and the curvature b of the row's log likelihood in v_k, P = tau + b and m = (tau mu + a) / P:
//   logit P(z = 1) = logit pi + 1/2 log(tau / P) + 1/2 m^2 P - 1/2 tau mu^2,  v | z = 1 ~ N(m, 1 / P).
#pragma once

#include "factor/model/state.hpp"
#include "factor/sampling/slab.hpp"

namespace tamis::factor {

/// Row with weights: log likelihood -1/2 sum_d w_d (t_d - psi_d)^2. `r` holds w (t - psi) and is kept in step with v.
void draw_weighted_row(const FactorState& state, const SlabTerms& slab, const double* w, double* r, double* v,
                       RandomStream& random);

/// All rows of a gaussian model without missing cells: the rows share the Gram matrix of the loadings, so a factor that
/// stays in the spike costs a comparison, and one that changes a column of the Gram matrix.
class GramRows {
 public:
  GramRows(const FactorState& state, const SlabTerms& slab);
  /// Writes Theta x for `count` rows of x (row by row) into `products` (count x factors).
  void products(const double* x, Index count, double* products) const;
  /// `g` is the row's part of products(), overwritten.
  void draw(double* g, double* v, RandomStream& random) const;

 private:
  const FactorState* state_;
  const SlabTerms* slab_;
  std::vector<double> gram_;          // factors x factors, over the noise variance
  std::vector<double> shift_;         // Theta intercept / noise variance
  std::vector<double> half_inverse_;  // 1 / (2 P)
  std::vector<double> log_odds_;      // with -1/2 log P
  std::vector<double> deviation_;     // 1 / sqrt(P)
};

}  // namespace tamis::factor
