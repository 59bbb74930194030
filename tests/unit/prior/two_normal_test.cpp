#include "prior/two_normal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace tamis {
namespace {

const TwoNormal priors[] = {{0.5, 1e-3, 5}, {0.5, 1e-6, 1}, {0.05, 1e-4, 2}, {0.9, 0.1, 1}};

TEST(TwoNormal, ThePrecisionIsTheSlopeOfTheLogDensity) {
  constexpr double accuracy = 1e-4;  // of a difference quotient over a thousandth of w, relative to the slope
  for (const TwoNormal& prior : priors) {
    for (const double w : {0.01, 0.05, 0.3, 2.0}) {
      const double step = 1e-3 * w;
      const double slope = (prior.log_density(w + step) - prior.log_density(w - step)) / (2 * step);
      EXPECT_NEAR(slope, -prior.precision(w) * w, accuracy * std::abs(slope)) << "w " << w;
    }
  }
}

TEST(TwoNormal, AParabolaOfThatPrecisionLiesBelowTheLogDensity) {
  for (const TwoNormal& prior : priors) {
    for (const double at : {0.0, 0.02, 0.2, 1.0}) {
      const double top = prior.log_density(at) + 0.5 * prior.precision(at) * at * at;
      for (double w = -3; w <= 3; w += 0.01) {
        EXPECT_LE(top - 0.5 * prior.precision(at) * w * w, prior.log_density(w) + 1e-9);
      }
    }
  }
}

TEST(TwoNormal, BeyondTheThresholdTheSlabIsMoreProbable) {
  for (const TwoNormal& prior : priors) {
    const double a = prior.threshold();
    if (a == 0) continue;
    EXPECT_NEAR(prior.slab_probability(a), 0.5, 1e-12);
    EXPECT_LT(prior.slab_probability(0.99 * a), 0.5);
    EXPECT_GT(prior.slab_probability(1.01 * a), 0.5);
  }
  EXPECT_EQ(TwoNormal(0.9, 0.5, 1).threshold(), 0);  // the slab is more probable even at 0
}

// A trapezium rule with steps far below every width converges faster than any power here: the integrand is smooth and
// vanishes at both ends.
double mean_by_brute_force(const TwoNormal& prior, double mean, double variance) {
  const double sd = std::sqrt(variance);
  constexpr int steps = 100'000;
  double sum = 0;
  for (int k = 0; k <= steps; ++k) {
    const double z = -10 + 20.0 * k / steps;
    sum += prior.slab_probability(mean + sd * z) * std::exp(-0.5 * z * z);
  }
  return sum * 20 / steps / std::sqrt(2 * std::numbers::pi);
}

TEST(TwoNormal, MeansOverANormalAreAccurateHoweverWideItIs) {
  constexpr double accuracy = 1e-10;
  for (const TwoNormal& prior : priors) {
    for (const double mean : {0.0, 0.02, -1.0}) {
      for (const double variance : {1e-8, 1e-4, 0.04, 1.0}) {
        EXPECT_NEAR(prior.mean_slab_probability(mean, variance), mean_by_brute_force(prior, mean, variance), accuracy)
            << "mean " << mean << " variance " << variance << " spike " << prior.spike_variance();
      }
    }
    EXPECT_EQ(prior.mean_slab_probability(0.3, 0), prior.slab_probability(0.3));
  }
}

// Variances around the spike's, where the shared rule begins and ends, and means up to beyond its places.
TEST(TwoNormal, ManyMeansAreThoseOfEach) {
  constexpr double accuracy = 1e-10;
  for (const TwoNormal& prior : {TwoNormal(0.5, 1e-3, 5), TwoNormal(0.2, 3e-7, 0.3), TwoNormal(0.9, 0.1, 1)}) {
    std::vector<double> means, variances;
    const double unit = std::sqrt(prior.spike_variance());
    for (const double mean : {0.0, 0.4, -3.1, 4.0, -20.0, 60.0}) {
      for (const double variance : {0.2, 0.25, 0.7, 1.0, 30.0, 900.0}) {
        means.push_back(mean * unit);
        variances.push_back(variance * prior.spike_variance());
      }
    }
    means.push_back(0.3);
    variances.push_back(0);
    std::vector<double> found(means.size());
    prior.mean_slab_probabilities(means, variances, found);
    for (std::size_t j = 0; j + 1 < found.size(); ++j) {
      EXPECT_NEAR(found[j], mean_by_brute_force(prior, means[j], variances[j]), accuracy)
          << "mean " << means[j] << " variance " << variances[j] << " spike " << prior.spike_variance();
    }
    EXPECT_EQ(found.back(), prior.slab_probability(0.3));
  }
}

}  // namespace
}  // namespace tamis
