// The noise of largest evidence, on covariances whose eigenvalues are known.
#include "method/laplace/best_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tamis/base/random.hpp"

namespace tamis {
namespace {

constexpr NoiseRange range{.least = 1e-6, .most = 1};

// y ~ N(0, true_noise + eigenvalues): a few large eigenvalues, many small ones.
struct Rows {
  std::vector<double> eigenvalues, y;
  int looks = 0;

  explicit Rows(double true_noise) : y(60) {
    for (int i = 0; i < 60; ++i) eigenvalues.push_back(i < 8 ? 0.5 + i : 1e-5 * i);
    RandomStream(4).normals(y);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= std::sqrt(true_noise + eigenvalues[i]);
  }
  NoiseEvaluation evaluate(double noise) const {
    NoiseEvaluation out;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double variance = noise + eigenvalues[i], square = y[i] * y[i] / variance;
      out.log_evidence -= 0.5 * (std::log(variance) + square);
      out.freedom += noise / variance;
      out.square += square;
      out.residual += square * noise / variance;
    }
    return out;
  }
  std::optional<double> best(double first, double worth) {
    return best_noise(
        [this](double noise) {
          ++looks;
          return evaluate(noise);
        },
        first, range, worth);
  }
  double largest_evidence() const {
    double largest = -HUGE_VAL;
    for (double x = std::log(range.least); x <= 0; x += 1e-3)
      largest = std::max(largest, evaluate(std::exp(x)).log_evidence);
    return largest;
  }
};

TEST(BestNoise, HasTheLargestEvidenceFromWhereverItBegins) {
  for (const double truth : {0.3, 1e-2, 1e-4}) {
    Rows rows(truth);
    for (const double first : {1.0, 1e-3, 1e-6}) {
      rows.looks = 0;
      const std::optional<double> found = rows.best(first, -HUGE_VAL);
      ASSERT_TRUE(found);
      constexpr double rounding = 1e-4;  // 60 rows times the square of a thousandth, and the grid's steps
      EXPECT_NEAR(rows.evaluate(*found).log_evidence, rows.largest_evidence(), rounding);
      EXPECT_LE(rows.looks, 12);
    }
  }
}

TEST(BestNoise, IsAtTheEndOfTheRangeWhereNoiseExplainsNothing) {
  Rows rows(0);
  for (std::size_t i = 0; i < rows.y.size(); ++i) rows.y[i] = i < 8 ? rows.y[i] : 0;
  EXPECT_DOUBLE_EQ(rows.best(1e-2, -HUGE_VAL).value(), range.least);
}

TEST(BestNoise, NoEvidenceIsAboveWhatOneLookAllows) {
  const Rows rows(1e-3);
  const double largest = rows.largest_evidence();
  for (const double noise : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    EXPECT_GE(evidence_bound(rows.evaluate(noise), noise, range), largest);
  }
  const double best = Rows(rows).best(1e-2, -HUGE_VAL).value();
  constexpr double touching = 1e-3;  // the best one allows no more than it has, within narrow limits
  EXPECT_NEAR(evidence_bound(rows.evaluate(best), best, {0.99 * best, 1.01 * best}), largest, touching);
}

TEST(BestNoise, IsGivenUpOnlyWhereEvidenceIsNotWorthIt) {
  Rows rows(1e-3);
  const double largest = rows.largest_evidence();
  EXPECT_TRUE(rows.best(1e-1, largest - 1e-3));
  rows.looks = 0;
  EXPECT_FALSE(rows.best(1e-1, largest + 100));
  EXPECT_LE(rows.looks, 3);
}

}  // namespace
}  // namespace tamis
