// gibbs against references that sum over all subsets, and what it says about itself.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "contract/method_cases.hpp"
#include "method/gibbs/chain_models.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using OptionMap = std::map<std::string, OptionValue>;

// A draw from the model: slab and noise of unit variance, a third of the features in, neighbors correlated.
struct Draw {
  Matrix X;
  std::vector<double> y;

  Draw(Index n, Index p, std::uint64_t seed, double carry = 0.5) : X(n, p), y(n) {
    RandomStream(seed, 1).normals(y);
    RandomStream coins(seed, 3);
    for (Index j = 0; j < p; ++j) {
      RandomStream(seed, 2, static_cast<std::uint64_t>(j)).normals(X.column(j));
      for (Index i = 0; i < n && j > 0; ++i) X(i, j) = carry * X(i, j - 1) + std::sqrt(1 - carry * carry) * X(i, j);
      const double weight = coins.uniform01() < 0.3 ? coins.normal() : 0.0;
      for (Index i = 0; i < n; ++i) y[i] += weight * X(i, j);
    }
  }
  void make_binary(std::uint64_t seed) {
    RandomStream coins(seed, 4);
    for (double& value : y) value = coins.uniform01() < logistic(value) ? 1.0 : 0.0;
  }
  Fit fit(std::string_view method, const OptionMap& options, const char* family = "gaussian",
          const Control& control = {}) const {
    const DenseDesign design(X);
    return tamis::fit(
        {.X = design, .y = y, .likelihood = tamis::family(family), .intercept = false, .standardize = false}, method,
        options, control);
  }
};

OptionMap model(double spike_variance) {
  return {
      {"prior_inclusion", 0.3}, {"slab_variance", 1.0}, {"spike_variance", spike_variance}, {"noise_variance", 1.0}};
}

OptionMap with_samples(OptionMap options, double samples) {
  options["samples"] = samples;
  return options;
}

// P(z | y) over all z by the density of y, N(0, I + X R_z X').
std::vector<double> enumerated(const Draw& data, double spike_variance) {
  const Index n = data.X.rows(), p = data.X.cols();
  std::vector<double> logs, inclusion(p, 0.0);
  for (Index subset = 0; subset < (Index{1} << p); ++subset) {
    const auto in = [&](Index j) { return (subset >> j & 1) != 0; };
    double log_prior = 0;
    for (Index j = 0; j < p; ++j) log_prior += std::log(in(j) ? 0.3 : 0.7);
    const test::PlainCholesky<double> covariance(n, [&](Index i, Index k) {
      double sum = i == k ? 1.0 : 0.0;
      for (Index j = 0; j < p; ++j) sum += (in(j) ? 1.0 : spike_variance) * data.X(i, j) * data.X(k, j);
      return sum;
    });
    logs.push_back(log_prior + covariance.log_normal(data.y));
  }
  const double total = log_sum_exp(logs);
  for (std::size_t subset = 0; subset < logs.size(); ++subset) {
    for (Index j = 0; j < p; ++j) {
      if ((subset >> j & 1) != 0) inclusion[j] += std::exp(logs[subset] - total);
    }
  }
  return inclusion;
}

// Of 80,000 draws with little memory, each error is about .002.
constexpr double samples = 20'000, monte_carlo = 0.01;

TEST(Gibbs, AgreesWithExactAtTenFeatures) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Draw data(60, 10, seed);
    const Fit exact = data.fit("exact", {{"prior_inclusion", 0.3}, {"slab_variance", 1.0}, {"noise_variance", 1.0}});
    const Fit found = data.fit("gibbs", with_samples(model(0), samples));
    for (std::size_t j = 0; j < 10; ++j) {
      EXPECT_NEAR(found.inclusion[j], exact.inclusion[j], monte_carlo);
      EXPECT_NEAR(found.coefficients[j], exact.coefficients[j], monte_carlo);
      EXPECT_NEAR(found.standard_deviations[j], exact.standard_deviations[j], monte_carlo);
    }
  }
}

TEST(Gibbs, AgreesWithEnumerationOfAContinuousSpike) {
  const Draw data(40, 7, 3);
  const std::vector<double> expected = enumerated(data, 0.01);
  EXPECT_THAT(data.fit("gibbs", with_samples(model(0.01), samples)).inclusion,
              testing::Pointwise(testing::DoubleNear(monte_carlo), expected));
}

// More features than twice the rows: sweeps over columns instead of a Gram matrix.
TEST(Gibbs, AgreesWithEnumerationOnColumnsOfX) {
  const Draw data(4, 9, 5);
  const std::vector<double> expected = enumerated(data, 0.05);
  EXPECT_THAT(data.fit("gibbs", with_samples(model(0.05), samples)).inclusion,
              testing::Pointwise(testing::DoubleNear(monte_carlo), expected));
}

// Two coefficients on a grid: posterior of a logistic regression without any trick.
TEST(Gibbs, AgreesWithAGridForTwoFeaturesAndTwoClasses) {
  Draw data(25, 2, 2);
  data.make_binary(2);
  const auto log_likelihood = [&](double a, double b) {
    double sum = 0;
    for (Index i = 0; i < data.X.rows(); ++i) {
      const double eta = a * data.X(i, 0) + b * data.X(i, 1);
      sum += data.y[i] * eta - log1pexp(eta);
    }
    return sum;
  };
  constexpr double step = 0.05, reach = 6;
  const auto density = [&](double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI) * step; };
  double none = 0.49 * std::exp(log_likelihood(0, 0)), first = 0, second = 0, both = 0, mean = 0;
  for (double a = -reach; a <= reach; a += step) {
    const double alone = 0.21 * density(a) * std::exp(log_likelihood(a, 0));
    first += alone;
    mean += a * alone;
    second += 0.21 * density(a) * std::exp(log_likelihood(0, a));
    for (double b = -reach; b <= reach; b += step) {
      const double weight = 0.09 * density(a) * density(b) * std::exp(log_likelihood(a, b));
      both += weight;
      mean += a * weight;
    }
  }
  const double total = none + first + second + both;
  OptionMap options = {{"prior_inclusion", 0.3}, {"slab_variance", 1.0}, {"samples", samples}};
  const Fit found = data.fit("gibbs", options, "bernoulli");
  EXPECT_NEAR(found.inclusion[0], (first + both) / total, monte_carlo);
  EXPECT_NEAR(found.inclusion[1], (second + both) / total, monte_carlo);
  EXPECT_NEAR(found.coefficients[0], mean / total, monte_carlo);
}

TEST(Gibbs, TheErrorOfAnInclusionProbabilityIsAsLargeAsItSays) {
  double squares = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Draw data(60, 10, seed);
    const Fit exact = data.fit("exact", {{"prior_inclusion", 0.3}, {"slab_variance", 1.0}, {"noise_variance", 1.0}});
    const Fit found = data.fit("gibbs", with_samples(model(0), 1000));
    const std::vector<double>& errors = found.inclusion_error;
    for (std::size_t j = 0; j < 10; ++j) {
      const double surprise = (found.inclusion[j] - exact.inclusion[j]) / (errors[j] + 1e-6);
      squares += surprise * surprise;
      ++count;
    }
  }
  // 1 for an honest error; the larger of two estimates is a little too large, short batches make it a little too small.
  EXPECT_THAT(std::sqrt(squares / count), testing::AllOf(testing::Gt(0.6), testing::Lt(1.4)));
}

TEST(Gibbs, ChainsThatDisagreeAreNoResult) {
  Draw data(60, 10, 1);
  for (Index i = 0; i < 60; ++i) data.X(i, 4) = data.X(i, 5) + 0.001 * data.X(i, 4);  // nearly the same
  for (Index i = 0; i < 60; ++i) data.y[i] += 5 * data.X(i, 5);
  OptionMap options = with_samples(model(0), 30);
  options["burn_in"] = 10.0;
  const Fit found = data.fit("gibbs", options);
  EXPECT_EQ(found.status, Status::iteration_limit);
  EXPECT_THAT(found.message, testing::HasSubstr("R-hat above 1.1 for "));
}

TEST(Gibbs, SampledHyperParametersFindTheTruth) {
  const Draw data(600, 100, 7, 0.2);
  const Fit found = data.fit("gibbs", {});
  EXPECT_NEAR(*found.noise_variance, 1, 0.2);
  EXPECT_NEAR(std::get<double>(found.hyper.at("prior_inclusion")), 0.3, 0.15);
  EXPECT_NEAR(std::log(std::get<double>(found.hyper.at("slab_variance"))), 0, 0.7);
}

TEST(Gibbs, ASpikeAsWideAsTheSlabIsRefused) {
  const Draw data(20, 3, 1);
  EXPECT_THROW(data.fit("gibbs", model(1.0)), InvalidOption);
}

TEST(Gibbs, NoiseIsRefusedForClasses) {
  Draw data(20, 3, 1);
  data.make_binary(1);
  EXPECT_THROW(data.fit("gibbs", {{"noise_variance", 1.0}}, "bernoulli"), InvalidOption);
}

// Twins: given that one is in, the other hardly ever comes in beside it; only an exchange moves the chain.
TEST(Gibbs, FeaturesThatSayTheSameTradePlaces) {
  for (const char* family : {"gaussian", "bernoulli"}) {
    contract::Example data = contract::make_example(tamis::family(family), 300, 6, 1, 2);
    std::ranges::copy(data.X.column(0), data.X.col(1));
    const DenseDesign design(data.X);
    const Fit found = fit(data.problem(design), "gibbs", {{"prior_inclusion", 0.001}, {"samples", 4000.0}});
    EXPECT_EQ(found.status, Status::converged) << found.message;
    EXPECT_NEAR(found.inclusion[0], 0.5, 0.1) << family;
    EXPECT_NEAR(found.inclusion[1], 0.5, 0.1) << family;
  }
}

// x0 alone in one group, x3 and a noisy copy of it in another.
Draw with_imitator() {
  Draw data(80, 8, 11, 0);
  RandomStream random(7);
  for (Index i = 0; i < 80; ++i) {
    data.X(i, 4) = data.X(i, 3) + 0.1 * random.normal();
    data.y[i] = 2 * data.X(i, 0) + 1.5 * data.X(i, 3) + random.normal();
  }
  return data;
}

TEST(GibbsSets, AreOfTheModelsThatWereDrawn) {
  const Draw data = with_imitator();
  Draws draws;
  const Fit fit = data.fit("gibbs", with_samples({}, 500), "gaussian", {.draws = &draws});
  ASSERT_GE(fit.credible_sets.size(), 2u);
  const auto inclusion = std::ranges::find(draws.posterior, "inclusion", &DrawnVariable::name);
  ASSERT_NE(inclusion, draws.posterior.end());
  const Index count = draws.chains * draws.samples;
  for (const CredibleSet& set : fit.credible_sets) {
    Index met = 0;
    for (Index d = 0; d < count; ++d) {
      met += std::ranges::any_of(set.features, [&](Index j) { return inclusion->values[d * 8 + j] == 1; }) ? 1 : 0;
    }
    EXPECT_NEAR(set.probability, static_cast<double>(met) / static_cast<double>(count), 1e-12);
    EXPECT_GE(set.probability, 0.95);
  }
  EXPECT_EQ(fit.inclusion_kind, InclusionKind::posterior);
}

TEST(GibbsSets, PutAFeatureAndItsImitatorTogetherWhereTheyAreInterchangeable) {
  Draw data = with_imitator();
  for (Index i = 0; i < 80; ++i) data.X(i, 4) = -data.X(i, 3);
  const Fit fit = data.fit("gibbs", with_samples({}, 1000));
  const auto together = [](const CredibleSet& set) {
    return set.features == std::vector<Index>{3, 4} || set.features == std::vector<Index>{4, 3};
  };
  EXPECT_TRUE(std::ranges::any_of(fit.credible_sets, together));
}

TEST(GibbsSets, AreTheSameForAnyNumberOfThreads) {
  const Draw data = with_imitator();
  const Fit one = data.fit("gibbs", with_samples({}, 300), "gaussian", {.threads = 1});
  const Fit two = data.fit("gibbs", with_samples({}, 300), "gaussian", {.threads = 2});
  EXPECT_EQ(one.set_candidates.draws.features, two.set_candidates.draws.features);
  EXPECT_EQ(one.set_candidates.draws.weights, two.set_candidates.draws.weights);
}

TEST(GibbsSets, AreMadeFromABoundedNumberOfModels) {
  // 30 models of 3 or 4 features, with room for 20 features: thinned until they fit.
  ChainModels models(1, 20);
  for (Index d = 0; d < 30; ++d) models.record(std::vector<std::uint8_t>{1, 0, 1, 1, d % 2 == 0, 0});
  ModelDraws draws;
  const std::vector<Index> names = {10, 11, 12, 13, 14, 15};
  models.append_to(draws, names);
  EXPECT_LE(draws.features.size(), 20u);
  ASSERT_GE(draws.weights.size(), 2u);
  EXPECT_NEAR(draws.weights[0] * static_cast<double>(draws.weights.size()), 30, draws.weights[0]);
  EXPECT_EQ(draws.features.front(), 10);
  EXPECT_EQ(draws.starts.size(), draws.weights.size() + 1);
}

}  // namespace
}  // namespace tamis
