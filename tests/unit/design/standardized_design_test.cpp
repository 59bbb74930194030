// Standardized columns whose center is enormous beside their spread: the algebra would cancel.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// What is left of 16 digits after centering a column of 1e8 + noise entry by entry: the entries themselves are
// rounded to 1e-8, but the twin is made of the same ones.
constexpr double tolerance = 1e-10;

class FarColumns : public testing::Test {
 protected:
  static constexpr Index n = 300, p = 6;
  FarColumns() : raw_(n, p), twin_(n, p) {
    std::uint32_t state = 3;
    for (Index j = 0; j < p; ++j) {
      const double center = std::pow(10, 2 * j);  // 1 to 1e10
      for (double& x : raw_.column(j)) {
        x = center + static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
      }
    }
    const ColumnMoments m = column_moments(DenseDesign(raw_), {});
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) twin_(i, j) = (raw_(i, j) - m.mean[j]) / m.deviation[j];
    }
    inner_ = std::make_unique<DenseDesign>(raw_);
    X_ = std::make_unique<StandardizedDesign>(*inner_, m.mean, m.deviation);
    for (Index i = 0; i < n; ++i) weights_.push_back(i % 3 == 0 ? 0 : 1 + 0.1 * static_cast<double>(i % 7));
  }

  double dot(Index j, Index k) const {
    long double sum = 0;
    for (Index i = 0; i < n; ++i) sum += static_cast<long double>(weights_[i]) * twin_(i, j) * twin_(i, k);
    return static_cast<double>(sum);
  }

  Matrix raw_, twin_;
  std::unique_ptr<DenseDesign> inner_;
  std::unique_ptr<StandardizedDesign> X_;
  std::vector<double> weights_;
};

TEST_F(FarColumns, KeepTheirGramMatrix) {
  Matrix gram(p, p), cross(p, p);
  X_->gram(X_->all(), weights_, gram);
  X_->cross_gram(X_->all(), X_->all(), weights_, cross);
  for (Index j = 0; j < p; ++j) {
    for (Index k = 0; k < p; ++k) {
      EXPECT_NEAR(gram(j, k), dot(j, k), tolerance * n);
      EXPECT_NEAR(cross(j, k), dot(j, k), tolerance * n);
    }
  }
}

TEST_F(FarColumns, KeepTheirSquaredNorms) {
  std::vector<double> norms(p);
  X_->squared_norms(X_->all(), weights_, norms);
  for (Index j = 0; j < p; ++j) EXPECT_NEAR(norms[j], dot(j, j), tolerance * n);
}

TEST_F(FarColumns, KeepTheirProducts) {
  std::vector<double> out(p), back(n, 0.0);
  X_->transpose_multiply(X_->all(), std::span<const double>(weights_),
                         std::span(out));  // weights do not sum to zero: nothing helps the cancellation
  const std::vector<double> ones(p, 1.0);
  X_->multiply_add(X_->all(), std::span(ones), std::span(back));
  for (Index j = 0; j < p; ++j) {
    long double sum = 0;
    for (Index i = 0; i < n; ++i) sum += static_cast<long double>(weights_[i]) * twin_(i, j);
    EXPECT_NEAR(out[j], static_cast<double>(sum), tolerance * n);
  }
  for (Index i = 0; i < n; ++i) {
    long double sum = 0;
    for (Index j = 0; j < p; ++j) sum += twin_(i, j);
    EXPECT_NEAR(back[i], static_cast<double>(sum), tolerance);
  }
}

TEST(StandardizedDesign, MakesAConstantColumnExactlyZero) {
  const Matrix raw = [] {
    Matrix A(4, 1);
    for (double& x : A.column(0)) x = 0.1;
    return A;
  }();
  const DenseDesign inner(raw);
  const StandardizedDesign X(inner, {0.1}, {0.0});
  const std::vector<double> r = {1, 2, 3, 4};
  std::vector<double> out(1, 5.0), back(4, 1.0);
  X.transpose_multiply(X.all(), std::span(r), std::span(out));
  EXPECT_EQ(out[0], 0);
  const double three = 3;
  X.multiply_add(X.all(), ConstMatrixView(&three, 1, 1), std::span(back));
  EXPECT_EQ(back, std::vector<double>(4, 1.0));
}

TEST(Design, BrokenShapesAreOurOwnMistakes) {
  const Matrix A(4, 3);
  const DenseDesign X(A);
  std::vector<double> memory(7);
  const MatrixView three(memory.data(), 3, 1), four(memory.data() + 3, 4, 1);
  EXPECT_THROW(X.transpose_multiply(X.all(), three, three), std::logic_error);
  EXPECT_THROW(X.transpose_multiply(X.all(), four, four), std::logic_error);
  EXPECT_THROW(X.multiply_add(X.all(), four, four), std::logic_error);
  EXPECT_THROW(X.squared_norms(X.all(), three.column(0), three.column(0)), std::logic_error);
  EXPECT_THROW(X.gram(X.all(), {}, four), std::logic_error);
  EXPECT_THROW(X.transpose_multiply(Columns::range(1, 3), four, three), std::logic_error);
  EXPECT_THROW(X.transpose_multiply(std::vector<Index>{0, 3, 1}, four, three), std::logic_error);
  EXPECT_THROW(X.column(-1), std::logic_error);
  EXPECT_THROW(RowSubsetDesign(X, {0, 4}), std::logic_error);
  EXPECT_THROW(StandardizedDesign(X, {0}, {1}), std::logic_error);
}

}  // namespace
}  // namespace tamis
