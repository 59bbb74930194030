#include "search/folds.hpp"

#include <gmock/gmock.h>

#include "tamis/design/design.hpp"

namespace tamis {
namespace {

using testing::IsEmpty;

Folds folds_of(const std::vector<double>& y, const char* family, int wanted) {
  const Matrix X(std::ssize(y), 1);
  const DenseDesign design(X);
  return make_folds({.X = design, .y = y, .likelihood = likelihood(family)}, wanted, 1);
}

TEST(Folds, AreAtMostOnePerRow) { EXPECT_EQ(folds_of({1, 2, 3, 4}, "gaussian", 10).count, 4); }

TEST(Folds, EveryTrainingSetOfCountsHasOneThatIsNotZero) {
  const std::vector<double> y{0, 0, 5, 0, 7, 0, 0, 0};
  const Folds folds = folds_of(y, "poisson", 4);
  ASSERT_EQ(folds.count, 4);
  EXPECT_NE(folds.fold_of_row[2], folds.fold_of_row[4]);
}

TEST(Folds, ThereAreNoneWhereATrainingSetWouldSayNothing) {
  EXPECT_THAT(folds_of({1, 2}, "gaussian", 10).fold_of_row, IsEmpty());
  EXPECT_THAT(folds_of({0, 0, 113}, "poisson", 10).fold_of_row, IsEmpty());
  EXPECT_THAT(folds_of({0, 1, 1, 1}, "bernoulli", 10).fold_of_row, IsEmpty());
  EXPECT_THAT(folds_of({0, 0, 0, 1}, "bernoulli", 10).fold_of_row, IsEmpty());
}

}  // namespace
}  // namespace tamis
