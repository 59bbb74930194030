// Hyperparameters of spike-and-slab methods: given ones checked, others with defaults, in units of ScaledProblem.
//
// Inclusion  min(1/4, information / (10 p)): one feature per ten observations' worth of information. A gaussian row
//            counts as one; a bernoulli row as 1/4, the Fisher information of its log odds at even odds.
// Slab       lets the expected number of features together explain the whole response: their number times the mean
//            squared feature times the slab variance is 1 for gaussian, in units of the response, and 5 for the
//            logistic predictor (one standard deviation, 2.2, is a probability of 0.9).
// Noise      half of the response's variance to start with.
// Samplers   get the same values as weak proper hyper-priors, so that the posterior exists whatever the data.
#include "problem/spike_slab_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Below this share of the response's variance, residual sums of squares are rounding error.
constexpr double least_given_noise = 1e-13;
// Prior variance of the logistic linear predictor, explained by the features expected to be included.
constexpr double logistic_variance = 5;

// Fisher information of a row about its linear predictor (bernoulli: p (1 - p) at even odds), 1 where it is not known.
double information_of_row(const Family& family) {
  const double known = family.traits().row_information;
  return known > 0 ? known : 1;
}

std::optional<double> in_units(std::optional<double> given, double unit) {
  if (given) *given /= unit * unit;
  return given;
}

}  // namespace

SpikeSlabOptions::SpikeSlabOptions(const Options& options, const Problem& problem, const ScaledProblem& scaled)
    : prior_inclusion(options.maybe_real("prior_inclusion")),
      slab_variance(in_units(options.maybe_real("slab_variance"), scaled.unit())),
      noise_variance(in_units(options.maybe_real("noise_variance"), scaled.unit())),
      spike_variance(*in_units(options.real("spike_variance"), scaled.unit())) {
  const double unit2 = scaled.unit() * scaled.unit();
  if (noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(
        fmt::format("noise_variance: family {} has no noise variance; remove this option", problem.likelihood.name()));
  }
  if (noise_variance && *noise_variance < least_given_noise && scaled.nothing_to_explain().empty()) {
    throw InvalidOption(
        fmt::format("noise_variance: received {:.3g}, which is {:.1g} times the variance of the response; expected at "
                    "least {:.0e} times, below which rounding errors dominate",
                    *noise_variance * unit2, *noise_variance, least_given_noise));
  }
  if (slab_variance && spike_variance >= *slab_variance) {
    throw InvalidOption(fmt::format("spike_variance: received {:.3g}; expected less than slab_variance ({:.3g})",
                                    spike_variance * unit2, *slab_variance * unit2));
  }
}

SpikeSlabHyper SpikeSlabOptions::start(const ScaledProblem& scaled) const {
  const auto p = static_cast<double>(scaled.features());
  SpikeSlabHyper hyper;
  const double information = scaled.samples() * information_of_row(scaled.family());
  hyper.prior_inclusion = prior_inclusion.value_or(std::min(0.25, information / (10 * p)));
  const double expected = std::max(1.0, hyper.prior_inclusion * p);
  const double explained = scaled.gaussian() ? 1.0 : logistic_variance;
  hyper.slab_variance = slab_variance.value_or(explained / (expected * scaled.mean_curvature()));
  hyper.spike_variance = spike_variance;
  hyper.noise_variance = scaled.gaussian() ? noise_variance.value_or(0.5) : 1.0;
  return hyper;
}

HyperPrior SpikeSlabOptions::weak_prior(const ScaledProblem& scaled) const {
  HyperPrior prior;
  prior.start = start(scaled);
  prior.sample_inclusion = !prior_inclusion;
  prior.inclusion_out = 1 / prior.start.prior_inclusion - 1;
  prior.sample_slab = !slab_variance;
  prior.slab_scale = prior.start.slab_variance;
  prior.sample_noise = scaled.gaussian() && !noise_variance;
  prior.noise_scale = 0.05;
  return prior;
}

std::vector<Field> spike_slab_fields(const std::string& otherwise) {
  return {
      Field::real("prior_inclusion", "prior probability that a feature is included; default: " + otherwise, {}, 0, 1,
                  /*open_minimum=*/true),
      Field::real("slab_variance",
                  "prior variance of an included coefficient, for standardized columns; default: " + otherwise, {}, 0,
                  1e300, true),
      Field::real("spike_variance", "prior variance of an excluded coefficient; 0: point mass at zero", 0.0, 0, 1e300),
      Field::real("noise_variance", "noise variance of family gaussian; default: " + otherwise, {}, 0, 1e300, true),
  };
}

}  // namespace tamis
