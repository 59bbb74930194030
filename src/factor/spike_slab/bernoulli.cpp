// Binary data.
#include "base/scratch.hpp"
#include "factor/sampling/loading_columns.hpp"
#include "factor/sampling/score_rows.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "family/polya_gamma.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

// With omega ~ PG(1, psi) in every cell the model is gaussian with weights omega; Polson, Scott & Windle (2013).
class BernoulliSpikeSlab : public SpikeSlabSampler {
 public:
  BernoulliSpikeSlab(const FactorTask& task, const SlabPrior& prior, const ChainKey& key)
      : SpikeSlabSampler(task, prior, key), weights_(task.cells.rows() * task.cells.cols()) {}

  void draw_scores(FactorState& state, Index sweep) override {
    const SlabTerms slab(state);
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
          w[d] = is_hole ? 0 : draw_polya_gamma(1, r[d], random);
          r[d] = is_hole ? 0 : x[d] - 0.5 - w[d] * r[d];
        }
        draw_weighted_row(state, slab, w, r.data(), state.score_row(n), random);
      }
    });
  }

  void draw_loadings(FactorState& state, Index sweep) override {
    draw_bernoulli_loadings(cells(), weights_, key(), sweep, state);
  }

 private:
  std::vector<double> weights_;  // omega, row by row; 0: missing
};

}  // namespace

std::unique_ptr<SpikeSlabSampler> bernoulli_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                       const ChainKey& key) {
  return std::make_unique<BernoulliSpikeSlab>(task, prior, key);
}

}  // namespace tamis::factor
