// The samplers of the spike-and-slab prior, one for each family.
#pragma once

#include <memory>

#include "factor/sampling/sampler.hpp"
#include "factor/sampling/slab.hpp"
#include "factor/task.hpp"

namespace tamis::factor {

inline constexpr Index rows_per_task = 32;

/// A sweep: scores with their indicators, loadings, then what all families share.
class SpikeSlabSampler : public Sampler {
 public:
  SpikeSlabSampler(const FactorTask& task, const SlabPrior& prior, const ChainKey& key)
      : task_(task), cells_(task.cells), prior_(prior), key_(key) {}

  FactorState start() override;
  void sweep(FactorState& state, Index sweep, bool burning) override;
  virtual void draw_scores(FactorState& state, Index sweep) = 0;
  /// Given the scores (and, for binary data, the augmentation that they were drawn with).
  virtual void draw_loadings(FactorState& state, Index sweep) = 0;

 protected:
  const Cells& cells() const { return cells_; }
  const ChainKey& key() const { return key_; }

 private:
  const FactorTask& task_;
  const Cells& cells_;
  SlabPrior prior_;
  ChainKey key_;
};

std::unique_ptr<SpikeSlabSampler> gaussian_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                      const ChainKey& key);
std::unique_ptr<SpikeSlabSampler> bernoulli_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                       const ChainKey& key);
std::unique_ptr<SpikeSlabSampler> poisson_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                     const ChainKey& key);
/// The one for the task's family.
std::unique_ptr<SpikeSlabSampler> spike_slab_sampler(const FactorTask& task, const SlabPrior& prior,
                                                     const ChainKey& key);

}  // namespace tamis::factor
