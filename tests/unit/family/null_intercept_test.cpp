#include "family/null_intercept.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tamis {
namespace {

using Values = std::vector<double>;

double null_of(std::string_view family, const Values& y, const Values& offset, const Values& weights = {}) {
  return null_intercept(tamis::family(family), y, weights, offset);
}

// Sum of the residuals over the sum of their sizes.
double imbalance(std::string_view family, const Values& y, const Values& offset, double intercept) {
  Values eta(offset), residual(y.size()), curvature(y.size());
  for (double& e : eta) e += intercept;
  tamis::family(family).derivatives(y, eta, residual, curvature);
  double sum = 0, size = 0;
  for (const double r : residual) {
    sum += r;
    size += std::abs(r);
  }
  return std::abs(sum) / size;
}

TEST(NullIntercept, WithoutAnOffsetIsTheLinkOfTheMean) {
  EXPECT_EQ(null_of("gaussian", {1, 2, 6}, {}), 3);
  EXPECT_EQ(null_of("bernoulli", {0, 1, 0, 0}, {}), family("bernoulli").link(0.25));
  EXPECT_EQ(null_of("poisson", {0, 2, 7}, {}), std::log(3.0));
  EXPECT_EQ(null_of("gaussian", {1, 2, 6}, {}, {1, 1, 0}), 1.5);
}

TEST(NullIntercept, OfCountsIsTheLogarithmOfEventsOverExposure) {
  const Values exposure = {10, 2000, 35, 0.5};
  Values offset;
  for (const double e : exposure) offset.push_back(std::log(e));
  EXPECT_NEAR(null_of("poisson", {3, 130, 1, 0}, offset), std::log(134 / 2045.5), 1e-14);
}

TEST(NullIntercept, OfGaussianDataIsTheMeanOfWhatTheOffsetLeaves) {
  EXPECT_NEAR(null_of("gaussian", {1, 2, 6}, {10, -20, 3}, {1, 2, 1}), (-9 + 44 + 3) / 4.0, 1e-14);
}

TEST(NullIntercept, OfAConstantOffsetIsLessByIt) {
  for (const double c : {-1000.0, -30.0, 0.1, 10.0, 300.0, 1000.0}) {
    const Values offset(4, c);
    EXPECT_EQ(null_of("bernoulli", {0, 1, 0, 0}, offset), family("bernoulli").link(0.25) - c);
    EXPECT_EQ(null_of("poisson", {900, 1200, 1100, 800}, offset), std::log(1000.0) - c);
  }
}

TEST(NullIntercept, BalancesTheResidualsHoweverFarOffsetsAreApart) {
  for (const double far : {0.5, 5.0, 40.0, 600.0}) {
    const Values offset = {-far, 0.3 * far, far, 0.9 * far, -0.2 * far, 0.25 * far};
    // Of two classes that the offsets part, the intercept lies between them; of counts it serves the largest rates.
    const Values coins = {0, 1, 0, 1, 1, 0}, parted = {0, 1, 1, 1, 0, 0}, counts = {3, 0, 100, 17, 0, 4};
    EXPECT_LT(imbalance("bernoulli", coins, offset, null_of("bernoulli", coins, offset)), 1e-12) << far;
    EXPECT_LT(imbalance("bernoulli", parted, offset, null_of("bernoulli", parted, offset)), 1e-12) << far;
    EXPECT_LT(imbalance("poisson", counts, offset, null_of("poisson", counts, offset)), 1e-12) << far;
  }
}

TEST(NullIntercept, RowsOfWeightZeroHaveNoSay) {
  EXPECT_EQ(null_of("poisson", {4, 4, 900}, {2, 2, -700}, {1, 3, 0}), std::log(4.0) - 2);
}

TEST(NullIntercept, WithoutAFiniteMinimumIsInfinite) {
  EXPECT_EQ(null_of("poisson", {0, 0}, {1, 2}), -HUGE_VAL);
  EXPECT_EQ(null_of("bernoulli", {1, 1}, {}), HUGE_VAL);
}

}  // namespace
}  // namespace tamis
