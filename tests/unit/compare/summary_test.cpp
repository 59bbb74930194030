#include "compare/summary.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tamis {
namespace {

constexpr double rounding = 1e-12;

FoldResult fold(double error, std::vector<Index> kept = {}) {
  FoldResult result;
  result.error = error;
  result.kept = std::move(kept);
  return result;
}

FoldResult failed(std::string reason) {
  FoldResult result;
  result.failure = std::move(reason);
  return result;
}

Comparison of(std::vector<std::vector<FoldResult>> methods) {
  Comparison comparison;
  comparison.features = {"a", "b", "c", "d"};
  comparison.finished_folds = static_cast<int>(methods[0].size());
  for (auto& folds : methods) comparison.methods.emplace_back().folds = std::move(folds);
  summarize(comparison);
  return comparison;
}

TEST(Summary, MeanAndStandardErrorOverFolds) {
  const std::vector<double> values = {1, 2, 6};
  const FoldMean mean = mean_over_folds(values).value();
  EXPECT_NEAR(mean.mean, 3, rounding);
  EXPECT_NEAR(mean.standard_error.value(), std::sqrt(7.0 / 3), rounding);  // variance (4 + 1 + 9) / 2
  EXPECT_FALSE(mean_over_folds(std::vector<double>{5.0})->standard_error.has_value());
  EXPECT_FALSE(mean_over_folds({}).has_value());
}

TEST(Summary, TheExcessIsPairedFoldByFold) {
  // Folds differ much, methods by exactly 1 in each: a difference without any doubt.
  const Comparison comparison = of({{fold(2), fold(11), fold(101)}, {fold(1), fold(10), fold(100)}});
  EXPECT_EQ(comparison.best, 1);
  EXPECT_NEAR(comparison.methods[0].excess->mean, 1, rounding);
  EXPECT_NEAR(comparison.methods[0].excess->standard_error.value(), 0, rounding);
  EXPECT_GT(comparison.methods[0].error->standard_error.value(), 30);
}

TEST(Summary, AMethodThatMissedAFoldIsNotTheBestButIsCompared) {
  const Comparison comparison = of({{fold(1), failed("no")}, {fold(2), fold(50)}});
  EXPECT_EQ(comparison.best, 1);
  EXPECT_EQ(comparison.methods[0].scored, 1);
  EXPECT_NEAR(comparison.methods[0].excess->mean, -1, rounding);  // on the fold that both have
}

TEST(Summary, WithoutAnyFoldNothingIsSaid) {
  const Comparison comparison = of({{failed("no"), failed("no")}});
  EXPECT_FALSE(comparison.best.has_value());
  EXPECT_FALSE(comparison.methods[0].error.has_value());
  EXPECT_FALSE(comparison.methods[0].stability.has_value());
}

TEST(Summary, AgreementIsUnknownWhereAFitIsMissing) {
  Comparison comparison;
  comparison.features = {"a", "b"};
  comparison.methods.resize(2);
  comparison.methods[0].fit = Fit{};
  summarize(comparison);
  EXPECT_EQ(comparison.agreement(0, 0), 1);
  EXPECT_TRUE(std::isnan(comparison.agreement(0, 1)));
}

TEST(SelectionStability, IsOneForEqualSetsWhateverTheirSize) {
  EXPECT_NEAR(selection_stability({{0, 2}, {0, 2}, {0, 2}}, 10).value(), 1, rounding);
}

TEST(SelectionStability, FollowsTheFormulaByHand) {
  // Four features, two sets {0,1}, {0,2}: shares 1, 1/2, 1/2, 0; mean variance 2 (1/4 + 1/4) / 4 = 1/4; filled 1/2.
  EXPECT_NEAR(selection_stability({{0, 1}, {0, 2}}, 4).value(), 1 - 0.25 / 0.25, rounding);
  EXPECT_NEAR(selection_stability({{0}, {1}}, 2).value(), -1, rounding);  // opposite
}

TEST(SelectionStability, IsNoneWhereThereIsNoChoice) {
  EXPECT_FALSE(selection_stability({{}, {}}, 3).has_value());
  EXPECT_FALSE(selection_stability({{0, 1}, {0, 1}}, 2).has_value());
  EXPECT_FALSE(selection_stability({{0}}, 3).has_value());
}

TEST(Jaccard, IsCommonOverUnion) {
  EXPECT_NEAR(jaccard({0, 1, 2}, {1, 2, 5}), 0.5, rounding);
  EXPECT_EQ(jaccard({}, {}), 1);
  EXPECT_EQ(jaccard({}, {3}), 0);
}

}  // namespace
}  // namespace tamis
