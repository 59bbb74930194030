// Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari & Gelman 2018): parameters from the prior, data
// from the parameters, draws from the posterior; then the rank of the parameter among the draws is uniform, for every
// parameter, or the sampler is wrong. Here the sampler is also told wrong priors, to see that it would be caught.
#include <gmock/gmock.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <functional>

#include "method/gibbs/chain.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr Index n = 14, p = 4;
// Ranks ask for independent draws: 12 sweeps between them leave a trace that 24,000 replicates show, 40 none.
constexpr Index replicates = 480, kept = 15, sweeps_between = 36, burn_in = 150;
constexpr double smallest_p_value = 0.01, caught_p_value = 1e-4;

double gamma(double shape, RandomStream& random) { return boost::random::gamma_distribution<double>(shape)(random); }

// Parameters, on the original scale.
struct Truth {
  SpikeSlabHyper hyper;
  std::vector<double> b = std::vector<double>(p);
  double size = 0;
};

Truth draw_truth(const HyperPrior& prior, RandomStream& random) {
  Truth truth;
  truth.hyper = prior.start;
  if (prior.sample_inclusion) {
    const double in = gamma(prior.inclusion_in, random);
    truth.hyper.prior_inclusion = in / (in + gamma(prior.inclusion_out, random));
  }
  if (prior.sample_slab) truth.hyper.slab_variance = prior.slab_scale / gamma(prior.slab_shape, random);
  if (prior.sample_noise) truth.hyper.noise_variance = prior.noise_scale / gamma(prior.noise_shape, random);
  for (double& b : truth.b) {
    const bool in = random.uniform01() < truth.hyper.prior_inclusion;
    b = std::sqrt(in ? truth.hyper.slab_variance : truth.hyper.spike_variance) * random.normal();
    truth.size += in ? 1 : 0;
  }
  return truth;
}

// The same prior in units of the response, which is how a chain sees it.
HyperPrior in_units(HyperPrior prior, double unit) {
  const double unit2 = unit * unit;
  prior.start.slab_variance /= unit2;
  prior.start.spike_variance /= unit2;
  prior.slab_scale /= unit2;
  if (prior.sample_noise) {
    prior.noise_scale /= unit2;
  }
  return prior;
}

// What is ranked: features of a parameter set.
std::vector<double> watched(const SpikeSlabHyper& hyper, std::span<const double> b, double size) {
  return {b[0], b[1] + b[2], b[3] * b[3], size, hyper.prior_inclusion, hyper.slab_variance, hyper.noise_variance};
}

// p-values that the ranks of each watched quantity are uniform.
std::vector<double> calibrate(const char* family, const HyperPrior& world, const HyperPrior& told) {
  std::vector<std::vector<double>> bins;
  for (Index r = 0; r < replicates; ++r) {
    RandomStream random(11, static_cast<std::uint64_t>(r));
    const Truth truth = draw_truth(world, random);
    Matrix X(n, p);
    for (Index j = 0; j < p; ++j) {
      random.normals(X.column(j));
      for (Index i = 0; i < n && j > 0; ++i) X(i, j) += 0.5 * X(i, j - 1);
    }
    std::vector<double> y(n);
    const bool gaussian = tamis::family(family).has_noise();
    for (Index i = 0; i < n; ++i) {
      double eta = 0;
      for (Index j = 0; j < p; ++j) eta += X(i, j) * truth.b[j];
      y[i] = gaussian ? eta + std::sqrt(truth.hyper.noise_variance) * random.normal()
                      : (random.uniform01() < logistic(eta) ? 1.0 : 0.0);
    }
    const DenseDesign design(X);
    const Problem problem{
        .X = design, .y = y, .likelihood = tamis::family(family), .intercept = false, .standardize = false};
    const ScaledProblem scaled(problem);
    const ChainData data(scaled, world.start.spike_variance == 0);
    Chain chain(data, in_units(told, scaled.unit()), /*seed=*/static_cast<std::uint64_t>(r) + 1, 1);
    const std::vector<double> true_values = watched(truth.hyper, truth.b, truth.size);
    std::vector<double> rank(true_values.size(), 0.0), ties(true_values.size(), 0.0);
    for (Index iteration = 0; iteration < burn_in + kept * sweeps_between; ++iteration) {
      chain.sweep(iteration);
      if (iteration < burn_in || (iteration - burn_in) % sweeps_between != 0) continue;
      SpikeSlabHyper hyper = chain.state().hyper;
      std::vector<double> b = chain.state().coefficients;
      for (double& value : b) value *= scaled.unit();
      hyper.slab_variance *= scaled.unit() * scaled.unit();
      if (gaussian) hyper.noise_variance *= scaled.unit() * scaled.unit();
      const std::vector<double> values = watched(hyper, b, static_cast<double>(chain.included()));
      for (std::size_t k = 0; k < values.size(); ++k) {
        rank[k] += values[k] < true_values[k] ? 1 : 0;
        ties[k] += values[k] == true_values[k] ? 1 : 0;
      }
    }
    bins.resize(rank.size(), std::vector<double>(kept + 1, 0.0));
    for (std::size_t k = 0; k < rank.size(); ++k) {
      // Equal values (a coefficient of 0) are broken by lot.
      bins[k][rank[k] + static_cast<std::size_t>(random.index(static_cast<Index>(ties[k]) + 1))] += 1;
    }
  }
  std::vector<double> p_values;
  for (const std::vector<double>& counts : bins) {
    const double expected = static_cast<double>(replicates) / (kept + 1);
    double chi_square = 0;
    for (const double c : counts) chi_square += (c - expected) * (c - expected) / expected;
    p_values.push_back(cdf(complement(boost::math::chi_squared(kept), chi_square)));
  }
  return p_values;
}

HyperPrior everything_sampled() {
  HyperPrior prior;
  prior.sample_inclusion = prior.sample_slab = prior.sample_noise = true;
  prior.inclusion_in = 2;
  prior.inclusion_out = 3;
  prior.slab_shape = 3;
  prior.slab_scale = 4;
  prior.noise_shape = 3;
  prior.noise_scale = 2;
  return prior;
}

HyperPrior for_classes(HyperPrior prior) {
  prior.sample_noise = false;
  return prior;
}

// Quantities that are fixed have no ranks: all ties, uniform by lot.
void expect_calibrated(const std::vector<double>& p_values) {
  for (std::size_t k = 0; k < p_values.size(); ++k) EXPECT_GT(p_values[k], smallest_p_value) << "quantity " << k;
}

TEST(GibbsCalibration, RanksAreUniformWithAPointMass) {
  expect_calibrated(calibrate("gaussian", everything_sampled(), everything_sampled()));
}

TEST(GibbsCalibration, RanksAreUniformWithAContinuousSpike) {
  HyperPrior prior = everything_sampled();
  prior.start.spike_variance = 0.05;
  expect_calibrated(calibrate("gaussian", prior, prior));
}

TEST(GibbsCalibration, RanksAreUniformForTwoClasses) {
  const HyperPrior prior = for_classes(everything_sampled());
  expect_calibrated(calibrate("bernoulli", prior, prior));
}

// Planted mistakes, each of the size of a slip in one update.
TEST(GibbsCalibration, AWrongUpdateIsCaught) {
  const auto smallest = [](const std::vector<double>& p_values) { return std::ranges::min(p_values); };
  HyperPrior lost_degrees = everything_sampled();
  lost_degrees.noise_shape -= 2;  // as if n - 4 observations had been counted
  EXPECT_LT(smallest(calibrate("gaussian", everything_sampled(), lost_degrees)), caught_p_value);
  HyperPrior half_squares = everything_sampled();
  half_squares.slab_scale *= 3;
  EXPECT_LT(smallest(calibrate("gaussian", everything_sampled(), half_squares)), caught_p_value);
  HyperPrior odds_upside_down = for_classes(everything_sampled());
  std::swap(odds_upside_down.inclusion_in, odds_upside_down.inclusion_out);
  EXPECT_LT(smallest(calibrate("bernoulli", for_classes(everything_sampled()), odds_upside_down)), caught_p_value);
}

}  // namespace
}  // namespace tamis
