// From the states that chains went through to Draws on the original scale.
#pragma once

#include "method/gibbs/run.hpp"
#include "tamis/fit/draws.hpp"

namespace tamis {

/// Throws InvalidOption if the draws of this plan would not fit in 4 GB, the most that an NPZ file holds.
void check_size_of_draws(const GibbsPlan& plan, const ScaledProblem& scaled);

/// posterior: coefficients and inclusion (0 or 1) of every column, intercept, and the hyperparameters that were
/// sampled; statistics: log_likelihood (as in Fit::objective) and size, the number of features in.
Draws collect_draws(const GibbsRun& run, const HyperPrior& prior, const ScaledProblem& scaled,
                    std::vector<std::string> feature_names);

}  // namespace tamis
