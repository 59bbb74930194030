// Backward elimination by BIC, which stands beside Bayesian Masking in its figures.
#include <gmock/gmock.h>

#include <cmath>

#include "experiments/masking/experiments.hpp"
#include "tamis/base/random.hpp"

namespace tamis::experiments::masking {
namespace {

// Normal columns, weights as given, noise of variance 1.
SimulatedSet draw(Index n, const std::vector<double>& weights, std::uint64_t seed) {
  SimulatedSet set;
  set.X = Matrix(n, std::ssize(weights));
  set.y = Matrix(n, 1);
  RandomStream(seed, 1).normals(set.y.column(0));
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const auto k = static_cast<Index>(j);
    RandomStream(seed, 2, j).normals(set.X.column(k));
    for (Index i = 0; i < n; ++i) set.y(i, 0) += weights[j] * set.X(i, k);
  }
  return set;
}

TEST(BackwardElimination, KeepsWhatMattersAndLittleElse) {
  std::vector<double> weights(20, 0.0);
  weights[3] = weights[11] = 1;
  for (const double noise : {1.0, std::nan("")}) {
    int kept = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const std::vector<double> b = backward_elimination(draw(200, weights, seed), noise);
      EXPECT_NEAR(b[3], 1, 0.3);
      EXPECT_NEAR(b[11], 1, 0.3);
      for (const double value : b) kept += value != 0;
    }
    // Each of 18 chance features exceeds log(200) with probability .021: four in ten sets.
    EXPECT_GE(kept, 20);
    EXPECT_LE(kept, 32);
  }
}

TEST(BackwardElimination, WhatIsLeftIsLeastSquares) {
  const SimulatedSet set = draw(100, {1, 0, 2, 0}, 5);
  const std::vector<double> b = backward_elimination(set, std::nan(""));
  for (Index j = 0; j < 4; ++j) {
    if (b[j] == 0) continue;
    double slope = 0;
    for (Index i = 0; i < 100; ++i) {
      double r = set.y(i, 0);
      for (Index k = 0; k < 4; ++k) r -= set.X(i, k) * b[k];
      slope += set.X(i, j) * r;
    }
    EXPECT_NEAR(slope, 0, 1e-9);
  }
}

TEST(BackwardElimination, TheUnbiasedNoiseIsThatOfTheResidual) {
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    mean += unbiased_noise(draw(40, std::vector<double>(20, 0.5), seed)) / 50;
  EXPECT_NEAR(mean, 1, 0.15);  // standard error sqrt(2 / 20 / 50) = .045
}

}  // namespace
}  // namespace tamis::experiments::masking
