#include "optim/gist.hpp"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>

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

TEST(CappedPenalty, TheMinimiserIsTheBestOfAGrid) {
  for (const bool nonnegative : {false, true}) {
    for (const double cap : {0.1, 1.0, 3.0}) {
      for (const double curvature : {0.5, 1.0, 4.0}) {
        for (const double z : {-5.0, -2.17, -0.3, 0.0, 0.4, 1.33, 2.71, 5.0}) {
          CappedPenalty penalty = capped(1.0, cap);
          penalty.nonnegative = nonnegative;
          EXPECT_NEAR(penalty.minimiser(0, z, curvature), best_of_grid(penalty, z, curvature), 2e-4)
              << "z " << z << " cap " << cap << " curvature " << curvature;
        }
      }
    }
  }
}

TEST(CappedPenalty, JumpsPastTheCapAtCapPlusHalfAThreshold) {
  // With cap >= threshold / 2 the branches cost the same at z = cap + threshold / 2.
  const CappedPenalty penalty = capped(1.0, 2.0);
  EXPECT_NEAR(penalty.minimiser(0, 2.4999, 1), 1.4999, 1e-12);
  EXPECT_NEAR(penalty.minimiser(0, 2.5001, 1), 2.5001, 1e-12);
}

TEST(CappedPenalty, AFarCapIsSoftThresholding) {
  const CappedPenalty penalty = capped(1.0, 1e9);
  EXPECT_EQ(penalty.minimiser(0, 3, 2), 2.5);
  EXPECT_EQ(penalty.minimiser(0, -3, 2), -2.5);
  EXPECT_EQ(penalty.minimiser(0, 0.4, 2), 0);
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
  Quadratic(Eigen::MatrixXd G, Eigen::VectorXd c) : G_(std::move(G)), pull_(std::move(c)) {}
  std::span<const double> pull() const override { return {pull_.data(), static_cast<std::size_t>(pull_.size())}; }
  double value() const override { return value_; }
  double try_step(std::span<const double> step) override {
    const Eigen::Map<const Eigen::VectorXd> d(step.data(), pull_.size());
    image_ = G_ * d;
    change_ = 0.5 * d.dot(image_) - d.dot(pull_);
    return change_;
  }
  void accept() override {
    pull_ -= image_;
    value_ += change_;
  }

 private:
  Eigen::MatrixXd G_;
  Eigen::VectorXd pull_, image_;
  double value_ = 0, change_ = 0;
};

TEST(Gist, WithoutPenaltySolvesTheLinearSystem) {
  Eigen::MatrixXd G(3, 3);
  G << 4, 1, 0, 1, 3, 1, 0, 1, 2;
  const Eigen::Vector3d c(1, 2, 3);
  Quadratic loss(G, c);
  std::vector<double> b(3, 0.0);
  const GistResult result = gist(loss, b, capped(0, 1, 3), {.tolerance = 1e-10});
  EXPECT_TRUE(result.converged);
  const Eigen::Vector3d expected = G.ldlt().solve(c);
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(b[j], expected(j), 1e-9);
}

TEST(Gist, DescendsToAStationaryPoint) {
  std::srand(3);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(30, 12);
  const Eigen::VectorXd c = A.transpose() * Eigen::VectorXd::Random(30);
  for (const double cap : {0.05, 0.3, 10.0}) {
    Quadratic loss(A.transpose() * A, c);
    std::vector<double> b(12, 0.0);
    const CappedPenalty penalty = capped(0.5, cap, 12);
    EXPECT_TRUE(gist(loss, b, penalty, {.tolerance = 1e-9}).converged);
    double objective = loss.value();
    for (std::size_t j = 0; j < 12; ++j) {
      EXPECT_LE(penalty.distance(j, b[j], loss.pull()[j]), 1e-9);
      objective += penalty.value(j, b[j]);
    }
    EXPECT_LE(objective, 0);  // where it began
  }
}

TEST(Gist, SaysWhenStepsAreNotEnough) {
  std::srand(3);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(30, 12);
  Quadratic loss(A.transpose() * A, A.transpose() * Eigen::VectorXd::Random(30));
  std::vector<double> b(12, 0.0);
  const GistResult result = gist(loss, b, capped(0.01, 1, 12), {.tolerance = 1e-12, .max_steps = 3});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.steps, 3);
}

}  // namespace
}  // namespace tamis
