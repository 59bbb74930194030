// How factors of different draws are matched before they are averaged.
#include "factor/model/match_factors.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

TEST(BestAssignment, FindsThePermutationOfLargestGain) {
  Matrix gain(3, 3);
  const double rows[3][3] = {{7, 5, 9}, {8, 6, 1}, {9, 2, 4}};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) gain(i, j) = rows[i][j];
  }
  EXPECT_THAT(factor::best_assignment(gain), testing::ElementsAre(2, 1, 0));  // 9 + 6 + 9
}

TEST(BestAssignment, EndsWhereGainsAreNotFinite) {
  Matrix gain(2, 2);
  gain(0, 0) = gain(0, 1) = std::numeric_limits<double>::quiet_NaN();
  gain(1, 0) = 1;
  gain(1, 1) = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(factor::best_assignment(gain), testing::ElementsAre(1, 0));
}

// The same factors in another order, with other signs and lengths, are the same.
TEST(FactorAverage, MatchesFactorsBeforeItAverages) {
  Matrix data(3, 2);
  FactorProblem problem;
  problem.dense = data;
  const factor::Cells cells(problem);
  factor::FactorState one(cells, 2, false);
  one.scores = {1, 0, 2, 1, 0, -1};
  one.loadings = {3, 1, -1, 2};
  factor::FactorState other = one;
  other.scores = {0, -2, 0.5, -4, -0.5, 0};  // second factor halved and first doubled, flipped, and both swapped
  other.loadings = {-2, 4, -1.5, -0.5};
  factor::FactorAverage average(one);
  average.add(one);
  average.add(other);
  std::vector<double> scores;
  for (Index n = 0; n < 3; ++n) {
    for (Index k = 0; k < 2; ++k) scores.push_back(average.scores().score(n, k));
  }
  EXPECT_THAT(scores, testing::Pointwise(testing::DoubleNear(1e-6), one.scores));
  EXPECT_THAT(average.mean().loadings, testing::Pointwise(testing::DoubleNear(1e-9), one.loadings));
}

}  // namespace
}  // namespace tamis
