// Quadratic losses: every conditional is known. Rows without missing cells share the Gram matrix of the loadings.
#include "base/scratch.hpp"
#include "factor/sampling/loading_columns.hpp"
#include "factor/sampling/score_rows.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

class NormalSpikeSlab : public SpikeSlabSampler {
 public:
  using SpikeSlabSampler::SpikeSlabSampler;

  // Theta X' for 32 rows at a time by BLAS. Rows with missing cells have a Gram matrix of their own, whose making costs
  // K^2 D: for them the residual form, K D, is cheaper.
  void draw_scores(FactorState& state, Index sweep) override {
    const SlabTerms slab(state);
    const GramRows gram(state, slab);
    parallel_for(cells().rows(), rows_per_task, [&](Index first, Index last) {
      const Scratch products((last - first) * state.factors), x(cells().cols());
      const bool dense = !cells().is_sparse();
      if (dense) gram.products(cells().row(first, nullptr), last - first, products.data());
      for (Index n = first; n < last; ++n) {
        RandomStream random = key().stream(sweep, ChainKey::scores, n);
        double* g = products.data() + (n - first) * state.factors;
        if (!cells().missing_in_row(n).empty()) {
          draw_row_with_holes(state, slab, n, random);
          continue;
        }
        if (!dense) gram.products(cells().row(n, x.data()), 1, g);
        gram.draw(g, state.score_row(n), random);
      }
    });
  }

  void draw_loadings(FactorState& state, Index sweep) override { draw_normal_loadings(cells(), key(), sweep, state); }

 private:
  void draw_row_with_holes(FactorState& state, const SlabTerms& slab, Index n, RandomStream& random) const {
    const Scratch w(cells().cols()), r(cells().cols()), scratch(cells().cols());
    const double precision = 1 / state.noise_variance;
    const double* x = cells().row(n, scratch.data());
    state.predictor_row(n, r.data());
    for (Index d = 0; d < cells().cols(); ++d) {
      w[d] = precision;
      r[d] = precision * (x[d] - r[d]);
    }
    for (const std::int32_t d : cells().missing_in_row(n)) w[d] = r[d] = 0;
    draw_weighted_row(state, slab, w.data(), r.data(), state.score_row(n), random);
  }
};

}  // namespace

std::unique_ptr<SpikeSlabSampler> normal_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                    const ChainKey& key) {
  return std::make_unique<NormalSpikeSlab>(task, prior, key);
}

}  // namespace tamis::factor
