#include <gmock/gmock.h>

#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// B B' + n I for a random B.
Matrix positive_definite(Index n, std::uint64_t seed) {
  Matrix B(n, n), A(n, n);
  for (Index j = 0; j < n; ++j) RandomStream(seed, 0, static_cast<std::uint64_t>(j)).normals(B.column(j));
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < n; ++k) {
      for (Index i = 0; i < n; ++i) A(i, j) += B(i, k) * B(j, k);
    }
    A(j, j) += static_cast<double>(n);
  }
  return A;
}

TEST(SharedCholesky, IsTheFactorOfOneThread) {
  for (const Index n : {0, 1, 50, 96, 97, 250}) {
    Matrix one = positive_definite(n, 1), shared = one;
    ASSERT_TRUE(cholesky(one));
    with_threads(2, [&] { ASSERT_TRUE(shared_cholesky(shared)); });
    for (Index j = 0; j < n; ++j) {
      // Entries are of the order of sqrt(n); condition numbers are below 10.
      for (Index i = j; i < n; ++i) EXPECT_NEAR(one(i, j), shared(i, j), 1e-11) << i << "," << j;
    }
  }
}

TEST(SharedCholesky, TheNumberOfThreadsDoesNotChangeABit) {
  const Matrix A = positive_definite(230, 2);
  Matrix one = A, two = A;
  with_threads(1, [&] { shared_cholesky(one); });
  with_threads(2, [&] { shared_cholesky(two); });
  for (Index j = 0; j < 230; ++j) {
    for (Index i = j; i < 230; ++i) EXPECT_EQ(one(i, j), two(i, j));
  }
}

TEST(SharedCholesky, GivesTheDiagonalOfTheInverse) {
  for (const Index n : {1, 96, 230}) {
    Matrix factor = positive_definite(n, 4), inverse = factor;
    ASSERT_TRUE(shared_cholesky(factor));
    ASSERT_TRUE(invert_positive(inverse));
    const std::vector<double> diagonal = inverse_diagonal(factor);
    for (Index k = 0; k < n; ++k) EXPECT_NEAR(diagonal[k], inverse(k, k), 1e-14);
  }
}

TEST(SharedCholesky, RefusesAMatrixThatIsNotPositiveDefinite) {
  Matrix A = positive_definite(200, 3);
  A(150, 150) = -1;
  EXPECT_FALSE(shared_cholesky(A));
}

}  // namespace
}  // namespace tamis
