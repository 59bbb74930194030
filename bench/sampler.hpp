// gibbs for the benchmark: raw data, fixed hyperparameters, one chain or several.
#pragma once

#include <string>

#include "bench/measure.hpp"
#include "bench/problem.hpp"
#include "tamis/base/index.hpp"

namespace tamis::bench {

/// noise and slab of unit variance, a fifth of the features in a priori, no intercept: what the peer's model says.
Measured run_sampler(const Problem& problem, int threads, Index chains, Index samples);

/// Coefficients of one chain, draw by draw.
void write_draws_of_one_chain(const Problem& problem, Index samples, const std::string& file);

/// Median over features of the effective sample size of the coefficient, from one chain of draws in a file.
double median_effective_size(const std::string& file, Index features);

}  // namespace tamis::bench
