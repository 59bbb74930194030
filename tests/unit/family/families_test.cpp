// Values of single families that the contract cannot know.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tamis/family/family.hpp"

namespace tamis {
namespace {

const Family& gaussian = family("gaussian");
const Family& bernoulli = family("bernoulli");
const Family& poisson = family("poisson");

// Rounding of a few operations, relative.
constexpr double close = 1e-14;

std::pair<double, double> derivatives(const Family& family, double y, double eta) {
  double residual = 0, curvature = 0;
  family.derivatives(std::span(&y, 1), std::span(&eta, 1), std::span(&residual, 1), std::span(&curvature, 1));
  return {residual, curvature};
}

TEST(Gaussian, SaysWhatItIs) {
  EXPECT_TRUE(gaussian.is_quadratic());
  EXPECT_TRUE(gaussian.has_noise());
  EXPECT_TRUE(gaussian.quadratic_is_bound());
  EXPECT_FALSE(bernoulli.is_quadratic() || poisson.is_quadratic());
  EXPECT_FALSE(bernoulli.has_noise() || poisson.has_noise());
  EXPECT_TRUE(bernoulli.quadratic_is_bound());
  EXPECT_FALSE(poisson.quadratic_is_bound());
}

TEST(Gaussian, HasUnitNoise) {
  EXPECT_NEAR(gaussian.log_density(3, 1), -2 - 0.5 * std::log(2 * 3.14159265358979323846), close);
  EXPECT_EQ(gaussian.loss(3, 1), 2);
  EXPECT_EQ(gaussian.conjugate(3, 2), -4);  // at eta = 1: -2 * 1 - 2
  EXPECT_EQ(gaussian.deviance(3, 1), 4);
}

TEST(Bernoulli, LossesFarOutAreLinearOrVanishWithoutLosingDigits) {
  EXPECT_EQ(bernoulli.loss(0, 800), 800);
  EXPECT_EQ(bernoulli.loss(1, 800), 0);
  EXPECT_EQ(bernoulli.loss(1, -800), 800);
  EXPECT_NEAR(bernoulli.loss(1, 40) / std::exp(-40.0), 1, close);
  EXPECT_NEAR(bernoulli.loss(0, -40) / std::exp(-40.0), 1, close);
  EXPECT_NEAR(bernoulli.loss(1, 0), std::log(2.0), close);
}

TEST(Bernoulli, ResidualsFarOutKeepTheirDigits) {
  EXPECT_NEAR(derivatives(bernoulli, 1, 40).first / std::exp(-40.0), 1, close);
  EXPECT_NEAR(derivatives(bernoulli, 0, -40).first / -std::exp(-40.0), 1, close);
  EXPECT_NEAR(derivatives(bernoulli, 1, 40).second / std::exp(-40.0), 1, close);
  EXPECT_EQ(derivatives(bernoulli, 0, 800).first, -1);
  EXPECT_EQ(derivatives(bernoulli, 1, -800).first, 1);
  EXPECT_EQ(derivatives(bernoulli, 1, 800).first, 0);
}

TEST(Bernoulli, QuadraticIsTheOneOfJaakkolaAndJordan) {
  for (const double mean : {0.0, 1e-9, 0.01, 0.0499, 0.0501, 0.3, 2.0, 30.0, 800.0}) {
    for (const double variance : {0.0, 1e-6, 0.7}) {
      const double y = 1, xi = std::sqrt(mean * mean + variance);
      double weight = 0, working = 0;
      bernoulli.quadratic(std::span(&y, 1), std::span(&mean, 1), std::span(&variance, 1), std::span(&weight, 1),
                          std::span(&working, 1));
      const double expected = xi == 0 ? 0.25 : std::tanh(xi / 2) / (2 * xi);
      EXPECT_NEAR(weight / expected, 1, close) << "xi " << xi;
      EXPECT_NEAR(working * expected, 0.5, close);
    }
  }
}

TEST(Bernoulli, BoundTouchesAtBothSignsOfXi) {
  const double y = 0, mean = 1.2, variance = 0.81;
  const double xi = 1.5;  // 1.44 + .81 = 2.25
  double weight = 0, working = 0;
  const double constant = bernoulli.quadratic(std::span(&y, 1), std::span(&mean, 1), std::span(&variance, 1),
                                              std::span(&weight, 1), std::span(&working, 1));
  for (const double eta : {xi, -xi}) {
    EXPECT_NEAR(constant - 0.5 * weight * (working - eta) * (working - eta), bernoulli.log_density(y, eta), close);
  }
}

TEST(Bernoulli, ConjugateIsNegativeEntropyInsideAndInfiniteOutside) {
  EXPECT_NEAR(bernoulli.conjugate(1, 0.5), -std::log(2.0), close);
  EXPECT_EQ(bernoulli.conjugate(1, 0), 0);
  EXPECT_EQ(bernoulli.conjugate(0, -1), 0);
  EXPECT_EQ(bernoulli.conjugate(1, -0.1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(bernoulli.conjugate(1, 1.1), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(bernoulli.conjugate(1, 1e-20) / (1e-20 * (std::log(1e-20) - 1)), 1, close);  // u = 1 - 1e-20
}

TEST(Poisson, HasTheDensityOfCounts) {
  // e^-2 2^3 / 3!
  EXPECT_NEAR(poisson.log_density(3, std::log(2.0)), -2 + 3 * std::log(2.0) - std::log(6.0), close);
  EXPECT_NEAR(poisson.deviance(3, std::log(2.0)), 2 * (3 * std::log(1.5) - 1), close);
  EXPECT_NEAR(poisson.deviance(0, 0), 2, close);
}

TEST(Poisson, ContinuesSmoothlyBeyondTheLargestLogRate) {
  const double edge = 300, h = 1e-6;
  EXPECT_NEAR(poisson.mean(edge + h) / poisson.mean(edge - h), 1, 3 * h);
  EXPECT_NEAR(derivatives(poisson, 5, edge + h).second / derivatives(poisson, 5, edge - h).second, 1, 3 * h);
  EXPECT_NEAR(poisson.mean(301) / std::exp(300.0), 2, close);     // e^300 (1 + 1)
  EXPECT_NEAR(poisson.loss(0, 302) / std::exp(300.0), 5, close);  // e^300 (1 + 2 + 2)
  EXPECT_NEAR(poisson.link(poisson.mean(450)), 450, 1e-10);
}

TEST(Poisson, ConjugateFollowsTheContinuation) {
  for (const double eta : {299.0, 300.0, 305.0, 800.0}) {
    const double residual = derivatives(poisson, 5, eta).first;
    const double attained = -residual * eta - poisson.loss(5, eta);
    EXPECT_NEAR(poisson.conjugate(5, residual) / attained, 1, 1e-12) << eta;
  }
}

TEST(Poisson, ConjugateIsInfiniteWhereTheRateWouldBeNegative) {
  EXPECT_EQ(poisson.conjugate(3, 3.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(poisson.conjugate(3, 3), 0);
  EXPECT_NEAR(poisson.conjugate(3, 1), 2 * std::log(2.0) - 2, close);
}

}  // namespace
}  // namespace tamis
