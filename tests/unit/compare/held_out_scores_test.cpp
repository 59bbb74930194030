#include "compare/held_out_scores.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/family/family.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

constexpr double rounding = 1e-12;

// One column that is the predictor itself, so predictions are what the test writes down.
struct Rows {
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> offset = {};

  Rows(const std::vector<double>& predictor, std::vector<double> response, std::vector<double> w = {})
      : X(std::ssize(predictor), 1), y(std::move(response)), weights(std::move(w)) {
    std::ranges::copy(predictor, X.col(0));
  }
  Problem problem(const Design& design, std::string_view family) const {
    return {.X = design, .y = y, .likelihood = tamis::family(family), .weights = weights, .offset = offset};
  }
};

Fit identity_fit(std::string_view family) {
  Fit fit;
  fit.family = family;
  fit.features = {"x1"};
  fit.coefficients = {1.0};
  return fit;
}

FoldResult scored(const Rows& rows, std::string_view family, const Fit& fit) {
  const DenseDesign X(rows.X.view());
  std::vector<Index> all;
  for (Index i = 0; i < rows.X.rows(); ++i) all.push_back(i);
  return score_held_out(fit, tamis::family(family), Part(rows.problem(X, family), all)).result;
}

TEST(HeldOutScores, GaussianScoresOfThreeRowsByHand) {
  Fit fit = identity_fit("gaussian");
  fit.noise_variance = 4.0;
  const FoldResult result = scored(Rows({0, 1, 2}, {1, 1, -2}), "gaussian", fit);
  EXPECT_NEAR(result.error, std::sqrt((1 + 0 + 16) / 3.0), rounding);
  EXPECT_NEAR(result.log_score.value(), -0.5 * std::log(2 * M_PI * 4) - (1 + 0 + 16) / 3.0 / 8, rounding);
  EXPECT_NEAR(result.coverage.value(), 2 / 3.0, rounding);  // |4| > 1.645 * 2
}

TEST(HeldOutScores, ARowOfWeightTwoIsTheRowTwice) {
  Fit fit = identity_fit("gaussian");
  fit.noise_variance = 1.0;
  const FoldResult weighted = scored(Rows({0, 1}, {1, 4}, {2, 1}), "gaussian", fit);
  const FoldResult twice = scored(Rows({0, 0, 1}, {1, 1, 4}), "gaussian", fit);
  EXPECT_NEAR(weighted.error, twice.error, rounding);
  EXPECT_NEAR(*weighted.log_score, *twice.log_score, rounding);
  EXPECT_NEAR(*weighted.coverage, *twice.coverage, rounding);
}

TEST(HeldOutScores, AFitWithoutNoiseHasNoDensity) {
  const FoldResult result = scored(Rows({0, 1}, {1, 1}), "gaussian", identity_fit("gaussian"));
  EXPECT_NEAR(result.error, std::sqrt(0.5), rounding);
  EXPECT_FALSE(result.log_score.has_value());
  EXPECT_FALSE(result.coverage.has_value());
}

TEST(HeldOutScores, HugeResidualsDoNotOverflow) {
  EXPECT_NEAR(scored(Rows({0, 0}, {3e200, 4e200}), "gaussian", identity_fit("gaussian")).error / 1e200, std::sqrt(12.5),
              rounding);
}

TEST(HeldOutScores, BernoulliCountsTheLessProbableClassAsWrong) {
  // Probabilities 0.5 (called 1), 0.88, 0.27.
  const FoldResult result = scored(Rows({0, 2, -1}, {1, 0, 0}), "bernoulli", identity_fit("bernoulli"));
  EXPECT_NEAR(result.error, 1 / 3.0, rounding);
  const double expected = (std::log(0.5) + std::log(1 / (1 + std::exp(2.0))) + std::log(1 / (1 + std::exp(-1.0)))) / 3;
  EXPECT_NEAR(*result.log_score, expected, rounding);
}

TEST(HeldOutScores, ACertainMistakeCostsItsLogOddsNotInfinity) {
  EXPECT_NEAR(*scored(Rows({800}, {0}), "bernoulli", identity_fit("bernoulli")).log_score, -800, 1e-9);
}

TEST(HeldOutScores, PoissonIntervalHoldsTheQuantilesThemselves) {
  // Rate 4: P(Y <= 0) = 0.018, P(Y <= 1) = 0.092, P(Y <= 7) = 0.949, P(Y <= 8) = 0.979; the interval is 1 to 8.
  const double eta = std::log(4.0);
  const FoldResult result = scored(Rows({eta, eta, eta, eta}, {0, 1, 8, 9}), "poisson", identity_fit("poisson"));
  EXPECT_NEAR(*result.coverage, 0.5, rounding);
  // Deviance 2 (y log(y / 4) - y + 4).
  const double expected = 2 * (4 + (4 - 1 + std::log(0.25)) + (8 * std::log(2.0) - 4) + (9 * std::log(2.25) - 5)) / 4;
  EXPECT_NEAR(result.error, expected, 1e-9);
}

TEST(HeldOutScores, AnInfinitePredictionIsAFailureWithItsRow) {
  EXPECT_THAT(scored(Rows({0, 1000}, {1, 1}), "poisson", identity_fit("poisson")).failure,
              HasSubstr("prediction for row 2 is infinite"));
}

TEST(WithoutFeatures, IsTheMeanAndItsSpread) {
  const Rows rows({0, 0, 0}, {1, 2, 6});
  const DenseDesign X(rows.X.view());
  const Fit fit = fit_null_model(rows.problem(X, "gaussian"));
  EXPECT_NEAR(fit.intercept, 3, rounding);
  EXPECT_NEAR(*fit.noise_variance, (4 + 1 + 9) / 3.0, rounding);
}

TEST(WithoutFeatures, OffsetsAreTakenIntoAccount) {
  Rows rows({0, 0}, {3, 5});
  rows.offset = {std::log(1.0), std::log(3.0)};
  const DenseDesign X(rows.X.view());
  // Poisson: e^a (1 + 3) = 3 + 5.
  EXPECT_NEAR(fit_null_model(rows.problem(X, "poisson")).intercept, std::log(2.0), 1e-9);
  EXPECT_NEAR(fit_null_model(rows.problem(X, "gaussian")).intercept, 4 - std::log(3.0) / 2, 1e-9);
}

TEST(WithoutFeatures, WithoutAnInterceptThereIsOnlyTheOffset) {
  const Rows rows({0, 0}, {3, 5});
  const DenseDesign X(rows.X.view());
  Problem problem = rows.problem(X, "gaussian");
  problem.intercept = false;
  EXPECT_EQ(fit_null_model(problem).intercept, 0);
}

}  // namespace
}  // namespace tamis
