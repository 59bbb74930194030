#include "problem/spike_slab_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Noise below this share of the response's variance is decided by rounding errors of its sums.
constexpr double least_given_noise = 1e-13;
// Variance of a logistic predictor that the features expected in explain together, a priori.
constexpr double logistic_variance = 5;

// How much a row tells of its predictor, in observations of a number with unit noise; where nobody knows, as much.
double information_of_row(const Family& family) {
  const double known = family.traits().row_information;
  return known > 0 ? known : 1;
}

std::optional<double> in_units(std::optional<double> given, double unit) {
  if (given) *given /= unit * unit;
  return given;
}

}  // namespace

SpikeSlabOptions::SpikeSlabOptions(const Options& options, const Problem& problem, const ScaledProblem& observations)
    : prior_inclusion(options.maybe_real("prior_inclusion")),
      slab_variance(in_units(options.maybe_real("slab_variance"), observations.unit())),
      noise_variance(in_units(options.maybe_real("noise_variance"), observations.unit())),
      spike_variance(*in_units(options.real("spike_variance"), observations.unit())) {
  const double unit2 = observations.unit() * observations.unit();
  if (noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(
        fmt::format("noise_variance: family {} has no noise variance; remove this option", problem.likelihood.name()));
  }
  if (noise_variance && *noise_variance < least_given_noise && observations.nothing_to_explain().empty()) {
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

SpikeSlabHyper SpikeSlabOptions::start(const ScaledProblem& observations) const {
  const auto p = static_cast<double>(observations.features());
  SpikeSlabHyper hyper;
  const double told = observations.samples() * information_of_row(observations.family());
  hyper.prior_inclusion = prior_inclusion.value_or(std::min(0.25, told / (10 * p)));
  const double expected = std::max(1.0, hyper.prior_inclusion * p);
  const double explained = observations.gaussian() ? 1.0 : logistic_variance;
  hyper.slab_variance = slab_variance.value_or(explained / (expected * observations.mean_curvature()));
  hyper.spike_variance = spike_variance;
  hyper.noise_variance = observations.gaussian() ? noise_variance.value_or(0.5) : 1.0;
  return hyper;
}

HyperPrior SpikeSlabOptions::weak_prior(const ScaledProblem& observations) const {
  HyperPrior prior;
  prior.start = start(observations);
  prior.sample_inclusion = !prior_inclusion;
  prior.inclusion_out = 1 / prior.start.prior_inclusion - 1;
  prior.sample_slab = !slab_variance;
  prior.slab_scale = prior.start.slab_variance;
  prior.sample_noise = observations.gaussian() && !noise_variance;
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
