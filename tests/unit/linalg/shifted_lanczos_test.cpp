#include "linalg/shifted_lanczos.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "support/plain_cholesky.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// A Gram matrix of `rank` random directions.
Matrix gram(Index size, Index rank) {
  Matrix A(rank, size), G(size, size);
  for (Index j = 0; j < size; ++j) RandomStream(1, 1, static_cast<std::uint64_t>(j)).normals(A.column(j));
  for (Index j = 0; j < size; ++j) {
    for (Index k = 0; k < size; ++k) G(k, j) = std::inner_product(A.col(j), A.col(j) + rank, A.col(k), 0.0);
  }
  return G;
}

std::vector<double> random_vector(std::size_t size) {
  std::vector<double> v(size);
  RandomStream(1, 2).normals(v);
  return v;
}

ShiftedLanczos::Operator times(const Matrix& G) {
  return [&G](std::span<const double> v, std::span<double> out) {
    for (Index j = 0; j < G.cols(); ++j) {
      out[j] = std::inner_product(v.begin(), v.end(), G.col(j), 0.0);
    }
  };
}

// |(G + shift I) x - g| / |g|
double residual_of(const Matrix& G, double shift, const std::vector<double>& x, const std::vector<double>& g) {
  std::vector<double> image(g.size());
  times(G)(x, image);
  double squares = 0;
  for (std::size_t i = 0; i < g.size(); ++i) squares += std::pow(image[i] + shift * x[i] - g[i], 2);
  return std::sqrt(squares / std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
}

// Whether all eigenvalues of G are below a bound: then, and only then, bound I - G is positive definite.
bool eigenvalues_below(double bound, const Matrix& G) {
  return test::PlainCholesky<double>(G.rows(), [&](Index i, Index k) { return (i == k ? bound : 0.0) - G(i, k); })
      .definite();
}

TEST(ShiftedLanczos, SolvesEveryShiftFromOneSpace) {
  const Matrix G = gram(30, 40);
  const std::vector<double> g = random_vector(30);
  ShiftedLanczos lanczos(times(G), g);
  EXPECT_TRUE(lanczos.extend(1e-4, 1e-12, 30));
  for (const double shift : {1e3, 1.0, 1e-4}) {
    std::vector<double> x(30);
    lanczos.solve(shift, x);
    EXPECT_LE(residual_of(G, shift, x, g), 1e-10) << "shift " << shift;
  }
}

TEST(ShiftedLanczos, TheResidualIsTheOneThatItClaims) {
  const Matrix G = gram(40, 50);
  const std::vector<double> g = random_vector(40);
  ShiftedLanczos lanczos(times(G), g);
  lanczos.extend(0.5, 0.05, 40);
  std::vector<double> x(40);
  lanczos.solve(0.5, x);
  EXPECT_LT(lanczos.steps(), 40);
  EXPECT_NEAR(lanczos.residual(0.5), residual_of(G, 0.5, x, g), 1e-10);
}

TEST(ShiftedLanczos, LargerShiftsNeedFewerSteps) {
  const Matrix G = gram(60, 80);
  const std::vector<double> g = random_vector(60);
  ShiftedLanczos one(times(G), g), other(times(G), g);
  one.extend(100, 1e-8, 60);
  other.extend(0.01, 1e-8, 60);
  EXPECT_LT(one.steps(), other.steps());
}

TEST(ShiftedLanczos, EndsByItselfWhenTheRankIsSpent) {
  const Matrix G = gram(50, 4);
  std::vector<double> g(50);
  times(G)(random_vector(50), g);
  ShiftedLanczos lanczos(times(G), g);
  EXPECT_TRUE(lanczos.extend(1e-6, 1e-14, 50));
  EXPECT_LE(lanczos.steps(), 6);
  EXPECT_LE(lanczos.residual(1e-6), 1e-14);
}

TEST(ShiftedLanczos, AZeroGradientHasTheZeroSolution) {
  const Matrix G = gram(5, 5);
  const std::vector<double> g(5, 0.0);
  ShiftedLanczos lanczos(times(G), g);
  EXPECT_TRUE(lanczos.extend(1, 1e-12, 5));
  std::vector<double> x(5, 7.0);
  lanczos.solve(1, x);
  EXPECT_THAT(x, testing::Each(0.0));
  EXPECT_EQ(lanczos.largest_eigenvalue(), 0);
}

TEST(ShiftedLanczos, SaysWhenStepsAreNotEnough) {
  const Matrix G = gram(60, 80);
  const std::vector<double> g = random_vector(60);
  ShiftedLanczos lanczos(times(G), g);
  EXPECT_FALSE(lanczos.extend(1e-3, 1e-10, 5));
  EXPECT_EQ(lanczos.steps(), 5);
}

TEST(ShiftedLanczos, KnowsTheLargestEigenvalue) {
  const Matrix G = gram(30, 40);
  const std::vector<double> g = random_vector(30);
  ShiftedLanczos lanczos(times(G), g);
  lanczos.extend(0, 1e-10, 30);
  const double largest = lanczos.largest_eigenvalue();
  EXPECT_TRUE(eigenvalues_below(largest * (1 + 1e-8), G));
  EXPECT_FALSE(eigenvalues_below(largest * (1 - 1e-8), G));
}

}  // namespace
}  // namespace tamis
