// Families with an augmentation, such as binary data.
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
