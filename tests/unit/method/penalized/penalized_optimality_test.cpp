// lasso and elastic-net: returned solutions satisfy the optimality conditions, whatever else the problem has.
#include <gmock/gmock.h>

#include <limits>

#include "contract/method_cases.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

// The methods stop at 1e-8 relative to the penalty, and call ten times that converged.
constexpr double asked_tolerance = 1e-7;

class PenalizedOptimality : public testing::TestWithParam<std::string> {
 protected:
  PenalizedCase make(Index rows, Index cols, std::uint64_t seed = 1) const {
    contract::Example e = contract::make_example(family(GetParam()), rows, cols, seed);
    return {.family = GetParam(), .X = std::move(e.X), .y = std::move(e.y)};
  }

  static Fit solve(const PenalizedCase& c) {
    const DenseDesign design(c.X);
    std::map<std::string, OptionValue> options = {{"penalty", c.penalty}, {"nonnegative", c.nonnegative}};
    if (c.l1_ratio < 1) options["l1_ratio"] = c.l1_ratio;
    return fit(c.problem(design), c.l1_ratio < 1 ? "elastic-net" : "lasso", options);
  }

  // Solves with every mixture of the penalties and checks each solution.
  static void expect_optimal(PenalizedCase c) {
    for (const double l1_ratio : {1.0, 0.5, 0.05}) {
      for (const double penalty : {0.3, 0.05, 0.002}) {
        c.l1_ratio = l1_ratio;
        c.penalty = penalty;
        const Fit fit = solve(c);
        EXPECT_LE(kkt_violation(c, fit), asked_tolerance) << "l1_ratio " << l1_ratio << " penalty " << penalty;
        EXPECT_EQ(fit.status, Status::converged) << fit.message;
      }
    }
  }
};

TEST_P(PenalizedOptimality, HoldsForTallData) { expect_optimal(make(60, 8)); }

TEST_P(PenalizedOptimality, HoldsForWideData) { expect_optimal(make(25, 80)); }

TEST_P(PenalizedOptimality, HoldsWithoutIntercept) {
  PenalizedCase c = make(50, 10);
  c.intercept = false;
  expect_optimal(c);
}

TEST_P(PenalizedOptimality, HoldsWithoutStandardizing) {
  PenalizedCase c = make(50, 10);
  c.standardize = false;
  expect_optimal(c);
}

TEST_P(PenalizedOptimality, HoldsWithWeightsAndOffset) {
  PenalizedCase c = make(50, 10);
  for (Index i = 0; i < 50; ++i) {
    c.weights.push_back(0.25 * static_cast<double>(i % 5));  // some are zero
    c.offset.push_back(0.3 * std::sin(static_cast<double>(i)));
  }
  expect_optimal(c);
}

TEST_P(PenalizedOptimality, HoldsWithPenaltyFactors) {
  PenalizedCase c = make(60, 8);
  c.factors = {1, 0, std::numeric_limits<double>::infinity(), 0.2, 3, 0, 1, 1};
  expect_optimal(c);
  EXPECT_EQ(solve(c).coefficients[2], 0);
  EXPECT_NE(solve(c).coefficients[1], 0);
}

TEST_P(PenalizedOptimality, HoldsWhenThePenaltyOutlawsEverything) {
  PenalizedCase c = make(60, 4);
  c.factors.assign(4, std::numeric_limits<double>::infinity());
  const Fit fit = solve(c);
  EXPECT_THAT(fit.coefficients, testing::Each(0.0));
  EXPECT_LE(kkt_violation(c, fit), asked_tolerance);
}

TEST_P(PenalizedOptimality, HoldsForNonnegativeCoefficients) {
  PenalizedCase c = make(60, 12);
  c.nonnegative = true;
  expect_optimal(c);
  EXPECT_THAT(solve(c).coefficients, testing::Each(testing::Ge(0.0)));
}

TEST_P(PenalizedOptimality, HoldsForNonnegativeCoefficientsWithFactorsOnWideData) {
  PenalizedCase c = make(30, 60);
  c.nonnegative = true;
  for (Index j = 0; j < 60; ++j) c.factors.push_back(0.5 + 0.25 * static_cast<double>(j % 4));
  expect_optimal(c);
}

TEST_P(PenalizedOptimality, HoldsForDuplicateAndConstantColumns) {
  PenalizedCase c = make(40, 8);
  std::ranges::copy(c.X.column(0), c.X.column(5).begin());
  std::ranges::fill(c.X.column(6), 7.0);
  std::ranges::fill(c.X.column(7), 0.0);
  expect_optimal(c);
}

TEST_P(PenalizedOptimality, HoldsAtThePenaltyThatASearchChose) {
  for (const double l1_ratio : {1.0, 0.5}) {
    PenalizedCase c = make(80, 20);
    const DenseDesign design(c.X);
    const Fit fit = tamis::fit(c.problem(design), l1_ratio < 1 ? "elastic-net" : "lasso", {}, {.folds = 5});
    c.penalty = std::get<double>(fit.hyper.at("penalty"));
    c.l1_ratio = l1_ratio < 1 ? std::get<double>(fit.hyper.at("l1_ratio")) : 1.0;
    EXPECT_LE(kkt_violation(c, fit), asked_tolerance);
  }
}

TEST_P(PenalizedOptimality, TheObjectiveIsThePenalizedLoss) {
  PenalizedCase c = make(40, 8);
  c.l1_ratio = 0.5;
  c.factors = {1, 0, 2, 0.2, 3, 1, 1, 1};
  const Fit fit = solve(c);
  double expected = loss_of(c, fit);
  for (Index j = 0; j < 8; ++j) {
    const double b = fit.coefficients[j] * scale_of(c, j).spread;
    expected += c.penalty * c.factor(j) * (0.5 * std::abs(b) + 0.25 * b * b);
  }
  EXPECT_NEAR(fit.objective, expected, 1e-12 * (1 + std::abs(expected)));  // rounding of 40 terms
}

// Proximal gradient with a safe step: slow, and nothing in it can be wrong for long.
Fit slow_reference(const PenalizedCase& c) {
  const Index p = c.X.cols();
  double curvature = 0.5;
  for (Index j = 0; j < p; ++j) curvature += scale_of(c, j).spread > 0 ? 1.0 : 0.0;
  if (c.family == "poisson") curvature *= 8;  // the largest rate of the example
  Fit fit;
  fit.coefficients.assign(p, 0.0);
  fit.features.assign(p, "x");
  for (int step = 0; step < 20000; ++step) {
    const std::vector<double> eta = predictor_of(c, fit);
    double sum = 0;
    for (Index i = 0; i < c.X.rows(); ++i) sum += (c.y[i] - mean_of(c.family, eta[i])) / c.total_weight();
    fit.intercept += sum / curvature;
    for (Index j = 0; j < p; ++j) {
      const ColumnScale scale = scale_of(c, j);
      const double z = fit.coefficients[j] * scale.spread + pull_of(c, eta, j) / curvature;
      const double l1 = c.penalty * c.l1_ratio / curvature, l2 = c.penalty * (1 - c.l1_ratio) / curvature;
      const double b = std::copysign(std::max(0.0, std::abs(z) - l1), z) / (1 + l2);
      fit.intercept -= scale.mean * (b / scale.spread - fit.coefficients[j]);
      fit.coefficients[j] = b / scale.spread;
    }
  }
  return fit;
}

TEST_P(PenalizedOptimality, AgreesWithASlowReference) {
  for (const double l1_ratio : {1.0, 0.5}) {
    PenalizedCase c = make(20, 4, 3);
    c.l1_ratio = l1_ratio;
    contract::expect_same_answer(slow_reference(c), solve(c), c.X, /*tolerance=*/1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PenalizedOptimality, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tamis
