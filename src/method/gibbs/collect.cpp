#include "method/gibbs/collect.hpp"

#include <fmt/format.h>

#include <cmath>

#include "method/gibbs/summary.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr double most_bytes = 4e9;

DrawnVariable scalar(std::string name, const GibbsRun& run, SeriesName which, double factor, double shift = 0) {
  DrawnVariable variable{.name = std::move(name)};
  for (const std::vector<double>& chain : chains_of(run.tallies(), which)) {
    for (const double x : chain) variable.values.push_back(factor * x + shift);
  }
  return variable;
}

}  // namespace

void check_size_of_draws(const GibbsPlan& plan, const ScaledProblem& scaled) {
  // Coefficients and inclusion of every column.
  const double bytes = 2.0 * sizeof(double) * static_cast<double>(plan.chains) * static_cast<double>(plan.samples) *
                       static_cast<double>(scaled.X().cols());
  if (bytes <= most_bytes) return;
  throw InvalidOption(fmt::format(
      "draws: {} chains of {} samples of {} features take {:.3g} GB; expected at most {:.0f} GB; reduce samples",
      plan.chains, plan.samples, scaled.X().cols(), bytes / 1e9, most_bytes / 1e9));
}

Draws collect_draws(const GibbsRun& run, const HyperPrior& prior, const ScaledProblem& scaled,
                    std::vector<std::string> feature_names) {
  const Index p = scaled.X().cols();
  const Index kept = scaled.features();
  Draws draws{.chains = std::ssize(run.tallies()),
              .samples = run.tallies().front().recorded(),
              .features = std::move(feature_names)};
  DrawnVariable coefficients{.name = "coefficients", .items = p, .listed = true};
  DrawnVariable inclusion{.name = "inclusion", .items = p, .listed = true};
  DrawnVariable intercept{.name = "intercept"};
  std::vector<double> b(kept), in(kept);
  for (const ChainDraws& chain : run.draws()) {
    for (Index s = 0; s < std::ssize(chain.intercept); ++s) {
      for (Index k = 0; k < kept; ++k) {
        b[k] = scaled.original_coefficient(k, chain.coefficients[s * kept + k]);
        in[k] = chain.included[s * kept + k];
      }
      intercept.values.push_back(scaled.original_intercept(chain.intercept[s], b));
      const std::vector<double> all = scaled.scatter(b, 0), all_in = scaled.scatter(in, 0);
      coefficients.values.insert(coefficients.values.end(), all.begin(), all.end());
      inclusion.values.insert(inclusion.values.end(), all_in.begin(), all_in.end());
    }
  }
  draws.posterior = {std::move(coefficients), std::move(inclusion), std::move(intercept)};
  const double unit = scaled.unit();
  if (prior.sample_noise) {
    draws.posterior.push_back(scalar("noise_variance", run, &ChainSeries::noise_variance, unit * unit));
  }
  if (prior.sample_slab) {
    draws.posterior.push_back(scalar("slab_variance", run, &ChainSeries::slab_variance, unit * unit));
  }
  if (prior.sample_inclusion) {
    draws.posterior.push_back(scalar("prior_inclusion", run, &ChainSeries::prior_inclusion, 1));
  }
  draws.statistics = {scalar("log_likelihood", run, &ChainSeries::log_likelihood, 1, scaled.log_density_shift()),
                      scalar("size", run, &ChainSeries::size, 1)};
  return draws;
}

}  // namespace tamis
