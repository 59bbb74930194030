#include "search/folds.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tamis/design/design.hpp"

namespace tamis {
namespace {

using testing::IsEmpty;

Folds folds_of(const std::vector<double>& y, const char* family, int wanted) {
  const Matrix X(std::ssize(y), 1);
  const DenseDesign design(X);
  return make_folds({.X = design, .y = y, .likelihood = tamis::family(family)}, wanted, 1);
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

// Pearson's chi-square of inner against outer folds in the training sets of five outer folds, over its degrees of
// freedom: 1 by chance.
double dependence(FoldDraw outer_draw, Index n, int seeds) {
  constexpr int outer_count = 5, inner_count = 5;
  const auto draw = [](Index rows, int count, std::uint64_t seed, FoldDraw purpose) {
    const Matrix X(rows, 1);
    const DenseDesign design(X);
    const std::vector<double> y(rows, 1.0);
    return make_folds({.X = design, .y = y, .likelihood = family("gaussian")}, count, seed, purpose).fold_of_row;
  };
  double square = 0, freedom = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const std::vector<int> outer = draw(n, outer_count, static_cast<std::uint64_t>(seed), outer_draw);
    for (int held_out = 0; held_out < outer_count; ++held_out) {
      std::vector<int> left;
      std::ranges::copy_if(outer, std::back_inserter(left), [&](int fold) { return fold != held_out; });
      const std::vector<int> inner =
          draw(std::ssize(left), inner_count, static_cast<std::uint64_t>(seed), FoldDraw::search);
      double common[outer_count][inner_count] = {};
      for (std::size_t i = 0; i < left.size(); ++i) ++common[left[i]][inner[i]];
      const double expected = static_cast<double>(left.size()) / ((outer_count - 1) * inner_count);
      for (int a = 0; a < outer_count; ++a) {
        if (a == held_out) continue;
        for (const double each : common[a]) square += (each - expected) * (each - expected) / expected;
      }
      freedom += (outer_count - 2) * (inner_count - 1);
    }
  }
  return square / freedom;
}

TEST(Folds, OfAComparisonTellNothingAboutThoseOfTheSearchesInside) {
  constexpr int seeds = 400;
  const double freedom = seeds * 5.0 * 12;
  // Rows of a fold are drawn without replacement, so the statistic is a little above 1: 100 / 99. Five standard errors.
  const double tolerance = 5 * std::sqrt(2 / freedom);
  EXPECT_NEAR(dependence(FoldDraw::comparison, 100, seeds), 100.0 / 99, tolerance);
  EXPECT_GT(dependence(FoldDraw::search, 100, seeds), 100.0 / 99 + tolerance) << "one stream for both would show";
}

}  // namespace
}  // namespace tamis
