#include "tamis/base/logarithm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tamis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A few units in the last place, relative.
constexpr double close = 4e-16;

void expect_relative(double actual, double expected, double tolerance = close) {
  EXPECT_NEAR(actual, expected, tolerance * std::abs(expected));
}

TEST(Logarithm, LogisticKeepsItsDigitsAtBothEnds) {
  EXPECT_EQ(logistic(0), 0.5);
  expect_relative(logistic(-700), std::exp(-700.0));
  expect_relative(logistic(-40), std::exp(-40.0));
  expect_relative(logistic(1), 1 / (1 + std::exp(-1.0)));
  EXPECT_EQ(logistic(800), 1);
  EXPECT_EQ(logistic(-800), 0);
  EXPECT_EQ(logistic(infinity), 1);
  EXPECT_EQ(logistic(-infinity), 0);
}

TEST(Logarithm, LogitIsTheInverseOfLogistic) {
  for (const double x : {-700.0, -30.0, -2.0, 0.0, 2.0, 15.0}) EXPECT_NEAR(logit(logistic(x)), x, 1e-8);
  EXPECT_EQ(logit(0), -infinity);
  EXPECT_EQ(logit(1), infinity);
}

TEST(Logarithm, Log1pexpIsExactFarOut) {
  EXPECT_EQ(log1pexp(0), std::log(2.0));
  EXPECT_EQ(log1pexp(800), 800);
  expect_relative(log1pexp(-700), std::exp(-700.0));
  EXPECT_EQ(log1pexp(-800), 0);
  EXPECT_EQ(log1pexp(infinity), infinity);
  EXPECT_EQ(log1pexp(-infinity), 0);
}

TEST(Logarithm, LogLogisticIsTheLogOfLogistic) {
  for (const double x : {-20.0, -1.0, 0.0, 3.0}) expect_relative(log_logistic(x), std::log(logistic(x)), 1e-14);
  EXPECT_EQ(log_logistic(-800), -800);
}

TEST(Logarithm, Log1mexpIsTheComplement) {
  expect_relative(log1mexp(-1e-20), std::log(1e-20));
  expect_relative(log1mexp(-50), -std::exp(-50.0));
  expect_relative(log1mexp(-0.7), std::log(1 - std::exp(-0.7)), 1e-15);
  EXPECT_EQ(log1mexp(0), -infinity);
}

TEST(Logarithm, LogSumExpOfTwo) {
  EXPECT_EQ(log_sum_exp(1000, 1000), 1000 + std::log(2.0));
  EXPECT_EQ(log_sum_exp(-infinity, 3), 3);
  EXPECT_EQ(log_sum_exp(-infinity, -infinity), -infinity);
  EXPECT_EQ(log_sum_exp(infinity, 3), infinity);
  expect_relative(log_sum_exp(0, -40), std::exp(-40.0));
}

TEST(Logarithm, LogSumExpOfManyIsThatOfPairs) {
  const std::vector<double> values = {-1000, -1001, -1002.5};
  expect_relative(log_sum_exp(values), log_sum_exp(log_sum_exp(-1000, -1001), -1002.5));
  EXPECT_EQ(log_sum_exp(std::vector<double>{}), -infinity);
  EXPECT_EQ(log_sum_exp(std::vector<double>{-infinity, -infinity}), -infinity);
}

TEST(Logarithm, XLogXIsZeroAtZero) {
  EXPECT_EQ(x_log_x(0), 0);
  EXPECT_EQ(x_log_x(1), 0);
  expect_relative(x_log_x(0.5), -0.5 * std::log(2.0));
}

TEST(Logarithm, EntropyOfACoinIsSymmetricAndKeepsItsTails) {
  expect_relative(bernoulli_entropy(0), std::log(2.0));
  for (const double x : {0.3, 2.0, 30.0, 700.0}) EXPECT_EQ(bernoulli_entropy(x), bernoulli_entropy(-x));
  const double p = logistic(1.3);
  expect_relative(bernoulli_entropy(1.3), -x_log_x(p) - x_log_x(1 - p), 1e-15);
  expect_relative(bernoulli_entropy(100), 101 * std::exp(-100.0));
  EXPECT_EQ(bernoulli_entropy(infinity), 0);
  EXPECT_EQ(bernoulli_entropy(-infinity), 0);
}

}  // namespace
}  // namespace tamis
