// Predictions: scores by hand.
#include "factor/model/predictive.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

// Two draws of one binary cell, with probabilities 0.2 and 0.6: the NLP averages probabilities, not their logs.
TEST(PredictiveTally, AveragesProbabilitiesOverDraws) {
  Matrix data(1, 2);
  FactorProblem problem;
  problem.dense = data;
  problem.family = "bernoulli";
  problem.test_cells = {{0, 1, 1.0}};
  const factor::Cells cells(problem);
  factor::PredictiveTally tally(cells, cells.targets(false));
  factor::FactorState state(cells, 1, true);
  for (const double probability : {0.2, 0.6}) {
    state.loading_row(1)[1] = std::log(probability / (1 - probability));
    tally.add(state);
  }
  EXPECT_NEAR(tally.nlp_bits(), -std::log2(0.4), 1e-12);
  EXPECT_NEAR(tally.rmse(), 0.6, 1e-12);
}

// Squares of predictors, which only intervals need, are not kept then.
TEST(PredictiveTally, GivesTheSameScoresWhenItKeepsNoMore) {
  const Matrix data = table({{10, 0}, {20, hole}, {30, 0}, {40, 1}});
  FactorProblem problem;
  problem.dense = data;
  problem.test_cells = {{1, 0, 24.0}, {2, 1, 0.5}};
  const factor::Cells cells(problem);
  using Keeps = factor::PredictiveTally::Keeps;
  factor::PredictiveTally all(cells, cells.targets(false), Keeps::predictions);
  factor::PredictiveTally some(cells, cells.targets(false), Keeps::scores), others = some;
  factor::FactorState state(cells, 1, true);
  for (const double intercept : {0.2, -0.6, 0.1}) {
    for (const Index d : {0, 1}) state.loading_row(1)[d] = intercept;
    all.add(state);
    (intercept > 0 ? some : others).add(state);
  }
  some.merge(std::move(others));
  EXPECT_DOUBLE_EQ(some.nlp_bits(), all.nlp_bits());
  EXPECT_DOUBLE_EQ(some.rmse(), all.rmse());
}

TEST(PredictiveTally, ScoresGaussianCellsOnTheScaleOfTheData) {
  const Matrix data = table({{10, 0}, {20, hole}, {30, 0}, {40, 1}});
  FactorProblem problem;
  problem.dense = data;
  problem.test_cells = {{1, 0, 24.0}};
  const factor::Cells cells(problem);
  factor::PredictiveTally tally(cells, cells.targets(false));
  tally.set(0.3, [](const factor::TargetCell&) { return factor::Belief{0.5, 0.2}; });
  const double scale = cells.scale(0), mean = cells.center(0) + 0.5 * scale, variance = 0.5 * scale * scale;
  const double density = -0.5 * (std::log(2 * std::numbers::pi * variance) + (24 - mean) * (24 - mean) / variance);
  EXPECT_NEAR(tally.nlp_bits(), -density / std::numbers::ln2, 1e-9);
  EXPECT_NEAR(tally.rmse(), std::abs(24 - mean), 1e-9);
}

}  // namespace
}  // namespace tamis
