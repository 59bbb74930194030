// Several chains side by side: burn-in, averages over draws, R-hat and effective sample size of predictive
// quantities, progress, and an early end that keeps what was drawn.
#pragma once

#include <functional>
#include <memory>

#include "factor/model/task.hpp"
#include "factor/sampling/sampler.hpp"

namespace tamis::factor {

/// chains, samples, burn_in: the options that all samplers share.
std::vector<Field> chain_fields();

using SamplerFactory = std::function<std::unique_ptr<Sampler>(const ChainKey&)>;

/// `has_spike`: inclusion probabilities are a result.
void run_chains(const FactorTask& task, const SamplerFactory& make_sampler, bool has_spike, FactorResult& result);

}  // namespace tamis::factor
