// The sampler behind the continuous priors: Hamiltonian proposals row by row for the scores and column by column for
// the loadings, which are independent of each other given the rest, then conjugate draws of the hyperparameters.
#pragma once

#include <memory>

#include "factor/model/task.hpp"
#include "factor/sampling/sampler.hpp"

namespace tamis::factor {

enum class ScoreShape { laplace, exponential, gaussian };

struct HamiltonianSettings {
  ScoreShape shape = ScoreShape::laplace;
  Index leapfrog_steps = 10;
  double target_acceptance = 0.8;
  double first_step = 0.2;  ///< before it adapts
};

std::unique_ptr<Sampler> hamiltonian_sampler(const FactorTask& task, const HamiltonianSettings& settings,
                                             const ChainKey& key);

}  // namespace tamis::factor
