#include "linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Correlations that fall off with distance: well conditioned at any size.
std::vector<float> correlations(Index size) {
  std::vector<float> A(size * size);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) {
      A[j * size + i] = std::pow(0.5F, static_cast<float>(std::abs(i - j)));
    }
  }
  return A;
}

std::vector<float> solution(Index size, int threads) {
  std::vector<float> A = correlations(size), x(size);
  for (Index i = 0; i < size; ++i) x[i] = static_cast<float>(i % 7) - 3.0F;
  with_threads(threads, [&] { EXPECT_TRUE(shared_cholesky(std::span(A), size)); });
  solve_by_factor(A, size, x);
  return x;
}

TEST(Cholesky, SolvesSystemsOfOneTileAndOfSeveral) {
  constexpr float rounding = 1e-5F;  // single precision, conditioned below 10
  for (const Index size : {0, 1, 17, 128, 129, 300}) {
    const std::vector<float> A = correlations(size), x = solution(size, 1);
    for (Index i = 0; i < size; ++i) {
      float product = 0;
      for (Index j = 0; j < size; ++j) product += A[j * size + i] * x[j];
      EXPECT_NEAR(product, static_cast<float>(i % 7) - 3.0F, rounding) << "row " << i << " of " << size;
    }
  }
}

TEST(Cholesky, GivesTheSameBitsOnAnyNumberOfThreads) { EXPECT_EQ(solution(700, 1), solution(700, 2)); }

TEST(Cholesky, SolvesSeveralRightHandSidesAtOnce) {
  constexpr Index size = 150;
  constexpr float rounding = 1e-5F;
  std::vector<float> A = correlations(size), both(2 * size);
  const std::vector<float> x = solution(size, 1);
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = static_cast<float>(i % size % 7) - 3.0F;
  ASSERT_TRUE(shared_cholesky(std::span(A), size));
  solve_by_factor(A, size, both);
  for (std::size_t i = 0; i < both.size(); ++i) EXPECT_NEAR(both[i], x[i % size], rounding);
}

TEST(Cholesky, RefusesAnIndefiniteMatrix) {
  std::vector<float> A = correlations(200);
  A[150 * 200 + 150] = -1;
  EXPECT_FALSE(shared_cholesky(std::span(A), 200));
}

}  // namespace
}  // namespace tamis
