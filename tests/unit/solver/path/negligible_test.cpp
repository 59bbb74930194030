// Which coefficients are of rounding size.
#include "solver/path/negligible.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tamis {
namespace {

using testing::ElementsAre;

// Four columns of length 1 (curvature 1), penalty 2: a coefficient b moves gradients by b / 2 thresholds.
struct Case {
  Matrix X{1, 4};
  DenseDesign design{X};
  std::vector<double> y = {0};
  PenalizedLoss problem{.X = design, .likelihood = family("gaussian"), .y = y, .weights = {1}};
  PenalizedSolution solution{.penalty = 2, .support = {0, 1, 2, 3}, .values = {1, 0.1, -1e-9, 1e-9}};
  std::vector<double> curvature = {1, 1, 1, 1};

  std::vector<std::int32_t> kept(double tolerance) const {
    return without_negligible(problem, solution, curvature, tolerance).support;
  }
};

TEST(Negligible, AreThoseThatTogetherMoveNoGradientByMoreThanTheTolerance) {
  const Case c;
  EXPECT_THAT(c.kept(1e-8), ElementsAre(0, 1));
  EXPECT_THAT(c.kept(1.01e-9), ElementsAre(0, 1));
  EXPECT_THAT(c.kept(0.99e-9), ElementsAre(0, 1, 3));  // each would do, both are too much
  EXPECT_THAT(c.kept(0.49e-9), ElementsAre(0, 1, 2, 3));
}

TEST(Negligible, DoNotDependOnTheUnitOfTheirColumn) {
  Case c;
  c.curvature[2] = 1e12;  // a column a million times as long
  c.problem.factors = {1, 1, 1e6, 1};
  EXPECT_THAT(c.kept(1e-8), ElementsAre(0, 1, 2));
  c.solution.values[2] *= 1e-6;
  EXPECT_THAT(c.kept(1e-8), ElementsAre(0, 1));
}

TEST(Negligible, AreJudgedByTheGradientThatMindsMost) {
  Case c;
  c.problem.factors = {1e-3, 1, 1, 1};
  EXPECT_THAT(c.kept(1e-8), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(c.kept(1.01e-6), ElementsAre(0, 1));
}

TEST(Negligible, MoveTheirOwnRidgeToo) {
  Case c;
  c.problem.l1_ratio = 1e-3;
  // A thousandth of the penalty is the threshold, and the ridge as strong as the loss twice over.
  EXPECT_THAT(c.kept(2.9e-6), ElementsAre(0, 1, 3));
  EXPECT_THAT(c.kept(3.1e-6), ElementsAre(0, 1));
}

TEST(Negligible, AreNeverUnpenalized) {
  Case c;
  c.problem.factors = {1, 1, 0, 1};
  EXPECT_THAT(c.kept(1e-8), ElementsAre(0, 1, 2));
}

TEST(Negligible, CurvatureIsThatOfTheLoss) {
  Case c;
  c.X(0, 1) = 3;
  const std::vector<double> eta = {0.5};
  const Index columns[] = {1};
  EXPECT_THAT(curvature_of(c.problem, eta, Columns(columns)), ElementsAre(testing::DoubleEq(9)));
  const PenalizedLoss counts{.X = c.problem.X, .likelihood = family("poisson"), .y = c.y, .weights = {1}};
  EXPECT_THAT(curvature_of(counts, eta, Columns(columns)), ElementsAre(testing::DoubleNear(9 * std::exp(0.5), 1e-12)));
}

}  // namespace
}  // namespace tamis
