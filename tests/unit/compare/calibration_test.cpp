#include "compare/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tamis {
namespace {

TEST(Reliability, IsTheShareOfEachBinByHand) {
  // Bin [0.1, 0.2): predicted 0.15 twice, observed 1 of 2; bin [0.9, 1]: predicted 0.9 and 1, observed 2 of 2.
  const std::vector<double> y = {1, 0, 1, 1}, probability = {0.15, 0.15, 0.9, 1.0};
  const std::vector<CalibrationPoint> points = reliability(y, probability, {});
  ASSERT_EQ(points.size(), 2);
  EXPECT_NEAR(points[0].observed, 0.5, 1e-12);
  EXPECT_NEAR(points[1].expected, 0.95, 1e-12);
  EXPECT_NEAR(calibration_error(points).value(), 0.5 * 0.35 + 0.5 * 0.05, 1e-12);
}

TEST(Reliability, CountsByWeight) {
  const std::vector<double> y = {1, 0}, probability(2, 0.75), weights = {3, 1};
  EXPECT_NEAR(calibration_error(reliability(y, probability, weights)).value(), 0, 1e-12);
  EXPECT_FALSE(calibration_error({}).has_value());
}

TEST(IntervalCoverage, CountsTheRowsInsideEachLevel) {
  // Deviates 0, 0.6 and 3: inside 10 % (0.126 sd), 50 % (0.674 sd) and none of them.
  const std::vector<double> y = {0, 1.2, 6}, mean(3, 0.0), sd(3, 2.0);
  const std::vector<CalibrationPoint> points = interval_coverage(y, mean, sd, {});
  EXPECT_NEAR(points[0].expected, 0.1, 1e-12);
  EXPECT_NEAR(points[0].observed, 1 / 3.0, 1e-12);
  EXPECT_NEAR(points[4].observed, 2 / 3.0, 1e-12);
  EXPECT_NEAR(points.back().observed, 2 / 3.0, 1e-12);
  EXPECT_TRUE(interval_coverage(y, mean, std::vector<double>{1, 0, 1}, {}).empty());
}

// Shares at predictors -1 and 1 chosen so that the line through their logits is known.
TEST(CalibrationSlope, IsTheSlopeOfTheObservedLogits) {
  const std::vector<double> y = {1, 0, 1, 0}, predictor = {-1, -1, 1, 1};
  const std::vector<double> weights = {1, 3, 3, 1};  // shares 1/4 and 3/4: logits -log 3 and log 3
  EXPECT_NEAR(calibration_slope(family("bernoulli"), y, predictor, weights).value(), std::log(3.0), 1e-8);
  const std::vector<double> too_sure = {-4, -4, 4, 4};
  EXPECT_NEAR(calibration_slope(family("bernoulli"), y, too_sure, weights).value(), std::log(3.0) / 4, 1e-8);
}

TEST(CalibrationSlope, IsNoneWhereNoneExists) {
  const std::vector<double> y = {0, 0, 1, 1};
  EXPECT_FALSE(
      calibration_slope(family("bernoulli"), y, std::vector<double>{-2, -1, 1, 2}, {}).has_value());     // separated
  EXPECT_FALSE(calibration_slope(family("bernoulli"), y, std::vector<double>(4, 0.3), {}).has_value());  // flat
}

}  // namespace
}  // namespace tamis
