// The designs have the numbers that their papers print.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "experiments/designs.hpp"

namespace tamis::experiments {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

void expect_sizes(const Simulation& drawn, Index n, Index validation, Index test, Index p) {
  EXPECT_EQ(drawn.train.rows(), n);
  EXPECT_EQ(drawn.validation.rows(), validation);
  EXPECT_EQ(drawn.test.rows(), test);
  EXPECT_EQ(drawn.train.cols(), p);
}

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double covariance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum / static_cast<double>(a.size()) - mean(a) * mean(b);
}

double correlation(std::span<const double> a, std::span<const double> b) {
  return covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
}

// y - X b of the truth.
std::vector<double> noise(const SimulatedSet& set, const Truth& truth) {
  std::vector<double> residual(set.y.column(0).begin(), set.y.column(0).end());
  for (const Index j : truth.support) {
    const double weight = truth.coefficients(j, 0);
    if (set.sparse) {
      const auto& sparse = *set.sparse;
      for (Index k = sparse.starts[j]; k < sparse.starts[j + 1]; ++k) {
        residual[sparse.indices[k]] -= weight * sparse.values[k];
      }
    } else {
      for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= weight * set.X(static_cast<Index>(i), j);
    }
  }
  return residual;
}

// The variance of n normals has the relative standard error sqrt(2 / n); five of them.
void expect_noise_variance(const Simulation& drawn, double expected) {
  EXPECT_DOUBLE_EQ(drawn.truth.noise_variance, expected);
  const std::vector<double> residual = noise(drawn.train, drawn.truth);
  const double tolerance = 5 * std::sqrt(2 / static_cast<double>(residual.size()));
  EXPECT_NEAR(covariance(residual, residual) / expected, 1, tolerance);
}

TEST(GarroteDesigns, Example1IsOneOfAHundred) {
  const Simulation drawn = simulate("vg.example1", 1);
  expect_sizes(drawn, 50, 50, 400, 100);
  EXPECT_THAT(drawn.truth.support, ElementsAre(0));
  expect_noise_variance(simulate("vg.example1", 1, {{"n", 20000}}), 1);
}

TEST(GarroteDesigns, Example2HasFiveAndDecayingCorrelation) {
  const Simulation drawn = simulate("vg.example2", 1, {{"n", 40000}});
  expect_sizes(drawn, 40000, 50, 400, 100);
  EXPECT_THAT(drawn.truth.support, ElementsAre(0, 1, 4, 9, 49));
  const double tolerance = 5 / std::sqrt(40000.0);
  EXPECT_NEAR(correlation(drawn.train.X.column(3), drawn.train.X.column(4)), 0.5, tolerance);
  EXPECT_NEAR(correlation(drawn.train.X.column(3), drawn.train.X.column(6)), 0.125, tolerance);
  EXPECT_NEAR(covariance(drawn.train.X.column(99), drawn.train.X.column(99)), 1, 2 * tolerance);
}

TEST(GarroteDesigns, Example3HasAThirdInputMadeOfTheOthers) {
  const Simulation drawn = simulate("vg.example3a", 1, {{"n", 40000}});
  std::vector<double> own(40000);
  for (Index i = 0; i < 40000; ++i) {
    own[i] = drawn.train.X(i, 2) - 2.0 / 3 * (drawn.train.X(i, 0) + drawn.train.X(i, 1));
  }
  EXPECT_NEAR(covariance(own, own), 1.0 / 9, 1.0 / 9 * 5 * std::sqrt(2 / 40000.0));
  EXPECT_EQ(drawn.truth.coefficients(0, 0), 2);
  EXPECT_EQ(simulate("vg.example3b", 1).truth.coefficients(0, 0), -2);
}

TEST(GarroteDesigns, NoiseStudyHasTenUnitWeightsAtPlacesOfTheSeed) {
  const Simulation drawn = simulate("vg.noise", 1, {{"noise_variance", 1e-4}});
  expect_sizes(drawn, 100, 20, 400, 100);
  EXPECT_THAT(drawn.truth.support, SizeIs(10));
  for (const Index j : drawn.truth.support) EXPECT_EQ(drawn.truth.coefficients(j, 0), 1);
  EXPECT_NE(drawn.truth.support, simulate("vg.noise", 2).truth.support);
  expect_noise_variance(drawn, 1e-4);
}

TEST(GarroteDesigns, MixedNoiseStudyHasBothSignsOfWeightAndCorrelation) {
  const Simulation drawn = simulate("vg.noise-mixed", 1, {{"n", 5000}});
  EXPECT_EQ(drawn.validation.rows(), 5);
  std::set<double> weights;
  for (const Index j : drawn.truth.support) weights.insert(drawn.truth.coefficients(j, 0));
  EXPECT_THAT(weights, ElementsAre(-1, 1));
  int positive = 0, negative = 0;
  for (Index j = 0; j + 1 < 100; ++j) {
    const double neighbors = correlation(drawn.train.X.column(j), drawn.train.X.column(j + 1));
    EXPECT_NEAR(std::abs(neighbors), 0.95, 0.02);  // reversing the order of a sample is nearly a change of sign
    (neighbors > 0 ? positive : negative) += 1;
  }
  EXPECT_GT(positive, 20);
  EXPECT_GT(negative, 20);
}

TEST(GarroteDesigns, SampleStudyCountsItsWeights) {
  const Simulation drawn = simulate("vg.samples", 1, {{"n", 250}});
  expect_sizes(drawn, 250, 25, 400, 500);
  ASSERT_THAT(drawn.truth.support, SizeIs(50));
  for (Index k = 0; k < 50; ++k) {
    EXPECT_EQ(drawn.truth.coefficients(drawn.truth.support[k], 0), static_cast<double>(k + 1));
  }
  EXPECT_THAT(simulate("vg.samples", 1, {{"active_fraction", 0.25}}).truth.support, SizeIs(125));
}

TEST(GarroteDesigns, GenotypesAreCountsCorrelatedInBlocks) {
  const Simulation drawn = simulate("vg.genotypes", 1, {{"n", 4000}});
  std::set<double> seen(drawn.train.X.column(7).begin(), drawn.train.X.column(7).end());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
  EXPECT_GT(correlation(drawn.train.X.column(7), drawn.train.X.column(8)), 0.5);
  EXPECT_NEAR(correlation(drawn.train.X.column(24), drawn.train.X.column(25)), 0, 5 / std::sqrt(4000.0));
  const auto& support = drawn.truth.support;
  ASSERT_THAT(support, SizeIs(50));
  for (std::size_t k = 1; k < support.size(); ++k) {
    EXPECT_LE(std::abs(correlation(drawn.train.X.column(support[k - 1]), drawn.train.X.column(support[k]))), 0.9);
  }
}

TEST(GarroteDesigns, ScalingHasUncorrelatedFeaturesAndHalfTheNoise) {
  const Simulation drawn = simulate("vg.scaling", 1, {{"n", 10000}, {"p", 60}});
  expect_noise_variance(drawn, 0.5);
  EXPECT_NEAR(correlation(drawn.train.X.column(0), drawn.train.X.column(1)), 0, 5 / std::sqrt(10000.0));
  expect_sizes(simulate("vg.scaling", 1), 100, 100, 400, 1000);
}

TEST(MaskingDesigns, TwoFeaturesRepeatTheirTwoRows) {
  const Simulation drawn = simulate("bm.k2", 1);
  expect_sizes(drawn, 40, 0, 40, 2);
  EXPECT_EQ(drawn.train.X(38, 0), 1);
  EXPECT_EQ(drawn.train.X(38, 1), 0);
  EXPECT_EQ(drawn.train.X(39, 0), 0.5);
  EXPECT_EQ(drawn.train.X(39, 1), 1);
  expect_noise_variance(drawn, 0.005);
}

TEST(MaskingDesigns, HalfOfTheFeaturesAreIrrelevant) {
  const Simulation drawn = simulate("bm.k50", 1);
  expect_sizes(drawn, 1000, 0, 1000, 50);
  EXPECT_THAT(drawn.truth.support, SizeIs(25));
  EXPECT_NEAR(mean(drawn.train.X.column(0)), 0.5, 5 * std::sqrt(1.0 / 12 / 1000));
  expect_noise_variance(drawn, 0.2);
}

TEST(LaplaceDesigns, TwentyRelevantFeaturesComeInTwoGroups) {
  const Simulation drawn = simulate("flas.regression-n60", 1, {{"n", 20000}, {"p", 100}});
  ASSERT_THAT(drawn.truth.support, SizeIs(20));
  EXPECT_EQ(drawn.truth.coefficients(80, 0), 5);
  EXPECT_DOUBLE_EQ(drawn.truth.coefficients(85, 0), 5 / std::sqrt(10));
  EXPECT_EQ(drawn.truth.coefficients(90, 0), -5);
  const double tolerance = 5 / std::sqrt(20000.0);
  EXPECT_NEAR(correlation(drawn.train.X.column(80), drawn.train.X.column(89)), 0.81, tolerance);
  EXPECT_NEAR(correlation(drawn.train.X.column(89), drawn.train.X.column(90)), 0, tolerance);
  EXPECT_NEAR(correlation(drawn.train.X.column(0), drawn.train.X.column(1)), 0, tolerance);
  expect_noise_variance(drawn, 1);
}

TEST(LaplaceDesigns, ClassesAreTheSignOfThePredictor) {
  const Simulation drawn = simulate("flas.classification-n100", 1);
  expect_sizes(drawn, 100, 0, 200, 1000);
  const std::vector<double> residual = noise(drawn.train, drawn.truth);  // y - X b
  for (Index i = 0; i < 100; ++i) {
    const double y = drawn.train.y(i, 0);
    EXPECT_EQ(y, y - residual[i] > 0 ? 1 : 0);
  }
}

TEST(RelevanceDesigns, RecoveryIsNoiseless) {
  const Simulation drawn = simulate("ard.recovery", 1);
  expect_sizes(drawn, 50, 0, 0, 100);
  EXPECT_THAT(drawn.truth.support, SizeIs(20));
  for (const double residual : noise(drawn.train, drawn.truth)) EXPECT_NEAR(residual, 0, 1e-12);
  const Truth nonnegative = simulate("ard.nonnegative", 1).truth;
  for (const Index j : nonnegative.support) EXPECT_GT(nonnegative.coefficients(j, 0), 0);
}

TEST(RelevanceDesigns, ResponsesShareTheirSupport) {
  const Simulation drawn = simulate("ard.responses", 1, {{"responses", 3}});
  EXPECT_EQ(drawn.train.y.cols(), 3);
  EXPECT_THAT(drawn.truth.support, SizeIs(10));
  for (const Index j : drawn.truth.support) EXPECT_NE(drawn.truth.coefficients(j, 1), drawn.truth.coefficients(j, 2));
}

TEST(FactorDesigns, BlockImagesAreBlocksWithATenthOfThePixelsFlipped) {
  const Simulation drawn = simulate("factor.block-images", 1, {{"n", 3000}});
  expect_sizes(drawn, 3000, 0, 0, 36);
  double flipped = 0, present = 0;
  for (Index i = 0; i < 3000; ++i) {
    for (Index k = 0; k < 4; ++k) present += drawn.truth.scores(i, k);
    for (Index c = 0; c < 36; ++c) {
      double clean = 0;
      for (Index k = 0; k < 4; ++k) clean += drawn.truth.scores(i, k) * drawn.truth.loadings(k, c);
      ASSERT_TRUE(clean == 0 || clean == 1);
      flipped += drawn.train.X(i, c) != clean;
    }
  }
  EXPECT_NEAR(flipped / (3000 * 36), 0.1, 5 * std::sqrt(0.09 / (3000 * 36)));
  EXPECT_NEAR(present / (3000 * 4), 0.5, 5 * std::sqrt(0.25 / (3000 * 4)));
  EXPECT_EQ(simulate("factor.block-images", 1).train.rows(), 100);
}

TEST(FactorDesigns, PatchesHaveAnOvercompleteDictionaryOfUnitLength) {
  const Simulation drawn = simulate("factor.patches", 1, {{"n", 200}});
  EXPECT_EQ(drawn.train.cols(), 144);
  ASSERT_EQ(drawn.truth.loadings.rows(), 192);
  for (Index k = 0; k < 192; ++k) {
    double norm = 0;
    for (Index c = 0; c < 144; ++c) norm += drawn.truth.loadings(k, c) * drawn.truth.loadings(k, c);
    EXPECT_NEAR(norm, 1, 1e-12);
  }
  double noise_energy = 0;
  for (Index i = 0; i < 200; ++i) {
    for (Index c = 0; c < 144; ++c) {
      double clean = 0;
      for (Index k = 0; k < 192; ++k) clean += drawn.truth.scores(i, k) * drawn.truth.loadings(k, c);
      noise_energy += (drawn.train.X(i, c) - clean) * (drawn.train.X(i, c) - clean);
    }
  }
  EXPECT_NEAR(noise_energy / (200 * 144), 0.01, 0.01 * 5 * std::sqrt(2.0 / (200 * 144)));
}

TEST(FactorDesigns, CountsAreNinetyThreePercentZero) {
  const Simulation drawn = simulate("factor.counts", 1);
  expect_sizes(drawn, 100, 0, 0, 200);
  double zeros = 0;
  for (Index c = 0; c < 200; ++c) {
    for (const double count : drawn.train.X.column(c)) zeros += count == 0;
  }
  EXPECT_NEAR(zeros / 20000, 0.93, 5 * std::sqrt(0.93 * 0.07 / 20000));
}

TEST(BenchmarkDesigns, HaveTheDeclaredSignalToNoise) {
  for (const char* name : {"bench.a", "bench.b", "bench.c", "bench.d"}) {
    const Simulation drawn = simulate(name, 1, {{"n", 20000}, {"p", 100}, {"test", 0}});
    EXPECT_THAT(drawn.truth.support, SizeIs(20)) << name;
    const double total = covariance(drawn.train.y.column(0), drawn.train.y.column(0));
    // Signal 3, noise 1. Sparse signals have heavy tails, hence the width.
    EXPECT_NEAR(total / drawn.truth.noise_variance, 4, 0.4) << name;
    expect_noise_variance(drawn, drawn.truth.noise_variance);
    for (const Index j : drawn.truth.support) {
      EXPECT_GE(std::abs(drawn.truth.coefficients(j, 0)), 0.5);
      EXPECT_LE(std::abs(drawn.truth.coefficients(j, 0)), 1.5);
    }
  }
}

TEST(BenchmarkDesigns, BlocksAreCorrelatedWithin) {
  const Simulation drawn = simulate("bench.b5", 1, {{"n", 20000}, {"p", 100}, {"test", 0}});
  const double tolerance = 5 / std::sqrt(20000.0);
  EXPECT_THAT(drawn.truth.support, SizeIs(5));
  EXPECT_NEAR(correlation(drawn.train.X.column(0), drawn.train.X.column(49)), 0.6, tolerance);
  EXPECT_NEAR(correlation(drawn.train.X.column(49), drawn.train.X.column(50)), 0, tolerance);
}

TEST(BenchmarkDesigns, SparseColumnsAreSoundAndFilledAsDeclared) {
  const Simulation drawn = simulate("bench.d", 1, {{"n", 2000}, {"p", 3000}, {"test", 100}});
  const SparseColumns& X = *drawn.train.sparse;
  EXPECT_NEAR(static_cast<double>(X.values.size()) / (2000.0 * 3000), 0.005, 5 * std::sqrt(0.005 / (2000.0 * 3000)));
  ASSERT_EQ(X.starts.size(), 3001u);
  EXPECT_NO_THROW(SparseDesign{X});
  EXPECT_EQ(drawn.test.sparse->rows, 100);
}

TEST(BenchmarkDesigns, LogisticClassesFollowThePredictor) {
  const Simulation drawn = simulate("bench.e", 1, {{"n", 5000}, {"p", 100}, {"test", 0}});
  double ones = 0, agreeing = 0;
  const std::vector<double> residual = noise(drawn.train, drawn.truth);
  for (Index i = 0; i < 5000; ++i) {
    const double y = drawn.train.y(i, 0);
    ones += y;
    agreeing += (y - residual[i] > 0) == (y == 1);
  }
  EXPECT_NEAR(ones / 5000, 0.5, 0.05);
  EXPECT_GT(agreeing / 5000, 0.8);
  EXPECT_LT(agreeing / 5000, 0.98);
}

}  // namespace
}  // namespace tamis::experiments
