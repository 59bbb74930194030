#include "experiments/factor/block_oracle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tamis::experiments::factor_models {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::Pointwise;

constexpr double flips = 0.1, rounding = 1e-12;

// One image without any flip, of the first block or of none at all.
Simulation one_image(double first_block) {
  Simulation drawn = simulate("factor.block-images", 1, {{"n", 1}});
  for (Index k = 0; k < drawn.truth.scores.cols(); ++k) drawn.truth.scores(0, k) = k == 0 ? first_block : 0;
  for (Index d = 0; d < drawn.train.X.cols(); ++d) drawn.train.X(0, d) = first_block * drawn.truth.loadings(0, d);
  return drawn;
}

FactorProblem problem_of(const Simulation& drawn, std::vector<TestCell> tests) {
  return {.dense = drawn.train.X, .family = "bernoulli", .test_cells = std::move(tests)};
}

FactorProblem usual_problem(const Simulation& drawn) {
  FactorProblem problem = problem_of(drawn, {});
  problem.test_cells = draw_test_cells(problem, 0.1, drawn.seed);
  return problem;
}

double bits(const FactorProblem& problem, const std::vector<double>& probabilities) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum -= std::log2(problem.test_cells[i].value != 0 ? probabilities[i] : 1 - probabilities[i]);
  }
  return sum;
}

TEST(BlockOracle, ToldTheImagesDoubtsOnlyTheFlips) {
  const Simulation drawn = one_image(1);
  const FactorProblem problem = problem_of(drawn, {{0, 1, 1}, {0, 0, 0}, {0, 3, 0}});
  EXPECT_THAT(oracle_probabilities(drawn, problem, Told::images),
              Pointwise(DoubleNear(rounding), {1 - flips, flips, flips}));
}

// The first block has five pixels, 1, 6, 7, 8 and 13: the more of them are hidden, the less is known about it.
TEST(BlockOracle, ToldTheBlocksWeighsThemByTheVisiblePixels) {
  const Simulation drawn = one_image(1);
  const auto with_block = [](double visible) {
    const double odds = std::pow((1 - flips) / flips, visible);
    const double share = odds / (1 + odds);
    return share * (1 - flips) + (1 - share) * flips;
  };
  EXPECT_THAT(oracle_probabilities(drawn, problem_of(drawn, {{0, 1, 1}}), Told::blocks),
              ElementsAre(DoubleNear(with_block(4), rounding)));
  EXPECT_THAT(
      oracle_probabilities(drawn, problem_of(drawn, {{0, 1, 1}, {0, 6, 1}, {0, 7, 1}, {0, 8, 1}}), Told::blocks),
      Each(DoubleNear(with_block(1), rounding)));
}

TEST(BlockOracle, FallsBackOnTheInclusionRateWhereABlockIsHiddenWholly) {
  const Simulation drawn = one_image(1);
  const FactorProblem problem = problem_of(drawn, {{0, 1, 1}, {0, 6, 1}, {0, 7, 1}, {0, 8, 1}, {0, 13, 1}});
  EXPECT_THAT(oracle_probabilities(drawn, problem, Told::blocks), Each(DoubleNear(0.5, rounding)));
}

// Five numbers of each pixel have to be learned from 90 images: that costs some bits, and the blocks are still plain.
TEST(BlockOracle, KnowsLessTheLessItIsTold) {
  double images = 0, blocks = 0, scores = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Simulation drawn = simulate("factor.block-images", seed);
    const FactorProblem problem = usual_problem(drawn);
    images += bits(problem, oracle_probabilities(drawn, problem, Told::images));
    blocks += bits(problem, oracle_probabilities(drawn, problem, Told::blocks));
    scores += bits(problem, oracle_probabilities(drawn, problem, Told::scores));
  }
  EXPECT_LT(images, blocks);
  EXPECT_LT(blocks, scores);
  EXPECT_LT(scores, 3 * 220);  // without factors: 3 * 306
}

TEST(BlockOracle, DoesNotLookAtHiddenPixels) {
  Simulation drawn = simulate("factor.block-images", 1);
  FactorProblem problem = usual_problem(drawn);
  for (const Told told : {Told::images, Told::blocks, Told::scores}) {
    const std::vector<double> before = oracle_probabilities(drawn, problem, told);
    for (TestCell& cell : problem.test_cells) {
      cell.value = 1 - cell.value;
      drawn.train.X(cell.row, cell.column) = cell.value;
    }
    EXPECT_EQ(oracle_probabilities(drawn, problem, told), before);
  }
}

}  // namespace
}  // namespace tamis::experiments::factor_models
