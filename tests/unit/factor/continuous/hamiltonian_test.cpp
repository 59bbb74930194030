// Hamiltonian proposals leave their target alone: moments of draws against those of distributions that are known.
#include "factor/continuous/hamiltonian.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace tamis::factor {
namespace {

constexpr Index draws = 20000;

// A normal with correlation 0.6 and variances 1 and 4; the masses are its precisions, about.
double normal_density(std::span<const double> q, std::span<double> gradient) {
  const double a = q[0], b = q[1] / 2, rest = 1 - 0.6 * 0.6;
  gradient[0] = -(a - 0.6 * b) / rest;
  gradient[1] = -(b - 0.6 * a) / rest / 2;
  return -0.5 * (a * a - 1.2 * a * b + b * b) / rest;
}

TEST(HamiltonianDraws, HaveTheMomentsOfANormal) {
  std::vector<double> q = {0, 0};
  RandomStream random(1);
  double means[2] = {}, squares[2] = {}, product = 0, accepted = 0;
  for (Index i = 0; i < draws; ++i) {
    accepted += draw_hamiltonian(normal_density, std::vector<double>{1.0, 0.25}, {.step = 0.6, .steps = 3}, q, random);
    for (Index k : {0, 1}) {
      means[k] += q[k] / draws;
      squares[k] += q[k] * q[k] / draws;
    }
    product += q[0] * q[1] / draws;
  }
  // Draws of this chain are nearly independent: standard errors are at most 3 sd / sqrt(draws) = 0.02 sd; five of them.
  EXPECT_NEAR(means[0], 0, 0.1);
  EXPECT_NEAR(means[1], 0, 0.2);
  EXPECT_NEAR(squares[0], 1, 0.15);
  EXPECT_NEAR(squares[1], 4, 0.6);
  EXPECT_NEAR(product, 1.2, 0.3);
  EXPECT_GT(accepted / draws, 0.7);
}

TEST(HamiltonianDraws, StayBehindTheirWalls) {
  const LogDensity exponential = [](std::span<const double> q, std::span<double> gradient) {
    gradient[0] = -2;
    return -2 * q[0];
  };
  std::vector<double> q = {0.5};
  RandomStream random(2);
  double mean = 0, square = 0;
  for (Index i = 0; i < draws; ++i) {
    draw_hamiltonian(exponential, std::vector<double>{4.0}, {.step = 0.7, .steps = 4, .walls = true}, q, random);
    ASSERT_GE(q[0], 0);
    mean += q[0] / draws;
    square += q[0] * q[0] / draws;
  }
  EXPECT_NEAR(mean, 0.5, 0.05);
  EXPECT_NEAR(square, 0.5, 0.1);
}

TEST(HamiltonianDraws, OfAStepThatRunsAwayAreRefused) {
  std::vector<double> q = {1, -1};
  const std::vector<double> before = q;
  RandomStream random(3);
  EXPECT_EQ(draw_hamiltonian(normal_density, std::vector<double>{1.0, 1.0}, {.step = 1e300, .steps = 5}, q, random), 0);
  EXPECT_EQ(q, before);
}

}  // namespace
}  // namespace tamis::factor
