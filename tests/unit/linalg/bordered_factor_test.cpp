#include "linalg/bordered_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

constexpr Index members = 30, all = 34;
constexpr double rounding = 2e-5;  // single precision, conditioned below 10, solutions of order 3

// Entries that fall off with distance: well conditioned on any set of coordinates.
double entry(Index i, Index k) { return std::pow(0.5, static_cast<double>(std::abs(i - k))) + (i == k ? 0.5 : 0.0); }
double right(Index k) { return static_cast<double>(k % 7) - 3.0; }

BorderedFactor factor_of_members() {
  auto lower = std::make_unique<float[]>(members * members);
  for (Index k = 0; k < members; ++k) {
    for (Index i = k; i < members; ++i) lower[k * members + i] = static_cast<float>(entry(i, k));
  }
  BorderedFactor factor;
  EXPECT_TRUE(factor.factorize(std::move(lower), members));
  return factor;
}

void join_up_to(Index count, BorderedFactor& factor) {
  for (Index k = members; k < count; ++k) {
    std::vector<float> entries;
    for (Index i = 0; i <= k; ++i) entries.push_back(static_cast<float>(entry(i, k)));
    factor.append(entries);
  }
}

void set_right(Index count, BorderedFactor& factor) {
  std::vector<double> rhs;
  for (Index k = 0; k < count; ++k) rhs.push_back(right(k));
  factor.set_right_hand_side(std::move(rhs));
}

// The same system with the coordinates of known value moved to the right-hand side.
std::vector<double> expected(Index count, const std::vector<std::pair<Index, double>>& told) {
  std::vector<double> x(count);
  std::vector<bool> known(count, false);
  for (const auto& [k, value] : told) {
    x[k] = value;
    known[k] = true;
  }
  std::vector<Index> open;
  for (Index k = 0; k < count; ++k) {
    if (!known[k]) open.push_back(k);
  }
  const auto size = std::ssize(open);
  Matrix A(size, size), b(size, 1);
  for (Index k = 0; k < size; ++k) {
    for (Index i = 0; i < size; ++i) A(i, k) = entry(open[i], open[k]);
    b(k, 0) = right(open[k]);
    for (const auto& [other, value] : told) b(k, 0) -= value * entry(open[k], other);
  }
  EXPECT_TRUE(cholesky(A));
  solve_positive(A, b);
  for (Index k = 0; k < size; ++k) x[open[k]] = b(k, 0);
  return x;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& wanted) {
  ASSERT_EQ(x.size(), wanted.size());
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], wanted[k], rounding) << "coordinate " << k;
}

TEST(BorderedFactor, SolvesItsOwnSystem) {
  BorderedFactor factor = factor_of_members();
  set_right(members, factor);
  expect_near(factor.solve(), expected(members, {}));
}

TEST(BorderedFactor, SolvesWithCoordinatesThatJoined) {
  BorderedFactor factor = factor_of_members();
  join_up_to(all, factor);
  set_right(all, factor);
  expect_near(factor.solve(), expected(all, {}));
}

TEST(BorderedFactor, KeepsTheValuesItWasTold) {
  BorderedFactor factor = factor_of_members();
  set_right(members, factor);
  factor.fix_value(3, 0.25);
  factor.fix_value(20, -1.0);
  const std::vector<double> x = factor.solve();
  expect_near(x, expected(members, {{3, 0.25}, {20, -1.0}}));
  EXPECT_EQ(x[3], 0.25);
}

TEST(BorderedFactor, MayBeToldTheValueOfOneWhoJoined) {
  BorderedFactor factor = factor_of_members();
  join_up_to(all, factor);
  set_right(all, factor);
  factor.fix_value(7, 0.0);
  factor.fix_value(all - 2, 0.5);
  expect_near(factor.solve(), expected(all, {{7, 0.0}, {all - 2, 0.5}}));
}

TEST(BorderedFactor, LearnsMoreBetweenSolutionsAndForgetsItsBorder) {
  BorderedFactor factor = factor_of_members();
  join_up_to(all, factor);
  set_right(all, factor);
  factor.fix_value(7, 0.0);
  factor.solve();
  factor.fix_value(8, 1.0);
  expect_near(factor.solve(), expected(all, {{7, 0.0}, {8, 1.0}}));
  factor.clear_border();
  EXPECT_EQ(factor.border(), 0);
  set_right(members, factor);
  factor.fix_value(7, 0.5);
  expect_near(factor.solve(), expected(members, {{7, 0.5}}));
}

TEST(BorderedFactor, RefusesAnIndefiniteMatrix) {
  auto lower = std::make_unique<float[]>(4);
  lower[0] = 1;
  lower[1] = 2;
  lower[3] = 1;
  BorderedFactor factor;
  EXPECT_FALSE(factor.factorize(std::move(lower), 2));
  EXPECT_EQ(factor.size(), 0);
}

}  // namespace
}  // namespace tamis
