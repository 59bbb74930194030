// The samplers of the spike-and-slab prior, by which conditionals of the family have a closed form.
#pragma once

#include <memory>

#include "factor/model/task.hpp"
#include "factor/sampling/sampler.hpp"
#include "factor/sampling/slab.hpp"

namespace tamis::factor {

inline constexpr Index rows_per_task = 32;

/// Where a chain begins: at random, or at a short L1 fit, which many factors need (from a random start they share
/// the data out evenly and are slow to specialize).
enum class ChainStart { random, l1 };

/// A sweep: scores with their indicators, loadings, then what all samplers share.
class SpikeSlabSampler : public Sampler {
 public:
  SpikeSlabSampler(const FactorTask& task, const SlabPrior& prior, const ChainKey& key)
      : task_(task), cells_(task.cells), prior_(prior), key_(key) {}

  void begin_at(ChainStart place) { start_ = place; }
  FactorState start() override;
  void sweep(FactorState& state, Index sweep, bool burning) override;
  virtual void draw_scores(FactorState& state, Index sweep) = 0;
  /// Given the scores (and the augmentation that they were drawn with, if there is one).
  virtual void draw_loadings(FactorState& state, Index sweep) = 0;

 protected:
  const Cells& cells() const { return cells_; }
  const ChainKey& key() const { return key_; }

 private:
  const FactorTask& task_;
  const Cells& cells_;
  SlabPrior prior_;
  ChainKey key_;
  ChainStart start_ = ChainStart::random;
};

/// For a quadratic loss.
std::unique_ptr<SpikeSlabSampler> normal_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                    const ChainKey& key);
/// For a family with an augmentation.
std::unique_ptr<SpikeSlabSampler> augmented_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                       const ChainKey& key);
/// For any family.
std::unique_ptr<SpikeSlabSampler> metropolis_spike_slab(const FactorTask& task, const SlabPrior& prior,
                                                        const ChainKey& key);
/// The one for the task's family.
std::unique_ptr<SpikeSlabSampler> spike_slab_sampler(const FactorTask& task, const SlabPrior& prior,
                                                     const ChainKey& key);

}  // namespace tamis::factor
