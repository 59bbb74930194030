// Spike and slab for families with an augmentation, such as bernoulli by Polya-Gamma variables (Polson, Scott & Windle
// 2013, JASA 108): given omega_nd the row is gaussian with weights omega and linear terms x - 1/2,
//   a = sum_d theta_kd (x_d - 1/2 - omega_d psi_d without k),   b = sum_d omega_d theta_kd^2,
// and both (z, v) and Theta have exact conditionals. The paper's Laplace approximation of Eq. 6 is biased here, by .019
// in P(z = 1) on a small model.
//
// omega is drawn once per sweep, with the scores of its row, and used again for Theta: omega | V, Theta, then V |
// omega, Theta, then Theta | omega, V is a Gibbs sweep on (V, Theta, omega). Cost: N D draws of PG(1, psi) and 8 N D
// bytes.
#include "base/scratch.hpp"
#include "factor/sampling/loading_columns.hpp"
#include "factor/sampling/score_rows.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

// Given the augmentation's precision omega of every cell the model is gaussian with weights omega.
class AugmentedSpikeSlab : public SpikeSlabSampler {
 public:
  AugmentedSpikeSlab(const FactorTask& task, const SlabPrior& prior, const ChainKey& key)
      : SpikeSlabSampler(task, prior, key), weights_(task.cells.rows() * task.cells.cols()) {}

  void draw_scores(FactorState& state, Index sweep) override {
    const SlabTerms slab(state);
    const Augmentation& augmentation = *cells().family().augmentation();
    parallel_for(cells().rows(), rows_per_task, [&](Index first, Index last) {
      const Scratch r(cells().cols()), scratch(cells().cols());
      for (Index n = first; n < last; ++n) {
        RandomStream random = key().stream(sweep, ChainKey::scores, n);
        double* w = weights_.data() + n * cells().cols();
        const double* x = cells().row(n, scratch.data());
        state.predictor_row(n, r.data());
        const auto missing = cells().missing_in_row(n);
        auto hole = missing.begin();
        for (Index d = 0; d < cells().cols(); ++d) {
          const bool is_hole = hole != missing.end() && *hole == d;
          if (is_hole) ++hole;
          // r = w (t - psi) with t = shift / w: formed without the quotient, as omega can be tiny.
          w[d] = is_hole ? 0 : augmentation.draw_precision(x[d], 1, r[d], random);
          r[d] = is_hole ? 0 : augmentation.shift(x[d], 1) - w[d] * r[d];
        }
        draw_weighted_row(state, slab, w, r.data(), state.score_row(n), random);
      }
    });
  }

  void draw_loadings(FactorState& state, Index sweep) override {
    draw_augmented_loadings(cells(), weights_, key(), sweep, state);
  }

 private:
  std::vector<double> weights_;  // omega, row by row; 0: missing
};

}  // namespace

std::unique_ptr<SpikeSlabSampler> augmented_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                       const ChainKey& key) {
  return std::make_unique<AugmentedSpikeSlab>(task, prior, key);
}

}  // namespace tamis::factor
