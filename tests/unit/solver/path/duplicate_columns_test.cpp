// Columns of a support that say the same are found and joined, others are not.
#include "solver/path/duplicate_columns.hpp"

#include <gmock/gmock.h>

#include "tamis/base/random.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;

struct Case {
  Matrix X{20, 5};
  std::vector<double> y = std::vector<double>(20), weights = std::vector<double>(20, 0.05);
  std::vector<double> factors = {};

  Case() {
    for (Index j = 0; j < 5; ++j) RandomStream(5, static_cast<std::uint64_t>(j)).normals(X.column(j));
  }
  void copy(Index from, Index to, double by, double shift = 0) {
    for (Index i = 0; i < 20; ++i) X(i, to) = by * X(i, from) + shift;
  }
  PenalizedSolution joined(std::vector<std::int32_t> support, std::vector<double> values) const {
    const DenseDesign dense(X);
    const StandardizedDesign standardized(dense, std::make_shared<const ColumnMoments>(column_moments(dense, weights)));
    const PenalizedLoss problem{
        .X = standardized, .likelihood = family("gaussian"), .y = y, .weights = weights, .factors = factors};
    return join_duplicates(problem, {.penalty = 1, .support = std::move(support), .values = std::move(values)});
  }
};

TEST(JoinDuplicates, GivesTheFirstOfEqualColumnsTheCoefficientsOfAll) {
  Case c;
  c.copy(1, 3, 1);
  c.copy(1, 4, 1);
  const PenalizedSolution found = c.joined({4, 0, 1, 3}, {0.25, 7, 1, 0.5});
  EXPECT_THAT(found.support, ElementsAre(0, 1));
  EXPECT_THAT(found.values, ElementsAre(7, 1.75));
}

TEST(JoinDuplicates, KnowsAColumnInAnotherUnitAndItsNegative) {
  Case c;
  c.copy(1, 3, -1e3, 300);
  const PenalizedSolution found = c.joined({1, 3}, {1, -0.5});
  EXPECT_THAT(found.support, ElementsAre(1));
  EXPECT_THAT(found.values, ElementsAre(1.5));
}

TEST(JoinDuplicates, LeavesColumnsApartThatDifferInOneRow) {
  Case c;
  c.copy(1, 3, 1);
  c.X(7, 3) += 1e-3;
  EXPECT_THAT(c.joined({1, 3}, {1, 0.5}).support, ElementsAre(1, 3));
  c.weights[7] = 0;  // where nobody looks
  EXPECT_THAT(c.joined({1, 3}, {1, 0.5}).support, ElementsAre(1));
}

TEST(JoinDuplicates, PrefersTheSmallerPenaltyAndLeavesUnpenalizedOnesAlone) {
  Case c;
  c.copy(1, 3, 1);
  c.factors = {1, 2, 1, 1, 1};
  EXPECT_THAT(c.joined({1, 3}, {1, 0.5}).support, ElementsAre(3));
  c.factors = {1, 0, 1, 1, 1};
  EXPECT_THAT(c.joined({1, 3}, {1, 0.5}).support, ElementsAre(1, 3));
}

TEST(JoinDuplicates, LeavesOneAlone) {
  EXPECT_THAT(Case().joined({2}, {1}).values, ElementsAre(1));
  EXPECT_THAT(Case().joined({}, {}).support, ElementsAre());
}

}  // namespace
}  // namespace tamis
