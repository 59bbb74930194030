#include "linalg/symmetric.hpp"

#include <gmock/gmock.h>

#include "linalg/dense_algebra.hpp"

namespace tamis {
namespace {

// 2 on the diagonal, -1 beside it: eigenvalues 2 - sqrt(2), 2, 2 + sqrt(2). Upper triangle: must not be read.
Matrix second_difference() {
  Matrix A(3, 3);
  for (Index i = 0; i < 3; ++i) {
    A(i, i) = 2;
    if (i > 0) A(i, i - 1) = -1;
    for (Index j = i + 1; j < 3; ++j) A(i, j) = 99;
  }
  return A;
}

TEST(SymmetricEigen, GivesValuesInRisingOrderAndTheirVectors) {
  Matrix A = second_difference();
  const std::vector<double> values = symmetric_eigen(A);
  EXPECT_THAT(values, testing::Pointwise(testing::DoubleNear(1e-14), {2 - std::sqrt(2.0), 2.0, 2 + std::sqrt(2.0)}));
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(2 * A(0, k) - A(1, k), values[k] * A(0, k), 1e-14);
    EXPECT_NEAR(2 * A(1, k) - A(0, k) - A(2, k), values[k] * A(1, k), 1e-14);
    EXPECT_NEAR(A(0, k) * A(0, k) + A(1, k) * A(1, k) + A(2, k) * A(2, k), 1, 1e-14);
  }
}

TEST(InvertPositive, GivesBothTrianglesOfTheInverse) {
  Matrix A = second_difference();
  ASSERT_TRUE(invert_positive(A));
  const double expected[3][3] = {{0.75, 0.5, 0.25}, {0.5, 1, 0.5}, {0.25, 0.5, 0.75}};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(A(i, j), expected[i][j], 1e-14);
  }
}

TEST(InvertPositive, RefusesAMatrixThatIsNotPositiveDefinite) {
  Matrix A = second_difference();
  A(1, 1) = 0;
  EXPECT_FALSE(invert_positive(A));
}

TEST(Symmetric, AnEmptyMatrixIsFine) {
  Matrix A;
  EXPECT_TRUE(symmetric_eigen(A).empty());
  EXPECT_TRUE(invert_positive(A));
}

// Of (I + A A')^-1, by the smaller Gram matrix of A whichever that is.
TEST(LowRank, GivesTheDiagonalOfItsInverse) {
  for (const Index cols : {Index{2}, Index{7}}) {
    Matrix A(4, cols);
    for (Index j = 0; j < cols; ++j) {
      for (Index i = 0; i < 4; ++i) A(i, j) = 0.3 * static_cast<double>(i) - 0.1 * static_cast<double>(j * j % 5);
    }
    const LowRank low(A);
    const std::vector<double> diagonal = low.inverse_diagonal();
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<double> unit(4, 0.0);
      unit[i] = 1;
      EXPECT_NEAR(diagonal[i], low.solve(unit)[i], 1e-14);
    }
  }
}

}  // namespace
}  // namespace tamis
