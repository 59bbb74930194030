#include "report/data_check.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "unit/report/example_models.hpp"

namespace tamis {
namespace {

using testing::DoubleNear;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double rounding = 1e-12;  // sums of a few numbers of size one

// Columns: 1..8, twice that plus a wiggle, alternating signs, a constant.
Matrix columns() {
  Matrix X(8, 4);
  for (Index i = 0; i < 8; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    X(i, 0) = static_cast<double>(i + 1);
    X(i, 1) = 2 * X(i, 0) + 0.5 * sign;
    X(i, 2) = sign;
    X(i, 3) = 7;
  }
  return X;
}

TEST(Correlations, FindResemblingColumnsAndNoOthers) {
  const Matrix X = columns();
  const std::vector<Correlation> found = notable_correlations(DenseDesign(X), {{.feature = 0, .inclusion = 1}});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].first, 0);
  EXPECT_EQ(found[0].second, 1);
  EXPECT_FALSE(found[0].second_selected);
  // By hand: the product is 2 * 42 - 2 (the wiggle with 1..8), the squared lengths are 42 and 4 * 42 - 4 * 2 + 2.
  EXPECT_NEAR(found[0].value, (84 - 2) / std::sqrt(42.0 * (168 - 8 + 2)), rounding);
}

TEST(Correlations, NameEachPairOfSelectedFeaturesOnce) {
  const Matrix X = columns();
  const std::vector<Correlation> found =
      notable_correlations(DenseDesign(X), {{.feature = 1, .inclusion = 1}, {.feature = 0, .inclusion = 1}});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].second_selected);
}

TEST(Correlations, LeaveOutAConstantColumn) {
  const Matrix X = columns();
  EXPECT_THAT(notable_correlations(DenseDesign(X), {{.feature = 3, .inclusion = 1}}), IsEmpty());
}

TEST(CalibrationGroups, CompareTheMeanPredictionWithTheObservedShare) {
  std::vector<double> probability, y;
  for (int i = 0; i < 16; ++i) {
    probability.push_back(i < 8 ? 0.25 : 0.75);
    y.push_back(i % 4 == 0 ? 1 : 0);
  }
  const std::vector<CalibrationGroup> groups = calibration_groups(probability, y);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0].predicted, DoubleNear(0.25, rounding));
  EXPECT_THAT(groups[1].predicted, DoubleNear(0.75, rounding));
  EXPECT_THAT(groups[1].observed, DoubleNear(0.25, rounding));
  // Wilson's interval of 2 in 8 is from 0.0715 to 0.5907 (Wilson 1927; any table).
  EXPECT_NEAR(groups[1].lower, 0.0715, 1e-4);
  EXPECT_NEAR(groups[1].upper, 0.5907, 1e-4);
}

TEST(DataCheck, MeasuresErrorExplainedVarianceAndCoverage) {
  Fit fit = example_fit();
  fit.features = {"a"};
  fit.coefficients = {1};
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  fit.feature_spreads.clear();
  fit.intercept = 0;
  fit.noise_variance = 1;
  Matrix X(4, 1);
  for (Index i = 0; i < 4; ++i) X(i, 0) = static_cast<double>(i);
  const ReportData data{.source = "new.csv", .X = std::make_shared<DenseDesign>(X), .y = {0, 1, 2, 7}};
  const DataCheck check = check_data(fit, data);
  EXPECT_THAT(check.residuals, testing::ElementsAre(0, 0, 0, 4));
  EXPECT_DOUBLE_EQ(check.root_mean_square, 2);
  EXPECT_DOUBLE_EQ(check.explained.value(), 1 - 16.0 / 29);
  EXPECT_DOUBLE_EQ(check.covered.value(), 0.75);
  EXPECT_FALSE(check.labels_right.has_value());
}

TEST(DataCheck, CountsRightLabelsOfAClassifier) {
  Fit fit = example_fit();
  fit.family = "bernoulli";
  fit.features = {"a"};
  fit.coefficients = {1};
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  fit.feature_spreads.clear();
  fit.noise_variance.reset();
  fit.intercept = 0;
  Matrix X(4, 1);
  for (Index i = 0; i < 4; ++i) X(i, 0) = static_cast<double>(2 * i - 3);
  const DataCheck check = check_data(fit, {.source = "", .X = std::make_shared<DenseDesign>(X), .y = {0, 1, 1, 1}});
  EXPECT_DOUBLE_EQ(check.labels_right.value(), 0.75);
  EXPECT_THAT(check.calibration, SizeIs(1));
}

}  // namespace
}  // namespace tamis
