#include "bench/sampler.hpp"

#include <algorithm>

#include "fit/chain_diagnostics.hpp"
#include "tamis/method/method.hpp"

namespace tamis::bench {
namespace {

Fit sample(const Problem& problem, Index chains, Index samples, const Control& control) {
  return fit(
      {.X = problem.X(), .y = problem.y(), .likelihood = problem.family(), .intercept = false, .standardize = false},
      "gibbs",
      {{"prior_inclusion", 0.2},
       {"slab_variance", 1.0},
       {"noise_variance", 1.0},
       {"chains", static_cast<double>(chains)},
       {"samples", static_cast<double>(samples)},
       {"burn_in", 0.0}},
      control);
}

}  // namespace

Measured run_sampler(const Problem& problem, int threads, Index chains, Index samples) {
  return measure([&] { sample(problem, chains, samples, {.threads = threads}); });
}

void write_draws_of_one_chain(const Problem& problem, Index samples, const std::string& file) {
  Draws draws;
  sample(problem, 1, samples, {.threads = 1, .draws = &draws});
  write_doubles(file, draws.posterior.front().values);
}

double median_effective_size(const std::string& file, Index features) {
  const std::vector<double> draws = read_doubles(file);
  const Index p = features;
  std::vector<double> sizes;
  for (Index j = 0; j < p; ++j) {
    std::vector<std::vector<double>> chain(1);
    for (Index k = j; k < std::ssize(draws); k += p) chain.front().push_back(draws[k]);
    sizes.push_back(effective_sample_size(chain));
  }
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(p / 2));
  return sizes[p / 2];
}

}  // namespace tamis::bench
