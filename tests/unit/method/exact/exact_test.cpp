// exact: the evidence and the posterior against dense algebra in the space of the samples, what learning reaches, and
// what a reference must keep (symmetry, scale, weights, offsets).
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using Given = std::map<std::string, OptionValue>;

contract::Example make(Index rows, Index cols, std::uint64_t seed = 1, double signal = 1) {
  return contract::make_example(family("gaussian"), rows, cols, seed, signal);
}

Fit solve(const contract::Example& example, const Given& options = {}, bool intercept = true, bool standardize = true) {
  const DenseDesign design(example.X);
  Problem problem = example.problem(design);
  problem.intercept = intercept;
  problem.standardize = standardize;
  return fit(problem, "exact", options);
}

Given given(double prior_inclusion, double slab_variance, double noise_variance) {
  return {{"prior_inclusion", prior_inclusion}, {"slab_variance", slab_variance}, {"noise_variance", noise_variance}};
}

// The n - 1 contrasts of a vector: each value against the mean of those before it, scaled to be orthonormal (Helmert).
std::vector<double> contrasts(std::span<const double> v) {
  std::vector<double> result;
  double before = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) {
    const auto count = static_cast<double>(i);
    result.push_back((before - count * v[i]) / std::sqrt(count * (count + 1)));
    before += v[i];
  }
  return result;
}

// log of the sum over s of p(s) N(y; 0, noise I + slab X_s X_s'), with the flat intercept as a slab of density 1: y is
// split into its mean, which the intercept explains whatever it is, and contrasts that it does not touch.
double log_evidence_of(const contract::Example& e, const Given& options, bool intercept) {
  const auto n = std::ssize(e.y);
  const double pi = std::get<double>(options.at("prior_inclusion")),
               slab = std::get<double>(options.at("slab_variance")),
               noise = std::get<double>(options.at("noise_variance"));
  std::vector<double> y = e.y;
  for (std::size_t i = 0; i < e.offset.size(); ++i) y[i] -= e.offset[i];
  if (intercept) y = contrasts(y);
  std::vector<std::vector<double>> X;
  for (Index j = 0; j < e.X.cols(); ++j) {
    const auto column = e.X.column(j);
    X.push_back(intercept ? contrasts(column) : std::vector<double>(column.begin(), column.end()));
  }
  std::vector<double> terms;
  for (unsigned long s = 0; s < (1ul << X.size()); ++s) {
    const auto in = [&](std::size_t j) { return (s >> j & 1) != 0; };
    double log_prior = 0;
    for (std::size_t j = 0; j < X.size(); ++j) log_prior += in(j) ? std::log(pi) : std::log1p(-pi);
    const test::PlainCholesky<double> covariance(std::ssize(y), [&](Index i, Index k) {
      double sum = i == k ? noise : 0.0;
      for (std::size_t j = 0; j < X.size(); ++j) sum += in(j) ? slab * X[j][i] * X[j][k] : 0.0;
      return sum;
    });
    terms.push_back(log_prior + covariance.log_normal(y));
  }
  return log_sum_exp(terms) - (intercept ? 0.5 * std::log(static_cast<double>(n)) : 0.0);
}

constexpr double rounding = 1e-10;
// Learned hyperparameters are right to 1e-8; answers follow them with factors of about one.
constexpr double learning = 1e-6;

TEST(Exact, TheObjectiveIsTheLogEvidence) {
  contract::Example example = make(15, 6);
  const Given options = given(0.3, 0.8, 0.4);
  for (const bool intercept : {true, false}) {
    const double expected = log_evidence_of(example, options, intercept);
    EXPECT_NEAR(solve(example, options, intercept, false).objective, expected, rounding * std::abs(expected));
  }
  for (Index i = 0; i < 15; ++i) example.offset.push_back(0.1 * static_cast<double>(i));
  const double expected = log_evidence_of(example, options, true);
  EXPECT_NEAR(solve(example, options, true, false).objective, expected, rounding * std::abs(expected));
}

TEST(Exact, EvidencesOfDifferentResponseUnitsDifferByTheirJacobian) {
  contract::Example example = make(20, 4);
  const double before = solve(example, given(0.3, 0.8, 0.4)).objective;
  for (double& y : example.y) y *= 1000;
  EXPECT_NEAR(solve(example, given(0.3, 0.8e6, 0.4e6)).objective, before - 19 * std::log(1000.0), 1e-8);
}

// With the others left out by a prior that forbids them, one feature has a closed form on the original scale.
TEST(Exact, OneFeatureIsTheClosedForm) {
  const contract::Example example = make(25, 1);
  const Fit found = solve(example, given(0.2, 0.5, 0.3), true, false);
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (Index i = 0; i < 25; ++i) mean_x += example.X(i, 0) / 25, mean_y += example.y[i] / 25;
  for (Index i = 0; i < 25; ++i) {
    xx += (example.X(i, 0) - mean_x) * (example.X(i, 0) - mean_x);
    xy += (example.X(i, 0) - mean_x) * (example.y[i] - mean_y);
  }
  const double variance = 1 / (xx / 0.3 + 1 / 0.5), mean = variance * xy / 0.3;
  const double q = logistic(logit(0.2) + 0.5 * (std::log(variance / 0.5) + mean * mean / variance));
  EXPECT_NEAR(found.inclusion[0], q, rounding);
  EXPECT_NEAR(found.coefficients[0], q * mean, rounding);
  EXPECT_NEAR(found.standard_deviations[0], std::sqrt(q * (variance + (1 - q) * mean * mean)), rounding);
  EXPECT_NEAR(found.intercept, mean_y - q * mean * mean_x, rounding);
  EXPECT_NEAR(std::get<double>(found.hyper.at("expected_features")), q, rounding);
}

TEST(Exact, DuplicateColumnsShareTheirInclusion) {
  contract::Example example = make(40, 5);
  std::ranges::copy(example.X.column(0), example.X.column(4).begin());
  const Fit found = solve(example, given(0.2, 1, 0.25));
  EXPECT_NEAR(found.inclusion[0], found.inclusion[4], 1e-8);
  EXPECT_NEAR(found.coefficients[0], found.coefficients[4], 1e-8);
  EXPECT_GT(found.inclusion[0] + found.inclusion[4], 0.99);
}

TEST(Exact, AConstantColumnIsLeftOutAndCountsForNothing) {
  contract::Example example = make(40, 5);
  const Fit without = solve(example);
  Matrix wider(40, 6);
  for (Index j = 0; j < 6; ++j) {
    for (Index i = 0; i < 40; ++i) wider(i, j) = j == 2 ? 0.7 : example.X(i, j < 2 ? j : j - 1);
  }
  example.X = wider;
  const Fit with = solve(example);
  EXPECT_EQ(with.inclusion[2], 0);
  EXPECT_EQ(with.coefficients[2], 0);
  EXPECT_EQ(with.standard_deviations[2], 0);
  EXPECT_EQ(with.objective, without.objective);
  EXPECT_EQ(with.inclusion[3], without.inclusion[2]);
}

TEST(Exact, WeightsAreRepetitionsInTheEvidenceToo) {
  contract::Example repeated = make(30, 5), weighted = make(30, 5);
  std::vector<Index> rows;
  for (Index i = 0; i < 30; ++i) rows.push_back(i);
  for (const Index i : {4, 4, 9}) rows.push_back(i);
  weighted.weights.assign(30, 1.0);
  weighted.weights[4] = 3;
  weighted.weights[9] = 2;
  repeated.X = contract::select_rows(repeated.X, rows);
  repeated.y = contract::select_rows(repeated.y, rows);
  const Fit a = solve(repeated), b = solve(weighted);
  EXPECT_NEAR(a.objective, b.objective, rounding * std::abs(a.objective));
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(a.inclusion[j], b.inclusion[j], learning);
    EXPECT_NEAR(a.standard_deviations[j], b.standard_deviations[j], learning);
  }
}

TEST(Exact, WhatIsGivenIsKeptAndTheRestIsLearnt) {
  const contract::Example example = make(60, 6);
  const Fit free = solve(example);
  const double pi = std::get<double>(free.hyper.at("prior_inclusion"));
  const double slab = std::get<double>(free.hyper.at("slab_variance"));
  for (const Given& options :
       {Given{{"prior_inclusion", pi}}, Given{{"slab_variance", slab}}, Given{{"noise_variance", *free.noise_variance}},
        given(pi, slab, *free.noise_variance)}) {
    const Fit found = solve(example, options);
    EXPECT_EQ(found.status, Status::converged);
    EXPECT_NEAR(found.objective, free.objective, rounding * std::abs(free.objective));
    EXPECT_NEAR(std::get<double>(found.hyper.at("prior_inclusion")), pi, learning);
    EXPECT_NEAR(std::get<double>(found.hyper.at("slab_variance")), slab, learning * slab);
    EXPECT_NEAR(*found.noise_variance, *free.noise_variance, learning * *free.noise_variance);
  }
}

TEST(Exact, LearntHyperParametersAreWhereTheEvidenceIsHighest) {
  const contract::Example example = make(60, 6);
  const Fit found = solve(example);
  const double pi = std::get<double>(found.hyper.at("prior_inclusion"));
  const double slab = std::get<double>(found.hyper.at("slab_variance"));
  const double step = 0.01;
  for (const double sign : {-step, step}) {
    const double pi_beside = logistic(logit(pi) + sign);
    EXPECT_LT(solve(example, given(pi_beside, slab, *found.noise_variance)).objective, found.objective);
    EXPECT_LT(solve(example, given(pi, slab * std::exp(sign), *found.noise_variance)).objective, found.objective);
    EXPECT_LT(solve(example, given(pi, slab, *found.noise_variance * std::exp(sign))).objective, found.objective);
  }
}

TEST(Exact, TheEvidenceNeverFallsWhileLearning) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Fit found = solve(make(12 + static_cast<Index>(seed), 8, seed, seed % 3 == 0 ? 0.0 : 1.0));
    EXPECT_EQ(found.status, Status::converged) << found.message;
    for (std::size_t k = 1; k < found.trace.size(); ++k) {
      EXPECT_GE(found.trace[k].objective, found.trace[k - 1].objective - 1e-12 * std::abs(found.trace[k].objective));
    }
  }
}

TEST(Exact, NoNoiseAtAllEndsAtTheBoundAndSaysSo) {
  contract::Example example = make(30, 4);
  for (Index i = 0; i < 30; ++i) example.y[i] = 2 * example.X(i, 0) - example.X(i, 1);
  const Fit found = solve(example);
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_THAT(found.message, testing::HasSubstr("at its lower bound"));
  EXPECT_NEAR(found.coefficients[0], 2, 1e-4);
  EXPECT_NEAR(found.coefficients[1], -1, 1e-4);
  EXPECT_LT(found.inclusion[2], 0.5);
}

TEST(Exact, RefusesMoreColumnsThanItCanEnumerateWithARemedy) {
  try {
    solve(make(30, 21));
    FAIL() << "was not refused";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("21 non-constant columns"), testing::HasSubstr("at most 20"),
                               testing::HasSubstr("preselect features")));
  }
}

TEST(Exact, RefusesNoiseThatRoundingWouldDecide) {
  EXPECT_THROW(solve(make(30, 3), {{"noise_variance", 1e-20}}), InvalidOption);
}

}  // namespace
}  // namespace tamis
