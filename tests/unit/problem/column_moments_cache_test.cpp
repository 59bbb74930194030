#include "problem/column_moments_cache.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::array<double, 6> values{1, 2, 3, 4, 6, 8};
constexpr std::array<double, 3> y{1, 0, 2};

TEST(ColumnMomentsCache, AreThoseOfTheProblemWhileTheyLive) {
  const DenseDesign X(ConstMatrixView(values.data(), 3, 2));
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian")};
  const ColumnMomentsCache known(problem);
  EXPECT_THAT(known.moments().mean, ElementsAre(2, 6));
  EXPECT_EQ(ColumnMomentsCache::of(problem).get(), &known.moments());
}

TEST(ColumnMomentsCache, OfOtherWeightsAreTakenAnew) {
  const DenseDesign X(ConstMatrixView(values.data(), 3, 2));
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian")};
  const std::array<double, 3> weights{1, 0, 0};
  const Problem weighted{.X = X, .y = y, .likelihood = family("gaussian"), .weights = weights};
  const ColumnMomentsCache known(problem);
  {
    const ColumnMomentsCache inner(weighted);
    EXPECT_THAT(ColumnMomentsCache::of(weighted)->mean, ElementsAre(1, 4));
    EXPECT_THAT(ColumnMomentsCache::of(problem)->mean, ElementsAre(2, 6));
  }
  EXPECT_THAT(ColumnMomentsCache::of(weighted)->mean, ElementsAre(1, 4));
}

TEST(ColumnMomentsCache, TellOfANumberThatIsNoneEvenWhereItsRowDoesNotCount) {
  std::array<double, 6> broken = values;
  broken[4] = std::nan("");
  const DenseDesign X(ConstMatrixView(broken.data(), 3, 2));
  const std::array<double, 3> weights{1, 0, 1};
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian"), .weights = weights};
  EXPECT_THAT([&] { fit(problem, "lasso"); }, ThrowsMessage<InvalidInput>(HasSubstr("row 2, column 2 ('x2') is NaN")));
}

}  // namespace
}  // namespace tamis
