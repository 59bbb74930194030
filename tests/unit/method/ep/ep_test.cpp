// ep against exact enumeration and gibbs, its parts against quadrature, and what it does when sites go wrong.
#include <gmock/gmock.h>

#include <cmath>

#include "method/ep/joint_normal.hpp"
#include "method/ep/tilted.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using OptionMap = std::map<std::string, OptionValue>;

// Mass, mean and variance of f times the cavity, on a fine grid.
template <class Function>
TiltedNormal by_grid(const NaturalParameters& cavity, Function f) {
  const double center = cavity.natural_mean / cavity.precision, spread = 1 / std::sqrt(cavity.precision);
  double mass = 0, first = 0, second = 0;
  constexpr double step = 1e-3, reach = 12;
  for (double z = -reach; z <= reach; z += step) {
    const double x = center + spread * z;
    const double weight = std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI) * step * f(x);
    mass += weight;
    first += weight * x;
    second += weight * x * x;
  }
  return {std::log(mass), first / mass, second / mass - first * first / (mass * mass)};
}

TEST(Tilted, CoinAgreesWithAFineGrid) {
  for (const NaturalParameters cavity : {NaturalParameters{1, 0.5}, NaturalParameters{0.05, -0.3},
                                         NaturalParameters{20, 60}, NaturalParameters{0.01, 0.2}}) {
    for (const double power : {1.0, 0.4}) {
      const TiltedNormal expected = by_grid(cavity, [&](double x) { return std::exp(-power * log1pexp(x + 0.3)); });
      const TiltedNormal found = tilted_row(family("bernoulli"), 0, power, 0.3, cavity);
      constexpr double tolerance = 1e-9;
      EXPECT_NEAR(found.log_mass, expected.log_mass, tolerance) << cavity.precision;
      EXPECT_NEAR(found.mean / expected.mean, 1, tolerance) << cavity.precision;
      EXPECT_NEAR(found.variance / expected.variance, 1, tolerance) << cavity.precision;
    }
  }
}

TEST(Tilted, PriorAgreesWithAFineGrid) {
  const SpikeSlabHyper hyper{.prior_inclusion = 0.2, .slab_variance = 3, .spike_variance = 0.05};
  const auto normal = [](double x, double v) { return std::exp(-0.5 * x * x / v) / std::sqrt(2 * M_PI * v); };
  for (const NaturalParameters cavity :
       {NaturalParameters{2, 1}, NaturalParameters{5, -12}, NaturalParameters{0.3, 0.1}}) {
    const TiltedNormal expected = by_grid(cavity, [&](double x) { return 0.2 * normal(x, 3) + 0.8 * normal(x, 0.05); });
    const TiltedPrior found = tilt_prior(hyper, cavity);
    EXPECT_NEAR(found.log_mass, expected.log_mass, 1e-9);
    EXPECT_NEAR(found.mean, expected.mean, 1e-9);
    EXPECT_NEAR(found.variance, expected.variance, 1e-9);
  }
}

TEST(Tilted, SiteTurnsTheCavityIntoTheTilted) {
  const NaturalParameters cavity{2, 1};
  const TiltedNormal tilted{-0.7, 0.3, 0.9};  // wider than the cavity: a negative precision
  const NaturalParameters site = site_of(tilted, cavity);
  EXPECT_LT(site.precision, 0);
  EXPECT_NEAR((cavity.natural_mean + site.natural_mean) / (cavity.precision + site.precision), 0.3, 1e-14);
  const TiltedNormal product = by_grid(cavity, [&](double x) {
    return std::exp(log_scale(tilted, cavity, site) - 0.5 * site.precision * x * x + site.natural_mean * x);
  });
  EXPECT_NEAR(product.log_mass, tilted.log_mass, 1e-9);
}

struct Draw {
  Matrix X;
  std::vector<double> y;

  Draw(Index n, Index p, std::uint64_t seed, double carry) : X(n, p), y(n) {
    RandomStream(seed, 1).normals(y);
    RandomStream coins(seed, 3);
    for (Index j = 0; j < p; ++j) {
      RandomStream(seed, 2, static_cast<std::uint64_t>(j)).normals(X.column(j));
      for (Index i = 0; i < n && j > 0; ++i) X(i, j) = carry * X(i, j - 1) + std::sqrt(1 - carry * carry) * X(i, j);
      const double weight = coins.uniform01() < 0.3 ? coins.normal() : 0.0;
      for (Index i = 0; i < n; ++i) y[i] += weight * X(i, j);
    }
  }
  Problem problem(const Design& design, const char* family = "gaussian") const {
    return {.X = design, .y = y, .likelihood = tamis::family(family), .intercept = false, .standardize = false};
  }
  Fit fit(std::string_view method, const OptionMap& options, const char* family = "gaussian") const {
    const DenseDesign design(X);
    return tamis::fit(problem(design, family), method, options);
  }
};

const OptionMap truth = {{"prior_inclusion", 0.3}, {"slab_variance", 1.0}, {"noise_variance", 1.0}};

OptionMap with(OptionMap options, const std::string& name, OptionValue value) {
  options[name] = std::move(value);
  return options;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0;
  for (std::size_t j = 0; j < a.size(); ++j) square += (a[j] - b[j]) * (a[j] - b[j]) / static_cast<double>(a.size());
  return std::sqrt(square);
}

TEST(ExpectationPropagation, IsCloseToExactWithAPointMass) {
  double error = 0, evidence = 0;
  constexpr int sets = 20;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const Draw data(80, 12, seed, 0.5);
    const Fit exact = data.fit("exact", truth), found = data.fit("ep", truth);
    EXPECT_EQ(found.status, Status::converged) << found.message;
    error += distance(exact.inclusion, found.inclusion) / sets;
    evidence += std::abs(exact.objective - found.objective) / sets;
  }
  EXPECT_LT(error, 0.015);
  EXPECT_LT(evidence, 0.3);
}

TEST(ExpectationPropagation, IsCloseToGibbsWithAContinuousSpike) {
  double error = 0;
  constexpr int sets = 4;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const Draw data(60, 40, seed, 0.3);
    const OptionMap model = with(truth, "spike_variance", 1e-3);
    const Fit gibbs = data.fit("gibbs", with(model, "samples", 4000.0)), found = data.fit("ep", model);
    error += distance(gibbs.inclusion, found.inclusion) / sets;
  }
  EXPECT_LT(error, 0.015);
}

TEST(ExpectationPropagation, IsCloseToGibbsForTwoClasses) {
  Draw data(150, 10, 3, 0.3);
  RandomStream coins(8);
  for (double& value : data.y) value = coins.uniform01() < logistic(2 * value) ? 1.0 : 0.0;
  const OptionMap model = {{"prior_inclusion", 0.3}, {"slab_variance", 2.0}};
  const Fit gibbs = data.fit("gibbs", with(model, "samples", 4000.0), "bernoulli");
  const Fit found = data.fit("ep", model, "bernoulli");
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_LT(distance(gibbs.inclusion, found.inclusion), 0.03);
  EXPECT_LT(distance(gibbs.coefficients, found.coefficients), 0.05);
}

TEST(ExpectationPropagation, FactorizedIsFairForNearlyIndependentFeatures) {
  const Draw data(200, 12, 2, 0);
  const Fit exact = data.fit("exact", truth), found = data.fit("ep", with(truth, "factorised", true));
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_LT(distance(exact.inclusion, found.inclusion), 0.05);
  EXPECT_LT(distance(exact.coefficients, found.coefficients), 0.02);
  EXPECT_NEAR(exact.objective, found.objective, 2);
}

TEST(ExpectationPropagation, WithoutASpikeItIsRidgeRegression) {
  // All features in: the posterior is normal, and ep finds it and its evidence exactly.
  const OptionMap ridge = with(truth, "prior_inclusion", 1.0);
  for (const Index p : {5, 12}) {
    const Draw data(10, p, 4, 0.4);
    const Fit exact = data.fit("exact", ridge), found = data.fit("ep", with(ridge, "tolerance", 1e-10));
    EXPECT_THAT(found.coefficients, testing::Pointwise(testing::DoubleNear(1e-7), exact.coefficients)) << p;
    EXPECT_THAT(found.standard_deviations, testing::Pointwise(testing::DoubleNear(1e-7), exact.standard_deviations));
    EXPECT_NEAR(found.objective, exact.objective, 1e-6);
  }
}

// Both ways to the same marginals: X'X + D and I + A D^-1 A', with sites of every kind.
TEST(JointNormal, WideAndTallAgree) {
  constexpr Index n = 6, p = 9;
  const Draw data(n, p, 5, 0.2);
  // The same problem with rows of weight zero appended, so that rows outnumber features.
  Draw padded(n + 10, p, 1, 0);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n + 10; ++i) padded.X(i, j) = i < n ? data.X(i, j) : 0.0;
  }
  std::ranges::fill(padded.y, 0.0);
  std::ranges::copy(data.y, padded.y.begin());
  const DenseDesign wide(data.X), tall(padded.X);
  std::vector<double> weights(n + 10, 1.0);
  std::fill(weights.begin() + n, weights.end(), 0.0);
  Problem tall_problem = padded.problem(tall);
  tall_problem.weights = weights;
  const Problem wide_problem = data.problem(wide);
  const ScaledProblem a(wide_problem), b(tall_problem);
  std::vector<NaturalParameters> rows, more_rows, features;
  for (Index i = 0; i < n; ++i) rows.push_back({2, 2 * a.response()[i]});
  more_rows = rows;
  more_rows.resize(n + 10, {0, 0});
  for (Index j = 0; j < p; ++j)
    features.push_back({j == 0 ? -0.2 : j == 1 ? 0.0 : j == 2 ? 1e9 : 1.0 + double(j), 0.3});
  JointMarginals one, other;
  ASSERT_TRUE(JointNormal(a).solve(rows, features, one));
  ASSERT_TRUE(JointNormal(b).solve(more_rows, features, other));
  EXPECT_THAT(one.mean, testing::Pointwise(testing::DoubleNear(1e-10), other.mean));
  EXPECT_THAT(one.variance, testing::Pointwise(testing::DoubleNear(1e-10), other.variance));
  EXPECT_NEAR(one.log_mass, other.log_mass, 1e-9);
  EXPECT_NEAR(one.explained_trace, other.explained_trace, 1e-9);
  features[0].precision = -1e6;
  EXPECT_FALSE(JointNormal(a).solve(rows, features, one));
  EXPECT_FALSE(JointNormal(b).solve(more_rows, features, other));
}

TEST(ExpectationPropagation, EndsWithAStatusWhereSitesGoWrong) {
  // Columns that are nearly the same, a wide slab and next to no noise: sites swing.
  Draw data(30, 20, 1, 0.9999);
  const OptionMap hard = {
      {"prior_inclusion", 0.5}, {"slab_variance", 1e4}, {"noise_variance", 1e-6}, {"sweeps", 200.0}};
  for (const double damping : {0.0, 0.5}) {
    const Fit found = data.fit("ep", with(hard, "damping", damping));
    EXPECT_THAT(found.inclusion, testing::Each(testing::AllOf(testing::Ge(0.0), testing::Le(1.0))));
    EXPECT_TRUE(std::isfinite(found.objective));
    EXPECT_NE(found.message, "");
  }
}

TEST(ExpectationPropagation, LearntHyperParametersAreNearTheTruth) {
  const Draw data(400, 60, 6, 0.2);
  const Fit found = data.fit("ep", {});
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_NEAR(*found.noise_variance, 1, 0.25);
  EXPECT_NEAR(std::get<double>(found.hyper.at("prior_inclusion")), 0.3, 0.2);
}

// Columns driven by a few common factors, many more of them than rows: gene expressions look like that.
Draw common_factors(Index n, Index p, Index factors, std::uint64_t seed) {
  Draw data(n, p, seed, 0);
  Matrix F(n, factors), L(factors, p);
  for (Index k = 0; k < factors; ++k) RandomStream(seed, 4, static_cast<std::uint64_t>(k)).normals(F.column(k));
  for (Index j = 0; j < p; ++j) RandomStream(seed, 5, static_cast<std::uint64_t>(j)).normals(L.column(j));
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      data.X(i, j) *= 0.5;
      for (Index k = 0; k < factors; ++k) data.X(i, j) += F(i, k) * L(k, j) / std::sqrt(double(factors));
    }
  }
  RandomStream(seed, 6).normals(data.y);
  for (Index i = 0; i < n; ++i) {
    data.y[i] = 0.5 * data.y[i] + data.X(i, 0) + data.X(i, 1) - data.X(i, 2) + 0.7 * F(i, 0);
  }
  return data;
}

// Learned from sites under way, the slab variance and the prior inclusion feed on each other: one hundred features are
// then expected in forty rows.
TEST(ExpectationPropagation, LearningDoesNotRunAwayWithManyCorrelatedFeatures) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Draw data = common_factors(40, 800, 4, seed);
    const Fit found = data.fit("ep", {});
    EXPECT_LT(std::get<double>(found.hyper.at("expected_features")), 20) << found.message;
    EXPECT_LT(std::get<double>(found.hyper.at("slab_variance")), 5) << found.message;
    EXPECT_NE(found.status, Status::numerical_failure) << found.message;
  }
}

// Together they circle at any damping; in the double loop the moves die away.
TEST(ExpectationPropagation, SitesComeToRestUnderAWideSlab) {
  const Draw data = common_factors(60, 1500, 8, 2);
  const OptionMap wide = {{"prior_inclusion", 0.002}, {"slab_variance", 0.3}, {"noise_variance", 0.1}};
  const Fit found = data.fit("ep", wide);
  EXPECT_LT(found.trace.back().certificate, 0.01) << found.message;
}

// Both ways of moving one site against a new solution.
TEST(JointNormal, AnExchangedSiteIsWhatSolvingAnewGives) {
  const Draw wide_data(6, 9, 5, 0.2), tall_data(20, 4, 6, 0.2);
  for (const Draw* data : {&wide_data, &tall_data}) {
    const DenseDesign design(data->X);
    const Problem problem = data->problem(design);
    const ScaledProblem scaled(problem);
    std::vector<NaturalParameters> rows, features;
    for (const double y : scaled.response()) rows.push_back({2, 2 * y});
    for (Index j = 0; j < scaled.features(); ++j) features.push_back({1.0 + double(j), 0.3});
    features[1].precision = -0.1;
    JointNormal normal(scaled);
    JointMarginals out, anew;
    ASSERT_TRUE(normal.solve(rows, features, out));
    for (const Index j : {1, 2, 0}) {
      const NaturalParameters cavity = normal.cavity(j, features[j]), other{j == 2 ? -0.2 : 3.0, -0.5};
      normal.exchange(features[j], other);
      features[j] = other;
      ASSERT_TRUE(JointNormal(scaled).solve(rows, features, anew));
      EXPECT_NEAR(1 / anew.variance[j], cavity.precision + other.precision, 1e-9 / anew.variance[j]);
      EXPECT_NEAR(anew.mean[j] / anew.variance[j], cavity.natural_mean + other.natural_mean, 1e-9 / anew.variance[j]);
    }
    const NaturalParameters last = normal.cavity(3, features[3]);
    EXPECT_NEAR(1 / anew.variance[3], last.precision + features[3].precision, 1e-9 / anew.variance[3]);
  }
}

}  // namespace
}  // namespace tamis
