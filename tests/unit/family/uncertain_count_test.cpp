#include "family/uncertain_count.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "family/poisson_cdf.hpp"

namespace tamis {
namespace {

// Narrow and wide beliefs, few and many, with and without the limit in reach.
const LogRate beliefs[] = {{0, 0.01, 9}, {-2, 4, 9}, {3, 1, 9}, {3, 0.04, 9}, {7, 2, 20}, {7, 2, 7.5}, {14, 0.5, 20}};

// The mean over 16,000 values of the log rate.
template <class Function>
double by_brute_force(const LogRate& belief, const Function& f) {
  double sum = 0, total = 0;
  for (double u = -8; u <= 8; u += 0.001) {
    const double psi = std::min(belief.mean + std::sqrt(belief.variance) * u, belief.largest);
    sum += std::exp(-0.5 * u * u) * f(std::exp(psi));
    total += std::exp(-0.5 * u * u);
  }
  return sum / total;
}

TEST(CountCdf, IsTheMeanOverTheLogRate) {
  constexpr double tolerance = 2e-4;  // of 15 nodes and of 37
  for (const LogRate& belief : beliefs) {
    for (const double deviate : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      const double count = std::floor(std::exp(belief.mean + deviate * std::sqrt(belief.variance)));
      const double expected = by_brute_force(belief, [&](double rate) { return poisson_cdf(count, rate); });
      EXPECT_NEAR(count_cdf(belief, count), expected, tolerance)
          << belief.mean << " +- " << std::sqrt(belief.variance) << " at " << count;
    }
  }
}

TEST(LogCountProbability, IsTheMeanOverTheLogRate) {
  constexpr double tolerance = 2e-3;  // of the log
  for (const LogRate& belief : beliefs) {
    for (const double deviate : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      const double count = std::floor(std::exp(belief.mean + deviate * std::sqrt(belief.variance)));
      if (count > std::exp(belief.largest)) continue;  // brute force underflows
      const double expected = by_brute_force(
          belief, [&](double rate) { return std::exp(count * std::log(rate) - rate - std::lgamma(count + 1)); });
      EXPECT_NEAR(log_count_probability(belief, count), std::log(expected), tolerance)
          << belief.mean << " +- " << std::sqrt(belief.variance) << " at " << count;
    }
  }
}

// Nodes that meet the peak of a huge count by chance, or miss it, would say anything.
TEST(LogCountProbability, OfAHugeCountIsThatOfItsLogRate) {
  const double at_mean = -0.5 * std::log(2 * std::numbers::pi * 4) - std::log(1e12);
  EXPECT_NEAR(log_count_probability({std::log(1e12), 4, 60}, 1e12), at_mean, 1e-3);
  EXPECT_NEAR(log_count_probability({std::log(1e12) - 20, 4, 60}, 1e12), at_mean - 50, 1e-3);
  EXPECT_LT(log_count_probability({std::log(1e12), 4, 3}, 1e12), -1e12) << "a limit far below it";
}

TEST(CountQuantile, OfAnUncertainLargeRateIsThatOfTheRate) {
  const LogRate belief{12, 0.25, 30};
  EXPECT_NEAR(std::log(count_quantile(belief, 0.025)), 12 - 1.96 * 0.5, 0.001);
  EXPECT_NEAR(std::log(count_quantile(belief, 0.975)), 12 + 1.96 * 0.5, 0.001);
}

TEST(CountQuantile, OfACertainRateIsThatOfThePoissonDistribution) {
  EXPECT_EQ(count_quantile({std::log(4.0), 0, 9}, 0.025), 1);  // e^-4 = 0.018, and 0.092 with a count of 1
  EXPECT_EQ(count_quantile({-30, 0, 9}, 0.975), 0);
  const double rate = std::exp(41), reach = 1.96 * std::sqrt(rate);
  EXPECT_NEAR(count_quantile({41, 0, 60}, 0.975), rate + reach, 0.001 * reach);
}

TEST(CountQuantile, StopsAtTheLimit) {
  EXPECT_NEAR(count_quantile({50, 100, std::log(1e9)}, 0.975), 1e9 + 1.96 * std::sqrt(1e9), 1e4);
}

}  // namespace
}  // namespace tamis
