// The prior of selection probabilities, by numerical integration and maximization.
#include "prior/selection_prior.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

double normal(double w, double variance) {
  return std::exp(-0.5 * w * w / variance) / std::sqrt(2 * std::numbers::pi * variance);
}

// Section 3.3 before it is simplified: the mean of s and s^2 under p(s | w) of Eq. 10, w at a value.
TEST(SelectionPrior, MomentsAreThoseOfTheSelectionProbabilityGivenTheCoefficient) {
  constexpr double spike = 0.01, slab = 2, tolerance = 1e-9;
  for (const SelectionPrior prior : {SelectionPrior{1, 1}, SelectionPrior{0.5, 3}, SelectionPrior{4, 2.5}}) {
    for (const double w : {0.0, 0.2, 0.35, 1.0}) {
      const boost::math::beta_distribution<double> density(prior.a, prior.b);
      boost::math::quadrature::tanh_sinh<double> integrator;
      const auto moment = [&](int power) {
        return integrator.integrate(
            [&](double s) {
              return std::pow(s, power) * (s * normal(w, slab) + (1 - s) * normal(w, spike)) *
                     boost::math::pdf(density, s);
            },
            0.0, 1.0);
      };
      const double mass = moment(0), mean = moment(1) / mass, variance = moment(2) / mass - mean * mean;
      const TwoNormal marginal(prior.inclusion(), spike, slab);
      const SelectionPrior::Moments moments = prior.posterior(marginal.slab_probability(w));
      EXPECT_NEAR(moments.mean, mean, tolerance);
      EXPECT_NEAR(moments.variance, variance, tolerance);
      EXPECT_NEAR(marginal.log_density(w), std::log(mass), tolerance);
    }
  }
}

double log_joint(double w, double s, double spike, double slab, const SelectionPrior& prior) {
  double value = std::log(s * normal(w, slab) + (1 - s) * normal(w, spike)) + std::lgamma(prior.a + prior.b) -
                 std::lgamma(prior.a) - std::lgamma(prior.b);
  if (prior.a > 1) value += (prior.a - 1) * std::log(s);
  if (prior.b > 1) value += (prior.b - 1) * std::log1p(-s);
  return value;
}

TEST(BestSelection, NoGridOfSelectionProbabilitiesHoldsABetterOne) {
  constexpr double spike = 0.01, slab = 2, rounding = 1e-12;
  for (const SelectionPrior prior : {SelectionPrior{1, 1}, SelectionPrior{1, 4}, SelectionPrior{3, 1},
                                     SelectionPrior{2, 2}, SelectionPrior{1.1, 30}}) {
    const BestSelection best(TwoNormal(0.5, spike, slab), prior);
    for (double w = 0; w < 1.2; w += 0.013) {
      const double s = best.selection(w);
      ASSERT_GE(s, 0);
      ASSERT_LE(s, 1);
      EXPECT_NEAR(best.log_density(w), log_joint(w, s, spike, slab, prior), 1e-9) << w << ' ' << s;
      for (int k = 0; k <= 1000; ++k) {
        EXPECT_GE(best.log_density(w), log_joint(w, k / 1000.0, spike, slab, prior) - rounding) << w << ' ' << k;
      }
    }
  }
}

TEST(BestSelection, PrecisionIsTheSlopeOfTheDensityAndFallsWithTheCoefficient) {
  constexpr double spike = 0.01, slab = 2, step = 1e-5;
  const BestSelection best(TwoNormal(0.5, spike, slab), {2, 5});
  double before = HUGE_VAL;
  for (double w = 0.01; w < 1.2; w += 0.01) {
    const double slope = (best.log_density(w + step) - best.log_density(w - step)) / (2 * step);
    EXPECT_NEAR(best.precision(w) * w, -slope, 1e-4 * std::max(1.0, -slope)) << w;
    EXPECT_LE(best.precision(w), before);
    before = best.precision(w);
  }
}

TEST(BestSelection, UnderAUniformPriorIsTheHardThresholdOfThePaper) {
  constexpr double spike = 0.01, slab = 2;
  const TwoNormal even(0.5, spike, slab);
  const BestSelection best(even, {1, 1});
  EXPECT_NEAR(best.threshold(), even.threshold(), 1e-12);
  EXPECT_EQ(best.selection(0.99 * even.threshold()), 0);
  EXPECT_EQ(best.selection(1.01 * even.threshold()), 1);
  EXPECT_EQ(best.precision(0.99 * even.threshold()), 1 / spike);
}

TEST(BestSelection, StandsHugeCoefficients) {
  const BestSelection best(TwoNormal(0.5, 1e-6, 1), {1, 50});
  EXPECT_GT(best.selection(1e3), 0.01);
  EXPECT_TRUE(std::isfinite(best.log_density(1e3)));
  EXPECT_NEAR(best.precision(1e3), 1, 1e-12);
}

}  // namespace
}  // namespace tamis
