#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "method/penalized/penalized_path.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// Two orthogonal centered columns of unit standard deviation; X'y / n is (2, 1), so the lasso is soft thresholding.
class GivenPenalties : public ::testing::Test {
 protected:
  GivenPenalties() : X_(4, 2), y_{3, 1, -1, -3} {
    const std::vector<double> first{1, 1, -1, -1}, second{1, -1, 1, -1};
    std::ranges::copy(first, X_.col(0));
    std::ranges::copy(second, X_.col(1));
  }

  std::vector<PenalizedSolution> solve(std::vector<double> penalties) {
    const DenseDesign design(X_.view());
    const Problem problem{.X = design, .y = y_, .likelihood = family("gaussian")};
    std::vector<PenalizedSolution> solutions;
    with_threads(1, [&] { solutions = solve_penalized_path(problem, {}, {}, std::move(penalties)); });
    return solutions;
  }

  Matrix X_;
  std::vector<double> y_;
};

constexpr double path_precision = 1e-4;  // a path point meets its conditions to 1e-5 of the penalty

TEST_F(GivenPenalties, AreSolvedAsGivenAndInTheirOrder) {
  const std::vector<PenalizedSolution> solutions = solve({2.5, 1.5, 0.25});
  ASSERT_EQ(solutions.size(), 3u);
  EXPECT_EQ(solutions[0].penalty, 2.5);
  EXPECT_THAT(solutions[0].support, ::testing::IsEmpty());
  EXPECT_EQ(solutions[1].penalty, 1.5);
  ASSERT_THAT(solutions[1].support, ::testing::ElementsAre(0));
  EXPECT_NEAR(solutions[1].values[0], 0.5, path_precision);
  EXPECT_EQ(solutions[2].penalty, 0.25);
  ASSERT_THAT(solutions[2].support, ::testing::UnorderedElementsAre(0, 1));
  EXPECT_NEAR(solutions[2].values[0] + solutions[2].values[1], 1.75 + 0.75, path_precision);
}

TEST_F(GivenPenalties, MayStartAHairBelowTheLargestPenalty) {
  const std::vector<PenalizedSolution> solutions = solve({2 * (1 - 1e-15), 1.0});
  ASSERT_EQ(solutions.size(), 2u);
  ASSERT_THAT(solutions[1].support, ::testing::ElementsAre(0));
  EXPECT_NEAR(solutions[1].values[0], 1.0, path_precision);
}

TEST_F(GivenPenalties, MayBeNone) { EXPECT_THAT(solve({}), ::testing::IsEmpty()); }

}  // namespace
}  // namespace tamis
