#include "optim/shifted_lanczos.hpp"

#include <gmock/gmock.h>

#include <Eigen/Dense>

namespace tamis {
namespace {

// A Gram matrix of `rank` random directions.
Eigen::MatrixXd gram(Index size, Index rank) {
  std::srand(1);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(rank, size);
  return A.transpose() * A;
}

ShiftedLanczos::Operator times(const Eigen::MatrixXd& G) {
  return [&G](std::span<const double> v, std::span<double> out) {
    Eigen::Map<Eigen::VectorXd>(out.data(), G.rows()) = G * Eigen::Map<const Eigen::VectorXd>(v.data(), G.rows());
  };
}

TEST(ShiftedLanczos, SolvesEveryShiftFromOneSpace) {
  const Eigen::MatrixXd G = gram(30, 40);
  const Eigen::VectorXd g = Eigen::VectorXd::Random(30);
  ShiftedLanczos lanczos(times(G), {g.data(), 30});
  EXPECT_TRUE(lanczos.extend(1e-4, 1e-12, 30));
  for (const double shift : {1e3, 1.0, 1e-4}) {
    Eigen::VectorXd x(30);
    lanczos.solve(shift, {x.data(), 30});
    const Eigen::VectorXd left = G * x + shift * x - g;
    EXPECT_LE(left.norm(), 1e-10 * g.norm()) << "shift " << shift;
  }
}

TEST(ShiftedLanczos, TheResidualIsTheOneThatItClaims) {
  const Eigen::MatrixXd G = gram(40, 50);
  const Eigen::VectorXd g = Eigen::VectorXd::Random(40);
  ShiftedLanczos lanczos(times(G), {g.data(), 40});
  lanczos.extend(0.5, 0.05, 40);
  Eigen::VectorXd x(40);
  lanczos.solve(0.5, {x.data(), 40});
  EXPECT_LT(lanczos.steps(), 40);
  EXPECT_NEAR(lanczos.residual(0.5), (G * x + 0.5 * x - g).norm() / g.norm(), 1e-10);
}

TEST(ShiftedLanczos, LargerShiftsNeedFewerSteps) {
  const Eigen::MatrixXd G = gram(60, 80);
  const Eigen::VectorXd g = Eigen::VectorXd::Random(60);
  ShiftedLanczos one(times(G), {g.data(), 60}), other(times(G), {g.data(), 60});
  one.extend(100, 1e-8, 60);
  other.extend(0.01, 1e-8, 60);
  EXPECT_LT(one.steps(), other.steps());
}

TEST(ShiftedLanczos, EndsByItselfWhenTheRankIsSpent) {
  const Eigen::MatrixXd G = gram(50, 4);
  const Eigen::VectorXd g = G * Eigen::VectorXd::Random(50);
  ShiftedLanczos lanczos(times(G), {g.data(), 50});
  EXPECT_TRUE(lanczos.extend(1e-6, 1e-14, 50));
  EXPECT_LE(lanczos.steps(), 6);
  EXPECT_LE(lanczos.residual(1e-6), 1e-14);
}

TEST(ShiftedLanczos, AZeroGradientHasTheZeroSolution) {
  const Eigen::MatrixXd G = gram(5, 5);
  const std::vector<double> g(5, 0.0);
  ShiftedLanczos lanczos(times(G), g);
  EXPECT_TRUE(lanczos.extend(1, 1e-12, 5));
  std::vector<double> x(5, 7.0);
  lanczos.solve(1, x);
  EXPECT_THAT(x, testing::Each(0.0));
  EXPECT_EQ(lanczos.largest_eigenvalue(), 0);
}

TEST(ShiftedLanczos, SaysWhenStepsAreNotEnough) {
  const Eigen::MatrixXd G = gram(60, 80);
  const Eigen::VectorXd g = Eigen::VectorXd::Random(60);
  ShiftedLanczos lanczos(times(G), {g.data(), 60});
  EXPECT_FALSE(lanczos.extend(1e-3, 1e-10, 5));
  EXPECT_EQ(lanczos.steps(), 5);
}

TEST(ShiftedLanczos, KnowsTheLargestEigenvalue) {
  const Eigen::MatrixXd G = gram(30, 40);
  const Eigen::VectorXd g = Eigen::VectorXd::Random(30);
  ShiftedLanczos lanczos(times(G), {g.data(), 30});
  lanczos.extend(0, 1e-10, 30);
  const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(G).eigenvalues().maxCoeff();
  EXPECT_NEAR(lanczos.largest_eigenvalue(), largest, 1e-8 * largest);
}

}  // namespace
}  // namespace tamis
