// What only bvs promises, beside agreement with enumeration.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contract/method_cases.hpp"
#include "method/bvs/normal_scores.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

double sum(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

// Independent normal features; y = effect (x1 + x2) + noise.
Example sum_of_two(double effect, Index rows, Index cols, std::uint64_t seed) {
  Example example{.family = &family("gaussian"), .X = Matrix(rows, cols), .y = std::vector<double>(rows)};
  for (Index j = 0; j < cols; ++j) RandomStream(seed, 1, static_cast<std::uint64_t>(j)).normals(example.X.column(j));
  RandomStream(seed, 2).normals(example.y);
  for (Index i = 0; i < rows; ++i) example.y[i] += effect * (example.X(i, 0) + example.X(i, 1));
  return example;
}

double residual_square(const Example& example, const std::vector<Index>& in) {
  // Gram-Schmidt on the centered columns: few of them.
  const Index n = example.X.rows();
  std::vector<std::vector<double>> basis;
  std::vector<double> r = example.y;
  const auto project = [&](std::vector<double>& v) {
    const double mean = sum(v) / static_cast<double>(n);
    for (double& x : v) x -= mean;
    for (const std::vector<double>& b : basis) {
      const double along = std::inner_product(v.begin(), v.end(), b.begin(), 0.0);
      for (Index i = 0; i < n; ++i) v[i] -= along * b[i];
    }
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  for (const Index j : in) {
    std::vector<double> v(example.X.column(j).begin(), example.X.column(j).end());
    const double norm = project(v);
    for (double& x : v) x /= norm;
    basis.push_back(v);
  }
  return std::pow(project(r), 2);
}

// x3 imitates x1 + x2 so well that {x3} is as probable as {x1, x2}: what it explains less is what a feature costs.
void imitate_the_sum(Example& example, std::uint64_t seed) {
  const Index n = example.X.rows();
  const double rows = static_cast<double>(n), p = static_cast<double>(example.X.cols());
  const double price = std::log(p / 3) + 0.5 * std::log(rows);
  std::vector<double> z(n);
  RandomStream(seed, 3).normals(z);
  double low = 1e-3, high = 3;
  for (int step = 0; step < 60; ++step) {
    const double middle = std::sqrt(low * high);
    for (Index i = 0; i < n; ++i) example.X(i, 2) = example.X(i, 0) + example.X(i, 1) + middle * z[i];
    const double gap = 0.5 * rows * std::log(residual_square(example, {2}) / residual_square(example, {0, 1}));
    (gap < price ? low : high) = middle;
  }
}

// By single flips the way from one model to the other leads through models that are a thousand times less probable:
// short chains that all begin without features would agree on one of them.
TEST(Bvs, FindsBothOfTwoModelsThatNoSingleFlipConnects) {
  for (const double effect : {1.0, 2.0}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      Example example = sum_of_two(effect, 200, 300, seed);
      imitate_the_sum(example, seed);
      const DenseDesign X(example.X);
      const Fit fit = method("bvs").fit(example.problem(X));
      EXPECT_EQ(fit.status, Status::converged) << fit.message;
      EXPECT_GT(fit.inclusion[2], 0.05) << effect << " " << seed;
      EXPECT_LT(fit.inclusion[2], 0.97) << effect << " " << seed;
      EXPECT_NEAR(fit.inclusion[0] + fit.inclusion[2], 1, 0.1);
    }
  }
}

TEST(Bvs, FindsLittleInNoise) {
  Example example = sum_of_two(0, 100, 400, 4);
  const DenseDesign X(example.X);
  const Fit fit = method("bvs").fit(example.problem(X));
  EXPECT_LT(sum(fit.inclusion), 2);
  EXPECT_LT(std::ranges::max(fit.inclusion), 0.5);
}

TEST(Bvs, EqualColumnsShareInclusion) {
  Example example = sum_of_two(1, 100, 50, 5);
  for (Index i = 0; i < 100; ++i) example.X(i, 10) = 3 * example.X(i, 0) - 1;
  const DenseDesign X(example.X);
  const Fit fit = method("bvs").fit(example.problem(X), {{"precision", 0.01}});
  EXPECT_NEAR(fit.inclusion[0], 0.5, 0.06);
  EXPECT_NEAR(fit.inclusion[10], 0.5, 0.06);
}

TEST(Bvs, APriorOfAFeatureIsKept) {
  for (const char* name : {"gaussian", "bernoulli"}) {
    Example example = make_example(family(name), 60, 8);
    const DenseDesign X(example.X);
    Problem problem = example.problem(X);
    const double none = std::nan("");
    const std::vector<double> priors = {0, none, 1, none, none, 0.9, 1e-9, none};
    problem.feature_priors = priors;
    const Fit fit = method("bvs").fit(problem);
    EXPECT_EQ(fit.inclusion[0], 0);
    EXPECT_EQ(fit.coefficients[0], 0);
    EXPECT_EQ(fit.inclusion[2], 1);
    EXPECT_GT(fit.inclusion[5], 0.2);
    EXPECT_LT(fit.inclusion[6], 1e-5);
    const Fit without = method("bvs").fit(example.problem(X));
    EXPECT_GT(fit.inclusion[5], without.inclusion[5]) << name;
  }
  Example example = make_example(family("gaussian"), 20, 3);
  const DenseDesign X(example.X);
  Problem problem = example.problem(X);
  const std::vector<double> priors = {0.5, 1.5, 0.5};
  problem.feature_priors = priors;
  EXPECT_THROW(method("bvs").fit(problem), InvalidInput);
  EXPECT_THROW(method("lasso").fit(problem), InvalidOption);
}

// Of gibbs too: with one prior inclusion for all, given by feature or by option, its draws are the same.
TEST(FeaturePriors, OfGibbsAreItsPriorInclusion) {
  const Example example = make_example(family("gaussian"), 60, 8);
  const DenseDesign X(example.X);
  Problem problem = example.problem(X);
  const std::map<std::string, OptionValue> options = {{"samples", 2000.0}, {"slab_variance", 1.0}};
  auto with_option = options;
  with_option["prior_inclusion"] = 0.2;
  const Fit expected = method("gibbs").fit(problem, with_option);
  std::vector<double> priors(8, 0.2);
  problem.feature_priors = priors;
  const Fit found = method("gibbs").fit(problem, options);
  for (Index j = 0; j < 8; ++j) EXPECT_NEAR(found.inclusion[j], expected.inclusion[j], 0.02) << j;
  priors[0] = 0;
  priors[1] = 1;
  const Fit certain = method("gibbs").fit(problem, options);
  EXPECT_EQ(certain.inclusion[0], 0);
  EXPECT_NEAR(certain.inclusion[1], 1, 1e-12);
}

TEST(Bvs, PredictsTheSameFromItsFileAtAnyLevel) {
  for (const char* name : {"gaussian", "bernoulli"}) {
    const Example example = make_example(family(name), 80, 10);
    const DenseDesign X(example.X);
    const Fit fit = method("bvs").fit(example.problem(X)), loaded = from_json(to_json(fit));
    EXPECT_GT(fit.draws.size(), 500);
    for (const double level : {0.5, 0.95}) {
      const Prediction here = predict(fit, X, {}, level), there = predict(loaded, X, {}, level);
      EXPECT_EQ(here.mean, there.mean);
      EXPECT_EQ(here.sd, there.sd);
      EXPECT_EQ(here.lower, there.lower);
      EXPECT_EQ(here.upper, there.upper);
    }
    if (name != std::string("gaussian")) continue;
    const Prediction half = predict(fit, X, {}, 0.5), most = predict(fit, X, {}, 0.95);
    for (Index i = 0; i < 80; ++i) {
      EXPECT_LT(most.lower[i], half.lower[i]);
      EXPECT_GT(most.upper[i], half.upper[i]);
      EXPECT_NEAR(most.upper[i] - most.lower[i], 2 * 1.96 * most.sd[i], 0.1 * most.sd[i]);
    }
  }
}

TEST(Bvs, HeavyTailsAreSeenAndNormalOnesAreNot) {
  Example example = sum_of_two(1, 200, 50, 6);
  const DenseDesign X(example.X);
  EXPECT_EQ(std::get<std::string>(method("bvs").fit(example.problem(X)).hyper.at("response")), "raw");
  example.y[7] += 30;
  const Fit fit = method("bvs").fit(example.problem(X));
  EXPECT_EQ(std::get<std::string>(fit.hyper.at("response")), "normal-scores");
  EXPECT_GT(fit.inclusion[0], 0.95);
  EXPECT_NEAR(fit.coefficients[0], 1, 1);
}

TEST(Bvs, ScoresAWeightAsThatManyRows) {
  const std::vector<double> y = {3, 1, 2, 2, 9}, weights = {1, 2, 1, 1, 3};
  const std::vector<double> repeated = {3, 1, 1, 2, 2, 9, 9, 9}, ones(8, 1.0);
  const std::vector<double> a = normal_scores(y, weights), b = normal_scores(repeated, ones);
  const std::vector<double> expected = {b[0], b[1], b[3], b[4], b[5]};
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(a[i], expected[i], 1e-12);
}

TEST(Bvs, StopsAtTheCapAndSaysSo) {
  const Example example = make_example(family("gaussian"), 50, 20);
  const DenseDesign X(example.X);
  for (const double steps : {1.0, 2.0, 7.0}) {
    const Fit fit = method("bvs").fit(example.problem(X), {{"max_steps", steps}, {"precision", 1e-9}});
    EXPECT_EQ(fit.status, Status::iteration_limit);
    EXPECT_THAT(fit.message, testing::HasSubstr("increase max_steps"));
  }
  const Fit alone = method("bvs").fit(example.problem(X), {{"chains", 1.0}, {"max_steps", 3000.0}});
  EXPECT_EQ(alone.status, Status::iteration_limit);
  EXPECT_THAT(alone.message, testing::HasSubstr("increase chains"));
}

TEST(Bvs, RefusesOptionsThatContradictEachOther) {
  const Example example = make_example(family("gaussian"), 20, 5);
  const DenseDesign X(example.X);
  const auto fit = [&](const std::map<std::string, OptionValue>& options) {
    return method("bvs").fit(example.problem(X), options);
  };
  for (const char* range : {"0,2", "3,2", "1,9", "a,b", "1;2", "1,", ""}) {
    EXPECT_THROW(fit({{"expected_features", std::string(range)}}), InvalidOption) << range;
  }
  EXPECT_THROW(fit({{"expected_features", std::string("1,2")}, {"prior_inclusion", 0.5}}), InvalidOption);
  EXPECT_THROW(fit({{"slab", std::string("hyper-g")}, {"slab_variance", 0.5}}), InvalidOption);
}

}  // namespace
}  // namespace tamis
