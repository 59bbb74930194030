#include "base/branch_free.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tamis {
namespace {

// Two units in the last place: what the header promises.
constexpr double tolerance = 2 * std::numeric_limits<double>::epsilon();

TEST(BranchFree, ExpIsWithinTwoUnitsInTheLastPlace) {
  for (double x = -708; x <= 709; x += 0.0137) {
    ASSERT_NEAR(branch_free::exp(x) / std::exp(x), 1, tolerance) << x;
  }
  for (double x = -1e-3; x <= 1e-3; x += 1.7e-6) ASSERT_NEAR(branch_free::exp(x) / std::exp(x), 1, tolerance) << x;
}

TEST(BranchFree, ExpVanishesFarBelowAndKeepsNaN) {
  EXPECT_EQ(branch_free::exp(-709), 0);
  EXPECT_EQ(branch_free::exp(-1e300), 0);
  EXPECT_EQ(branch_free::exp(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(branch_free::exp(0), 1);
  EXPECT_TRUE(std::isnan(branch_free::exp(std::nan(""))));
}

TEST(BranchFree, Log1pIsWithinTwoUnitsInTheLastPlace) {
  for (double t = 1; t > 1e-300; t *= 0.9731) ASSERT_NEAR(branch_free::log1p(t) / std::log1p(t), 1, tolerance) << t;
  EXPECT_EQ(branch_free::log1p(0), 0);
}

}  // namespace
}  // namespace tamis
