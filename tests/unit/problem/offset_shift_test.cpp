#include "problem/offset_shift.hpp"

#include <gmock/gmock.h>

#include "tamis/fit/draws.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
  Matrix X{4, 1};
  DenseDesign design{X};
  std::vector<double> y = {1, 0, 2, 5}, weights = {}, offset = {};
  bool intercept = true;

  Problem problem() const {
    return {.X = design,
            .y = y,
            .likelihood = family("poisson"),
            .weights = weights,
            .offset = offset,
            .intercept = intercept};
  }
};

std::vector<double> met(const Case& c) {
  const Control control;
  const Problem problem = c.problem();
  const OffsetShift centered(problem, control);
  return {centered.problem().offset.begin(), centered.problem().offset.end()};
}

TEST(OffsetShift, IsMetLessItsMean) {
  EXPECT_THAT(met({.offset = {1, 2, 3, 6}}), ElementsAre(-2, -1, 0, 3));
  EXPECT_THAT(met({.weights = {1, 1, 1, 0}, .offset = {1, 2, 3, 6}}), ElementsAre(-1, 0, 1, 4));
}

TEST(OffsetShift, AConstantIsNotMetAtAll) {
  EXPECT_THAT(met({.offset = {0.1, 0.1, 0.1, 0.1}}), IsEmpty());
  EXPECT_THAT(met({.weights = {1, 0.3, 0, 2}, .offset = {0.1, 0.1, 900, 0.1}}), IsEmpty());
}

TEST(OffsetShift, WithoutAnInterceptOnlyZerosGo) {
  EXPECT_THAT(met({.offset = {1, 2, 3, 6}, .intercept = false}), ElementsAre(1, 2, 3, 6));
  EXPECT_THAT(met({.offset = {4, 4, 4, 4}, .intercept = false}), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(met({.offset = {0, 0, 0, 0}, .intercept = false}), IsEmpty());
}

TEST(OffsetShift, ValidationRowsLoseTheLevelOfTheTrainingRows) {
  const Case c{.offset = {1, 2, 3, 6}};
  const std::vector<double> offset = {3, 10};
  Control control;
  control.validation = {.X = &c.design, .y = std::span(c.y).first(2), .offset = offset};
  const Problem problem = c.problem();
  EXPECT_THAT(OffsetShift(problem, control).control().validation.offset, ElementsAre(0, 7));
  control.validation.offset = {};  // zeros
  EXPECT_THAT(OffsetShift(problem, control).control().validation.offset, ElementsAre(-3, -3));
}

TEST(OffsetShift, InterceptsOfFitTargetsAndDrawsAreMovedBack) {
  const Case c{.offset = {2, 2, 2, 2}};
  Draws draws;
  draws.posterior = {{.name = "noise", .values = {1}}, {.name = "intercept", .values = {0.5, -0.5}}};
  Control control;
  control.draws = &draws;
  const Problem problem = c.problem();
  Fit fit;
  fit.intercept = 0.25;
  fit.more_targets.resize(1);
  OffsetShift(problem, control).move_back(fit);
  EXPECT_EQ(fit.intercept, -1.75);
  EXPECT_EQ(fit.more_targets[0].intercept, -2);
  EXPECT_THAT(draws.posterior[0].values, ElementsAre(1));
  EXPECT_THAT(draws.posterior[1].values, ElementsAre(-1.5, -2.5));
}

}  // namespace
}  // namespace tamis
