// Means and deviations where careless arithmetic fails.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// Numbers of mean about 0 and deviation about 1, always the same ones.
std::vector<double> noise(Index count) {
  std::vector<double> out(count);
  std::uint32_t state = 7;
  for (double& x : out) {
    x = 0;
    for (int k = 0; k < 12; ++k) x += static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
    x -= 6;
  }
  return out;
}

double plain_deviation(const std::vector<double>& x) {
  long double sum = 0, squares = 0;
  for (const double v : x) sum += v;
  for (const double v : x) squares += (v - sum / x.size()) * (v - sum / x.size());
  return static_cast<double>(std::sqrt(squares / x.size()));
}

ColumnMoments of(const std::vector<double>& x, std::span<const double> weights = {}) {
  return column_moments(DenseDesign(ConstMatrixView(x)), weights);
}

TEST(ColumnMoments, KeepTheDeviationOfAColumnFarFromZero) {
  std::vector<double> x = noise(1000);
  const double deviation = plain_deviation(x);
  for (double& v : x) v += 1e8;
  EXPECT_NEAR(of(x).deviation[0], deviation, 1e-6);
  EXPECT_NEAR(of(x).mean[0], 1e8, 1);
  std::vector<Index> rows(1000);
  for (Index i = 0; i < 1000; ++i) rows[i] = 999 - i;
  const DenseDesign dense{ConstMatrixView(x)};
  EXPECT_NEAR(column_moments(RowSubsetDesign(dense, rows), {}).deviation[0], deviation, 1e-6);
}

TEST(ColumnMoments, AreRightWhenTheFirstEntryIsAnOutlier) {
  std::vector<double> x = noise(1000);
  x[0] = 1e12;
  std::vector<double> weights(1000, 1.0);
  weights[0] = 1e-15;
  long double total = 0, sum = 0, squares = 0;
  for (Index i = 0; i < 1000; ++i) total += weights[i], sum += static_cast<long double>(weights[i]) * x[i];
  for (Index i = 0; i < 1000; ++i) squares += weights[i] * (x[i] - sum / total) * (x[i] - sum / total);
  const ColumnMoments m = of(x, weights);
  EXPECT_NEAR(m.mean[0], static_cast<double>(sum / total), 1e-9);
  EXPECT_NEAR(m.deviation[0] / static_cast<double>(std::sqrt(squares / total)), 1, 1e-9);
}

TEST(ColumnMoments, OfAConstantColumnAreExact) {
  for (const double value : {0.1, 1e8 / 3, -1e-300, 0.0}) {
    const ColumnMoments m = of(std::vector<double>(12345, value));
    EXPECT_EQ(m.deviation[0], 0);
    EXPECT_EQ(m.mean[0], value);
  }
}

TEST(ColumnMoments, OfAColumnThatIsConstantUpToRoundingHaveNoDeviation) {
  std::vector<double> x(1000, 1.0 / 3);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] = std::nextafter(x[i], 1);
  EXPECT_EQ(of(x).deviation[0], 0);
}

TEST(ColumnMoments, DoNotCountRowsWithoutWeight) {
  const std::vector<double> x = {9, 5, 5, -3, 5}, weights = {0, 1, 2, 0, 0.3};
  const ColumnMoments m = of(x, weights);
  EXPECT_EQ(m.mean[0], 5);
  EXPECT_EQ(m.deviation[0], 0);
}

TEST(ColumnMoments, OfASparseColumnConstantOnTheRowsThatCountAreExact) {
  const SparseDesign X({.rows = 5, .cols = 1, .starts = {0, 3}, .indices = {1, 2, 4}, .values = {0.1, 0.1, 0.1}});
  const std::vector<double> weights = {0, 0.1, 0.7, 0, 0.3};
  const ColumnMoments m = column_moments(X, weights);
  EXPECT_EQ(m.mean[0], 0.1);
  EXPECT_EQ(m.deviation[0], 0);
}

TEST(ColumnMoments, OfASparseColumnCountItsZeros) {
  const SparseDesign X({.rows = 4, .cols = 2, .starts = {0, 1, 1}, .indices = {2}, .values = {4}});
  const ColumnMoments m = column_moments(X, {});
  EXPECT_EQ(m.mean[0], 1);
  EXPECT_DOUBLE_EQ(m.deviation[0], std::sqrt(3.0));
  EXPECT_EQ(m.mean[1], 0);
  EXPECT_EQ(m.deviation[1], 0);
}

TEST(ColumnMoments, OfNoRowsAreZero) {
  const DenseDesign X(ConstMatrixView(nullptr, 0, 2));
  EXPECT_EQ(column_moments(X, {}).mean, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace tamis
