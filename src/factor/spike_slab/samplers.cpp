#include "factor/spike_slab/samplers.hpp"

#include "factor/model/initial_intercepts.hpp"
#include "factor/point/short_l1_fit.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {

// Scores in the spike with probability 1/2, the others of unit size; loadings of size 0.1, so that psi is near the
// intercepts whatever K. Every row has a stream of its own.
FactorState SpikeSlabSampler::start() {
  if (start_ == ChainStart::l1) return short_l1_fit(task_, key_.chain, task_.control.observer);
  FactorState state(cells_, task_.problem.factors, task_.problem.intercept);
  parallel_for(state.rows, rows_per_task, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) {
      RandomStream random = key_.stream(0, ChainKey::start, n);
      double* v = state.score_row(n);
      for (Index k = 0; k < state.factors; ++k) v[k] = random.uniform01() < 0.5 ? random.normal() : 0;
    }
  });
  RandomStream random = key_.stream(0, ChainKey::start, state.rows);
  for (double& theta : state.loadings) theta = 0.1 * random.normal();
  start_sampler_at_column_means(cells_, state);
  return state;
}

// The paper's steps 1 to 3 (section 3), with exact draws or Metropolis steps for its Laplace and slice steps, and a
// scale move. The noise is last, at the residuals of this sweep's V and Theta.
void SpikeSlabSampler::sweep(FactorState& state, Index sweep, bool) {
  draw_scores(state, sweep);
  draw_loadings(state, sweep);
  draw_slab(prior_, key_.stream(sweep, ChainKey::hyper), state);
  draw_scales(prior_, cells_.family(), key_.stream(sweep, ChainKey::scale), state);
  draw_noise(cells_, key_.stream(sweep, ChainKey::noise), state);
}

// By what the family can do, the most exact first; the Metropolis sampler needs loss and derivatives only, which every
// family has.
std::unique_ptr<SpikeSlabSampler> spike_slab_sampler(const FactorTask& task, const SlabPrior& prior,
                                                     const ChainKey& key) {
  const Family& family = task.cells.family();
  if (family.is_quadratic()) return normal_spike_slab(task, prior, key);
  if (family.augmentation() != nullptr) return augmented_spike_slab(task, prior, key);
  return metropolis_spike_slab(task, prior, key);
}

}  // namespace tamis::factor
