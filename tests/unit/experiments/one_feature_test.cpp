#include "experiments/garrote/one_feature.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::garrote {
namespace {

TEST(OneFeatureGarrote, HasTheKnownCriticalPointAt100Samples) {
  EXPECT_NEAR(critical_correlation(100), 0.2457, 5e-5);
  EXPECT_FALSE((OneFeature{100, 0.2456}).coexistence().has_value());
  EXPECT_TRUE((OneFeature{100, 0.2458}).coexistence().has_value());
}

TEST(OneFeatureGarrote, SwitchesWhereTheExactSolutionDoes) {
  const OneFeature half{100, 0.5};
  EXPECT_NEAR(half.switch_gamma(), -34.657, 0.01);
  EXPECT_NEAR(half.exact_switch_gamma(), -34.657, 0.001);
}

TEST(OneFeatureGarrote, SolvesItsFixedPointEquation) {
  for (const double rho : {0.05, 0.2, 0.3, 0.5, 0.9}) {
    for (const double gamma : {-60.0, -35.0, -20.0, -10.0, 0.0}) {
      for (const double t : OneFeature{100, rho}.solutions(gamma)) {
        const double m = logistic(t);
        EXPECT_NEAR(t, gamma + 50 * rho / (1 - rho * m), 1e-9 * (1 + std::abs(t))) << rho << " " << gamma;  // Eq. 15
      }
    }
  }
}

TEST(OneFeatureGarrote, HasThreeSolutionsExactlyInsideTheRange) {
  const OneFeature problem{100, 0.5};
  const auto range = problem.coexistence();
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(problem.solutions(range->lower - 0.01).size(), 1u);
  EXPECT_EQ(problem.solutions(range->lower + 0.01).size(), 3u);
  EXPECT_EQ(problem.solutions(range->upper - 0.01).size(), 3u);
  EXPECT_EQ(problem.solutions(range->upper + 0.01).size(), 1u);
}

TEST(OneFeatureGarrote, HasAFlatFreeEnergyAtItsSolutions) {
  const OneFeature problem{100, 0.5};
  for (const double t : problem.solutions(-34)) {
    constexpr double h = 1e-4;
    const double slope = (problem.free_energy(t + h, -34) - problem.free_energy(t - h, -34)) / (2 * h);
    EXPECT_NEAR(slope, 0, 1e-7) << "a central difference of an F of size 50 keeps about eight digits";
  }
}

TEST(OneFeatureGarrote, TakesTheDeeperOfTwoMinima) {
  const OneFeature problem{100, 0.5};
  EXPECT_LT(problem.best_inclusion(problem.switch_gamma() - 0.1), 0.01);
  EXPECT_GT(problem.best_inclusion(problem.switch_gamma() + 0.1), 0.99);
}

TEST(OneFeatureGarrote, PassesOneHalfSmoothlyBelowTheCriticalCorrelation) {
  const OneFeature problem{100, 0.2};
  EXPECT_NEAR(problem.best_inclusion(problem.switch_gamma()), 0.5, 1e-9);
}

TEST(OneFeatureGarrote, ApproachesTheAsymptoticCriticalPointWithManySamples) {
  EXPECT_NEAR(critical_correlation(1e8) / (2 * std::sqrt(2 / 1e8)), 1, 1e-3);
  EXPECT_NEAR(critical_gamma(1e8) / -std::sqrt(2e8), 1, 1e-3);
}

}  // namespace
}  // namespace tamis::experiments::garrote
