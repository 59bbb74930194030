#include "problem/response_shift.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/fit/draws.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;

struct Case {
  Matrix X{4, 1};
  DenseDesign design{X};
  std::vector<double> y = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 6}, weights = {}, offset = {};
  bool intercept = true;

  Problem problem() const {
    return {.X = design,
            .y = y,
            .likelihood = family("gaussian"),
            .weights = weights,
            .offset = offset,
            .intercept = intercept};
  }
};

std::vector<double> met(const Problem& problem) {
  const Control control;
  const ResponseShift centered(problem, control);
  return {centered.problem().y.begin(), centered.problem().y.end()};
}

TEST(ResponseShift, FarFromZeroIsMovedToItsMean) {
  Case c;
  EXPECT_THAT(met(c.problem()), ElementsAre(-2, -1, 0, 3));
  c.weights = {1, 1, 1, 0};
  EXPECT_THAT(met(c.problem()), ElementsAre(-1, 0, 1, 4));
}

TEST(ResponseShift, NearZeroConstantOrWithoutInterceptIsNotEvenCopied) {
  const Control control;
  Case near, constant, bare;
  near.y = {1, 2, 3, 6};
  constant.y = {0.1, 0.1, 0.1, 0.1};
  bare.intercept = false;
  for (const Case* c : {&near, &constant, &bare}) {
    const Problem problem = c->problem();
    EXPECT_EQ(ResponseShift(problem, control).problem().y.data(), c->y.data());
  }
}

TEST(ResponseShift, AnOffsetThatIsAsFarLeavesNothingToMove) {
  Case c;
  c.offset.assign(4, 1e9);
  EXPECT_EQ(met(c.problem()), c.y);
}

TEST(ResponseShift, InterceptsOfFitTargetsAndDrawsAreMovedBack) {
  const Case c;
  Matrix more(4, 1);
  for (Index i = 0; i < 4; ++i) more(i, 0) = -5e8 + static_cast<double>(i);
  Problem problem = c.problem();
  problem.more_responses = more;
  Draws draws;
  draws.posterior = {{.name = "noise", .values = {1}}, {.name = "intercept", .values = {0.5, -0.5}}};
  Control control;
  control.draws = &draws;
  control.validation.y = c.y;
  const ResponseShift centered(problem, control);
  EXPECT_THAT(centered.control().validation.y, ElementsAre(-2, -1, 0, 3));
  EXPECT_EQ(centered.problem().more_responses(0, 0), -1.5);
  Fit fit;
  fit.intercept = 0.25;
  fit.more_targets.resize(1);
  centered.move_back(fit);
  EXPECT_EQ(fit.intercept, 1e9 + 3.25);
  EXPECT_EQ(fit.more_targets[0].intercept, -5e8 + 1.5);
  EXPECT_THAT(draws.posterior[0].values, ElementsAre(1));
  EXPECT_THAT(draws.posterior[1].values, ElementsAre(1e9 + 3.5, 1e9 + 2.5));
}

}  // namespace
}  // namespace tamis
