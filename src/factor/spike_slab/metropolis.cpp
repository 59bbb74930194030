// Spike and slab for families of which no conditional is known, such as counts: every score with its indicator, and
// every loading, takes a Metropolis step whose proposal is Laplace's approximation (sampling/coordinate_line.hpp).
//
// Cost       Each of the N K + K D coordinates evaluates its row or column about ten times, and loadings moved one at a
//            time mix more slowly than columns. A loading reads the active rows of its factor.
// Not taken  Augmentations of counts are negative-binomial limits or mixtures with error; a joint proposal of a whole
//            row of scores would have to find the right ones of 2^K indicators.
#include <cmath>
#include <limits>

#include "base/scratch.hpp"
#include "factor/sampling/coordinate_line.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

class MetropolisSpikeSlab : public SpikeSlabSampler {
 public:
  using SpikeSlabSampler::SpikeSlabSampler;

  void draw_scores(FactorState& state, Index sweep) override {
    parallel_for(cells().rows(), rows_per_task, [&](Index first, Index last) {
      for (Index n = first; n < last; ++n) draw_row(state, sweep, n);
    });
  }

  void draw_loadings(FactorState& state, Index sweep) override {
    parallel_for(cells().cols(), 8, [&](Index first, Index last) {
      for (Index d = first; d < last; ++d) draw_column(state, sweep, d);
    });
  }

 private:
  void draw_row(FactorState& state, Index sweep, Index n) const {
    RandomStream random = key().stream(sweep, ChainKey::scores, n);
    const Index cols = cells().cols();
    const Scratch base(cols), scratch(cols);
    const double* x = cells().row(n, scratch.data());
    double* v = state.score_row(n);
    state.predictor_row(n, base.data());
    const auto add = [&](double weight, const double* theta) {
      for (Index d = 0; d < cols; ++d) base[d] += weight * theta[d];
    };
    for (Index k = 0; k < state.factors; ++k) {
      const Index f = k;
      const double* theta = state.loading_row(k);
      if (v[k] != 0) add(-v[k], theta);
      const CoordinateLine line{.family = cells().family(),
                                .x = x,
                                .slope = theta,
                                .base = base.data(),
                                .count = cols,
                                .missing = cells().missing_in_row(n),
                                .prior_mean = state.means[f],
                                .prior_precision = state.precisions[f]};
      v[k] = draw_with_spike(line, logit(state.inclusion[f]), v[k], random);
      if (v[k] != 0) add(v[k], theta);
    }
  }

  // Scores of zero have slope 0: their cells do not depend on the loading, whatever it is.
  // Column d: for each factor only the rows in which it is active.
  void draw_column(FactorState& state, Index sweep, Index d) const {
    RandomStream random = key().stream(sweep, ChainKey::loadings, d);
    const std::unique_ptr<const LoadingPrior> prior = cells().family().loading_prior();
    const Index rows = cells().rows();
    const Scratch x(rows), psi(rows), some_x(rows), slope(rows), base(rows);
    cells().column(d, x.data());
    state.predictor_column(d, psi.data());
    // A missing cell has no predictor, and keeps none.
    for (const std::int32_t n : cells().missing_in_column(d)) psi[n] = std::numeric_limits<double>::quiet_NaN();
    for (Index k = 0; k < state.lines(); ++k) {
      const auto score = [&](Index n) { return k < state.factors ? state.score_row(n)[k] : 1.0; };
      double& theta = state.loading_row(k)[d];
      Index count = 0;
      for (Index n = 0; n < rows; ++n) {
        if (score(n) == 0 || std::isnan(psi[n])) continue;
        some_x[count] = x[n];
        slope[count] = score(n);
        base[count++] = psi[n] - score(n) * theta;
      }
      const CoordinateLine line{.family = cells().family(),
                                .x = some_x.data(),
                                .slope = slope.data(),
                                .base = base.data(),
                                .count = count,
                                .loading_prior = prior.get()};
      const double next = draw_continuous(line, theta, random);
      for (Index n = 0; n < rows; ++n) psi[n] += (next - theta) * score(n);
      theta = next;
    }
  }
};

}  // namespace

std::unique_ptr<SpikeSlabSampler> metropolis_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                        const ChainKey& key) {
  return std::make_unique<MetropolisSpikeSlab>(task, prior, key);
}

}  // namespace tamis::factor
