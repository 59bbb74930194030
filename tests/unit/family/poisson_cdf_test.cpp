#include "family/poisson_cdf.hpp"

#include <gmock/gmock.h>

namespace tamis {
namespace {

TEST(PoissonCdf, IsTheSumOfItsProbabilities) {
  EXPECT_DOUBLE_EQ(poisson_cdf(0, 2), std::exp(-2));
  EXPECT_NEAR(poisson_cdf(2, 2), 5 * std::exp(-2), 1e-15);
  EXPECT_NEAR(poisson_cdf(2.5, 2), 5 * std::exp(-2), 1e-15);
  EXPECT_EQ(poisson_cdf(-1, 2), 0);
  EXPECT_EQ(poisson_cdf(0, 0), 1);
}

TEST(PoissonCdf, KnowsHugeCountsAndRates) {
  EXPECT_EQ(poisson_cdf(1e12, 5), 1);
  EXPECT_EQ(poisson_cdf(5, 1e12), 0);
  EXPECT_NEAR(poisson_cdf(1e18, 1e18), 0.5, 1e-6);
  EXPECT_NEAR(poisson_cdf(1e12 + 1.959964e6, 1e12), 0.975, 1e-5);
}

// Where the tails are cut off and where the normal limit begins nothing is seen to jump.
TEST(PoissonCdf, HasNoSeams) {
  for (const double rate : {0.01, 3.0, 1e3, 1e6}) {
    const double reach = 12 * std::sqrt(rate) + 60;
    EXPECT_NEAR(poisson_cdf(std::floor(rate + reach), rate), 1, 1e-15);
    EXPECT_NEAR(poisson_cdf(std::ceil(rate - reach), rate), 0, 1e-15);
  }
  constexpr double limit_error = 1e-4;  // as the source promises
  for (const double deviate : {-2.0, 0.0, 2.0}) {
    const double count = std::floor(1e6 + deviate * 1e3);
    EXPECT_NEAR(poisson_cdf(count, 1e6), poisson_cdf(count, 1e6 + 1e-3), limit_error);
  }
}

}  // namespace
}  // namespace tamis
