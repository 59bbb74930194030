// Rows that a factor model has not seen.
#include "tamis/factor/new_rows.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "factor/model/score_posterior.hpp"
#include "tamis/base/error.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One factor with loadings 2 and 1 beside an intercept, noise 0.25, normal scores of variance 4.
FactorFit small_model(const std::string& prior) {
  FactorFit fit;
  fit.family = "gaussian";
  fit.prior = prior;
  fit.factors = 1;
  fit.columns = {"a", "b"};
  fit.loadings = table({{2, 1}});
  fit.intercept = {1, -1};
  fit.factor_rates = {0.3};
  fit.factor_means = {prior == "exponential" ? 2.0 : 0.0};
  fit.factor_variances = {4};
  fit.noise_variances = {0.25, 0.25};
  fit.score_penalty = 0.5;
  return fit;
}

FactorRows explain(const FactorFit& fit, const Matrix& X) {
  FactorProblem data;
  data.dense = X;
  return explain_rows(fit, data, {.threads = 1});
}

// Mean and variance of the density exp(log_density) by the trapezoidal rule on a wide grid.
factor::ScorePosterior by_quadrature(const std::function<double(double)>& log_density) {
  double total = 0, first = 0, second = 0;
  constexpr double step = 1e-4;
  for (double v = -30; v <= 30; v += step) {
    const double density = std::exp(log_density(v));
    total += density;
    first += density * v;
    second += density * v * v;
  }
  return {first / total, second / total - first * first / (total * total), 1};
}

TEST(NewRows, NormalScoresAreTheRidgeRegressionOnTheLoadings) {
  const FactorRows rows = explain(small_model("gaussian"), table({{4, 1}, {4, hole}}));
  // Precision 1/4 + (2^2 + 1^2) / 0.25, linear (2 * 3 + 1 * 2) / 0.25.
  EXPECT_NEAR(rows.scores(0, 0), 32 / 20.25, 1e-12);
  EXPECT_NEAR(rows.scores(1, 0), 24 / 16.25, 1e-12);
}

TEST(NewRows, AMissingCellHasTheSpreadOfItsScoreAndOfTheNoise) {
  const FactorRows rows = explain(small_model("gaussian"), table({{4, hole}}));
  ASSERT_EQ(rows.cells.size(), 1U);
  const PredictedCell& cell = rows.cells[0];
  EXPECT_EQ(cell.row, 0);
  EXPECT_EQ(cell.column, 1);
  EXPECT_NEAR(cell.mean, -1 + 24 / 16.25, 1e-12);
  EXPECT_NEAR(cell.sd, std::sqrt(1 / 16.25 + 0.25), 1e-12);
  EXPECT_NEAR(cell.upper - cell.mean, 1.959964 * cell.sd, 1e-5);
}

TEST(NewRows, SpikeAndSlabGivesExactProbabilitiesForOneFactor) {
  const FactorRows rows = explain(small_model("spike-slab"), table({{1.3, -0.9}}));
  const double precision = 20.25, mean = (2 * 0.3 + 0.1) / 0.25 / precision;
  const double odds = 0.3 / 0.7 * std::sqrt(0.25 / precision) * std::exp(0.5 * mean * mean * precision);
  EXPECT_NEAR(rows.inclusion(0, 0), odds / (1 + odds), 1e-12);
  EXPECT_NEAR(rows.scores(0, 0), mean * odds / (1 + odds), 1e-12);
}

TEST(NewRows, APointEstimateIsTheSoftThreshold) {
  const FactorRows rows = explain(small_model("l1"), table({{4, 1}, {1.01, -1}}));
  EXPECT_NEAR(rows.scores(0, 0), (32 - 0.5) / 20, 1e-3);  // but for the small ridge that holds flat losses
  EXPECT_EQ(rows.scores(1, 0), 0);
  EXPECT_EQ(rows.inclusion.rows(), 0);
}

TEST(NewRows, ARowDoesNotDependOnItsNeighbors) {
  for (const char* family : {"gaussian", "bernoulli", "poisson", "waiting"}) {
    const Matrix X = two_factor_table(family, 24, 8, 7);
    FactorProblem problem;
    problem.dense = X;
    problem.family = family;
    problem.factors = 2;
    const FactorFit fit = factor_prior("vb").fit(problem, short_run("vb"), {.threads = 1}).fit;
    const FactorRows all = explain(fit, X);
    Matrix last(1, X.cols());
    for (Index d = 0; d < X.cols(); ++d) last(0, d) = X(23, d);
    const FactorRows alone = explain(fit, last);
    for (Index k = 0; k < 2; ++k) EXPECT_EQ(alone.scores(0, k), all.scores(23, k)) << family;
  }
}

TEST(NewRows, RefusesRowsOfAnotherWidth) {
  try {
    explain(small_model("gaussian"), table({{1, 2, 3}}));
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("3 columns; expected at least 1 row and 2 columns"));
  }
}

TEST(NewRows, MeansOfScoresGoThroughTheFamily) {
  FactorFit fit = small_model("gaussian");
  EXPECT_THAT(means_of_scores(fit, table({{2}})).column(0), ElementsAre(5));
  fit.family = "poisson";
  EXPECT_THAT(means_of_scores(fit, table({{0}})).column(1), ElementsAre(std::exp(-1)));
}

TEST(ScorePosterior, MatchesQuadratureForLaplaceAndOneSidedScores) {
  constexpr double quadrature_error = 1e-6;  // the rule's at the corner in 0
  for (const double linear : {-9.0, -0.4, 0.0, 3.0}) {
    for (const double curvature : {0.5, 2.0}) {
      const FactorFit laplace = small_model("laplace"), one_sided = small_model("exponential");
      const factor::ScorePosterior both = factor::ScorePrior(laplace, 0).posterior(linear, curvature);
      const factor::ScorePosterior side = factor::ScorePrior(one_sided, 0).posterior(linear, curvature);
      const auto data = [&](double v) { return linear * v - 0.5 * curvature * v * v; };
      const double rate = std::sqrt(0.5);  // of a Laplace density of variance 4
      const factor::ScorePosterior expected = by_quadrature([&](double v) { return data(v) - rate * std::abs(v); });
      EXPECT_NEAR(both.mean, expected.mean, quadrature_error * (1 + std::abs(expected.mean)));
      EXPECT_NEAR(both.variance, expected.variance, 10 * quadrature_error);
      const factor::ScorePosterior half = by_quadrature([&](double v) { return v <= 0 ? -1e9 : data(v) - 0.5 * v; });
      EXPECT_NEAR(side.mean, half.mean, 1e-3 * (1 + std::abs(half.mean)));  // the rule misses half a step at 0
      EXPECT_NEAR(side.variance, half.variance, 1e-3);
    }
  }
}

TEST(ScorePosterior, IsThePriorWithoutData) {
  const factor::ScorePosterior laplace = factor::ScorePrior(small_model("laplace"), 0).posterior(0, 0);
  EXPECT_EQ(laplace.mean, 0);
  EXPECT_NEAR(laplace.variance, 4, 1e-12);
  EXPECT_NEAR(factor::ScorePrior(small_model("exponential"), 0).posterior(0, 0).mean, 2, 1e-12);
}

TEST(ScorePosterior, StaysFiniteFarOut) {
  const factor::ScorePosterior far = factor::ScorePrior(small_model("exponential"), 0).posterior(-1e6, 1);
  EXPECT_NEAR(far.mean, 1e-6, 1e-11);  // an exponential of that rate
  EXPECT_GE(far.variance, 0);
}

}  // namespace
}  // namespace tamis
