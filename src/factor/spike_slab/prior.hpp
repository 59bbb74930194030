// Prior spike-slab: Markov chain Monte Carlo with exact conditionals.
#pragma once

#include "tamis/factor/factor.hpp"

namespace tamis::factor {

class SpikeSlabPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "spike-slab"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool is_sampler() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

}  // namespace tamis::factor
