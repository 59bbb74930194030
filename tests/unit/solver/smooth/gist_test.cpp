#include "solver/smooth/gist.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "support/plain_cholesky.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

CappedPenalty capped(double strength, double cap, std::size_t size = 1) {
  return {.strength = std::vector<double>(size, strength), .cap = cap};
}

// The best of a fine grid: slow, and beyond doubt.
double best_of_grid(const CappedPenalty& penalty, double z, double curvature) {
  double best = 0, least = 1e300;
  for (double b = -6; b <= 6; b += 1e-4) {
    if (penalty.nonnegative && b < 0) continue;
    const double cost = 0.5 * curvature * (b - z) * (b - z) + penalty.value(0, b);
    if (cost >= least) continue;
    least = cost;
    best = b;
  }
  return best;
}

TEST(CappedPenalty, TheMinimizerIsTheBestOfAGrid) {
  for (const bool nonnegative : {false, true}) {
    for (const double cap : {0.1, 1.0, 3.0}) {
      for (const double curvature : {0.5, 1.0, 4.0}) {
        for (const double z : {-5.0, -2.17, -0.3, 0.0, 0.4, 1.33, 2.71, 5.0}) {
          CappedPenalty penalty = capped(1.0, cap);
          penalty.nonnegative = nonnegative;
          EXPECT_NEAR(penalty.minimizer(0, z, curvature), best_of_grid(penalty, z, curvature), 2e-4)
              << "z " << z << " cap " << cap << " curvature " << curvature;
        }
      }
    }
  }
}

TEST(CappedPenalty, JumpsPastTheCapAtCapPlusHalfAThreshold) {
  // With cap >= threshold / 2 the branches cost the same at z = cap + threshold / 2.
  const CappedPenalty penalty = capped(1.0, 2.0);
  EXPECT_NEAR(penalty.minimizer(0, 2.4999, 1), 1.4999, 1e-12);
  EXPECT_NEAR(penalty.minimizer(0, 2.5001, 1), 2.5001, 1e-12);
}

TEST(CappedPenalty, AFarCapIsSoftThresholding) {
  const CappedPenalty penalty = capped(1.0, 1e9);
  EXPECT_EQ(penalty.minimizer(0, 3, 2), 2.5);
  EXPECT_EQ(penalty.minimizer(0, -3, 2), -2.5);
  EXPECT_EQ(penalty.minimizer(0, 0.4, 2), 0);
}

TEST(CappedPenalty, DistanceVanishesWhereTheSlopesCancel) {
  CappedPenalty penalty = capped(1.0, 2.0);
  EXPECT_EQ(penalty.distance(0, 0, 0.9), 0);
  EXPECT_DOUBLE_EQ(penalty.distance(0, 0, -1.5), 0.5);
  EXPECT_EQ(penalty.distance(0, -1.5, -1), 0);
  EXPECT_EQ(penalty.distance(0, 2.5, 0), 0);
  EXPECT_DOUBLE_EQ(penalty.distance(0, 2.5, -0.25), 0.25);
  penalty.nonnegative = true;
  EXPECT_EQ(penalty.distance(0, 0, -7), 0);
}

// 1/2 b'Gb - c'b
class Quadratic final : public SmoothLoss {
 public:
  Quadratic(Matrix G, std::vector<double> c) : G_(std::move(G)), pull_(std::move(c)), image_(pull_.size()) {}
  std::span<const double> negative_gradient() const override { return pull_; }
  double value() const override { return value_; }
  double try_step(std::span<const double> step) override {
    change_ = 0;
    for (std::size_t j = 0; j < step.size(); ++j) {
      image_[j] = std::inner_product(step.begin(), step.end(), G_.col(static_cast<Index>(j)), 0.0);
      change_ += step[j] * (0.5 * image_[j] - pull_[j]);
    }
    return change_;
  }
  void accept() override {
    for (std::size_t j = 0; j < pull_.size(); ++j) pull_[j] -= image_[j];
    value_ += change_;
  }

 private:
  Matrix G_;
  std::vector<double> pull_, image_;
  double value_ = 0, change_ = 0;
};

// Least squares of 30 random samples and 12 features: G = A'A, c = A'y.
Quadratic random_quadratic() {
  Matrix A(30, 12), G(12, 12);
  std::vector<double> y(30), c(12);
  RandomStream(3, 0).normals(y);
  for (Index j = 0; j < 12; ++j) RandomStream(3, 1, static_cast<std::uint64_t>(j)).normals(A.column(j));
  for (Index j = 0; j < 12; ++j) {
    c[j] = std::inner_product(y.begin(), y.end(), A.col(j), 0.0);
    for (Index k = 0; k < 12; ++k) G(k, j) = std::inner_product(A.col(j), A.col(j) + 30, A.col(k), 0.0);
  }
  return {std::move(G), std::move(c)};
}

TEST(Gist, WithoutPenaltySolvesTheLinearSystem) {
  constexpr double entries[3][3] = {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}};
  Matrix G(3, 3);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) G(i, j) = entries[i][j];
  }
  const std::vector<double> c = {1, 2, 3};
  Quadratic loss(G, c);
  std::vector<double> b(3, 0.0);
  const GistResult result = gist(loss, b, capped(0, 1, 3), {.tolerance = 1e-10});
  EXPECT_TRUE(result.converged);
  const std::vector<double> expected = test::PlainCholesky<double>(3, G).solve(c);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(b[j], expected[j], 1e-9);
}

TEST(Gist, DescendsToAStationaryPoint) {
  for (const double cap : {0.05, 0.3, 10.0}) {
    Quadratic loss = random_quadratic();
    std::vector<double> b(12, 0.0);
    const CappedPenalty penalty = capped(0.5, cap, 12);
    EXPECT_TRUE(gist(loss, b, penalty, {.tolerance = 1e-9}).converged);
    double objective = loss.value();
    for (std::size_t j = 0; j < 12; ++j) {
      EXPECT_LE(penalty.distance(j, b[j], loss.negative_gradient()[j]), 1e-9);
      objective += penalty.value(j, b[j]);
    }
    EXPECT_LE(objective, 0);  // where it began
  }
}

TEST(Gist, SaysWhenStepsAreNotEnough) {
  Quadratic loss = random_quadratic();
  std::vector<double> b(12, 0.0);
  const GistResult result = gist(loss, b, capped(0.01, 1, 12), {.tolerance = 1e-12, .max_steps = 3});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.steps, 3);
}

}  // namespace
}  // namespace tamis
