#include "solver/path/lasso_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "solver/path/screening_pass.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

struct Data {
  Matrix X;
  std::vector<double> y;

  Data(Index rows, Index cols) : X(rows, cols), y(rows) {}
};

// Wide correlated data whose path goes to the dense end, where features come and go.
Data wide_data(bool binary, Index columns = 500) {
  Data data(120, columns);
  Matrix& X = data.X;
  RandomStream random(3);
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      X(i, j) = random.normal() + (j > 0 ? X(i, j - 1) * 0.7 : 0.0);
    }
  }
  for (Index i = 0; i < X.rows(); ++i) {
    const double eta = X(i, 10) - X(i, 100) + 0.5 * X(i, 300);
    data.y[i] = binary ? (random.uniform01() < 1 / (1 + std::exp(-eta)) ? 1.0 : 0.0) : eta + random.normal();
  }
  return data;
}

// Pairs u + v, v of orthogonal waves where y knows the u only: the second is not correlated with y before the first has
// entered, and then enters soon. No slope predicts that.
Data hidden_data() {
  constexpr Index pairs = 12;
  Data data(64, 2 * pairs);
  for (Index i = 0; i < data.X.rows(); ++i) {
    const auto wave = [&](Index k) {
      return std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / 64);
    };
    for (Index k = 0; k < pairs; ++k) {
      const double u = wave(2 * k + 1), v = wave(2 * k + 2);
      data.X(i, 2 * k) = u + v;
      data.X(i, 2 * k + 1) = v;
      data.y[i] += std::pow(0.7, static_cast<double>(k)) * u;
    }
  }
  return data;
}

PenalizedLoss loss_of(const Data& data, const Design& X, bool binary) {
  return {.X = X,
          .likelihood = family(binary ? "bernoulli" : "gaussian"),
          .y = data.y,
          .weights = std::vector<double>(data.y.size(), 1.0 / static_cast<double>(data.y.size()))};
}

// One block and its check, beside which half of the next one is solved if we look ahead.
void advance(PenaltyPath& lasso_path, std::span<const double> grid, bool looks_ahead) {
  const std::vector<PenaltyPath*> alone{&lasso_path};
  lasso_path.solve_block(grid);
  if (looks_ahead) lasso_path.plan_lookahead(grid);
  screening_pass(alone, [&] { lasso_path.solve_lookahead(); });
}

struct Road {
  PathSettings settings;
  bool looks_ahead = false;
  Index length = 60;  // of the grid
  double l1_ratio = 1;
};

std::vector<PenalizedSolution> path(const Data& data, bool binary, const Road& road) {
  const DenseDesign X(data.X);
  PenalizedLoss loss = loss_of(data, X, binary);
  loss.l1_ratio = road.l1_ratio;
  LassoPath lasso_path(std::move(loss), road.settings);
  lasso_path.start();
  screening_pass(std::vector<PenaltyPath*>{&lasso_path});
  const std::vector<double> grid = penalty_grid(lasso_path.largest_penalty(), 0.02, road.length);
  while (lasso_path.accepted() < road.length && !lasso_path.failed()) advance(lasso_path, grid, road.looks_ahead);
  EXPECT_FALSE(lasso_path.failed());
  return lasso_path.solutions();
}

void expect_same_minima(const std::vector<PenalizedSolution>& a, const std::vector<PenalizedSolution>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].penalty, b[k].penalty);
    // The objective of a point whose conditions hold to 1e-7 is minimal to about that, relative to the null model's.
    EXPECT_NEAR(a[k].objective, b[k].objective, 1e-6 * b[0].objective) << "point " << k;
  }
}

class GramRoom : public testing::TestWithParam<std::tuple<bool, double, bool>> {};

// A small room forces trimming, then descent on columns: other roads to the same minimizer.
TEST_P(GramRoom, DoesNotChangeTheSolutions) {
  const auto [binary, share, looks_ahead] = GetParam();
  const Data data = wide_data(binary);
  constexpr double tolerance = 1e-7;
  const auto ample = path(data, binary, {.settings = {.tolerance = tolerance, .gram_share = 1.0}});
  const auto cramped =
      path(data, binary, {.settings = {.tolerance = tolerance, .gram_share = share}, .looks_ahead = looks_ahead});
  expect_same_minima(cramped, ample);
  for (std::size_t k = 0; k < cramped.size(); ++k) {
    EXPECT_LE(cramped[k].violation, 2 * tolerance) << "point " << k;
    EXPECT_LE(cramped[k].gap, 1e-6) << "point " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, GramRoom,
                         testing::Combine(testing::Bool(), testing::Values(0.0, 0.04, 0.07, 0.1, 0.15, 1.0),
                                          testing::Bool()));

// Of points that are not checked on all features only the candidates are known to be where they belong.
TEST(LassoPath, PointsBetweenCheckedOnesAreMinimalToo) {
  for (const bool binary : {false, true}) {
    const Data data = wide_data(binary);
    const auto all = path(data, binary, {.settings = {.tolerance = 1e-7}});
    const auto some = path(data, binary, {.settings = {.tolerance = 1e-7, .longest_block = 4, .check_every = 2}});
    expect_same_minima(some, all);
  }
}

TEST(LassoPath, WhatWasSolvedAheadOfAFailedCheckIsForgotten) {
  const Data data = hidden_data();
  const PathSettings settings{.tolerance = 1e-7};
  for (const Index length : {8, 15, 30}) {
    const auto ahead = path(data, false, {.settings = settings, .looks_ahead = true, .length = length});
    expect_same_minima(ahead, path(data, false, {.settings = settings, .length = length}));
    for (const PenalizedSolution& point : ahead) EXPECT_LE(point.violation, 2e-7);
  }
}

void expect_same_bits_on_two_threads(const Data& data, bool binary, const Road& road) {
  std::vector<PenalizedSolution> one, two;
  with_threads(1, [&] { one = path(data, binary, road); });
  with_threads(2, [&] { two = path(data, binary, road); });
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].support, two[k].support);
    EXPECT_EQ(one[k].values, two[k].values);
    EXPECT_EQ(one[k].gap, two[k].gap);
  }
}

TEST(LassoPath, WhoSolvesAheadAndWhoChecksChangesNoBit) {
  for (const bool binary : {false, true}) {
    expect_same_bits_on_two_threads(wide_data(binary), binary, {.settings = {}, .looks_ahead = true});
  }
}

// Several parts of X are looked at by two threads in any order. The elastic net's gap is a sum over them, and features
// that nobody foresaw come from all.
TEST(LassoPath, InWhichOrderColumnsAreCheckedChangesNoBit) {
  const Data data = wide_data(false, 4000);
  for (const double l1_ratio : {1.0, 0.5}) {
    const Road road{.settings = {}, .looks_ahead = true, .length = 20, .l1_ratio = l1_ratio};
    for (int again = 0; again < 5; ++again) expect_same_bits_on_two_threads(data, false, road);
  }
}

TEST(LassoPath, RestartForgetsWhatAwaitsItsCheck) {
  const Data data = wide_data(false);
  const DenseDesign X(data.X);
  LassoPath lasso_path(loss_of(data, X, false), {.tolerance = 1e-7});
  lasso_path.start();
  screening_pass(std::vector<PenaltyPath*>{&lasso_path});
  const std::vector<double> grid = penalty_grid(lasso_path.largest_penalty(), 0.02, 60);
  while (lasso_path.accepted() < 20) advance(lasso_path, grid, true);
  ASSERT_GT(lasso_path.pending(), 0);
  const PenalizedSolution from = lasso_path.solutions().back();
  const auto last = static_cast<std::size_t>(lasso_path.accepted());
  lasso_path.restart(from);
  EXPECT_EQ(lasso_path.pending(), 0);
  const std::span<const double> rest = std::span(grid).subspan(last);
  while (lasso_path.accepted() < std::ssize(rest)) advance(lasso_path, rest, true);
  std::vector<PenalizedSolution> whole = path(data, false, {.settings = {.tolerance = 1e-7}});
  whole.erase(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(last));
  expect_same_minima(lasso_path.solutions(), whole);
}

TEST(LassoPath, RestartedAtASolutionItStays) {
  constexpr double tolerance = 1e-8;
  for (const bool binary : {false, true}) {
    const Data data = wide_data(binary);
    const DenseDesign X(data.X);
    LassoPath lasso_path(loss_of(data, X, binary), {.tolerance = tolerance});
    lasso_path.start();
    screening_pass(std::vector<PenaltyPath*>{&lasso_path});
    const std::vector<double> grid = penalty_grid(lasso_path.largest_penalty(), 0.02, 60);
    while (lasso_path.accepted() < 30) advance(lasso_path, grid, true);
    const PenalizedSolution from = lasso_path.solutions().back();
    lasso_path.restart(from);
    while (lasso_path.accepted() == 0) advance(lasso_path, std::span(&from.penalty, 1), false);
    const PenalizedSolution& again = lasso_path.solutions().back();
    EXPECT_EQ(again.support, from.support);
    // What satisfies the conditions to the tolerance may move by rounding, not by a step.
    for (std::size_t k = 0; k < from.values.size(); ++k) EXPECT_NEAR(again.values[k], from.values[k], tolerance);
    EXPECT_LE(again.violation, 2 * tolerance);
  }
}

TEST(LassoPath, PathSteppingStonesAreCertifiedAtTheirTolerance) {
  const Data data = wide_data(false);
  const PathSettings settings{.tolerance = 1e-5, .dense_tolerance = 5e-3};
  for (const PenalizedSolution& point : path(data, false, {.settings = settings})) {
    // The tolerance grows with the working set, which is larger than the support by the features that came and went.
    EXPECT_LE(point.violation, settings.tolerance_for(2 * std::ssize(point.support) + 50));
  }
}

// Everything that a path says, from a lasso_path that meets this offset.
std::vector<PenalizedSolution> counts_path(const Data& data, const std::vector<double>& offset, double* largest) {
  const DenseDesign X(data.X.view());
  PenalizedLoss loss = loss_of(data, X, false);
  PenalizedLoss counts{.X = X, .likelihood = family("poisson"), .y = data.y, .offset = offset, .weights = loss.weights};
  counts.factors.assign(data.X.cols(), 1.0);
  counts.factors[2] = 0;  // solved with the intercept, before any penalty
  LassoPath lasso_path(std::move(counts), {.tolerance = 1e-9});
  const std::vector<PenaltyPath*> alone{&lasso_path};
  lasso_path.start();
  screening_pass(alone);
  EXPECT_FALSE(lasso_path.failed());
  *largest = lasso_path.largest_penalty();
  const std::vector<double> grid = penalty_grid(*largest, 0.1, 6);
  while (lasso_path.accepted() < 6 && !lasso_path.failed()) advance(lasso_path, grid, false);
  return lasso_path.release_solutions();
}

TEST(LassoPath, ThePathOfCountsDoesNotDependOnTheLevelOfTheirOffset) {
  Data data = wide_data(false, 301);
  for (double& y : data.y) y = std::floor(40 * std::exp(0.1 * y));
  double largest = 0;
  const std::vector<PenalizedSolution> plain = counts_path(data, {}, &largest);
  ASSERT_EQ(plain.size(), 6u);
  EXPECT_FALSE(plain.back().support.empty());
  for (const double level : {0.0, 10.0, -30.0, 300.0}) {
    double largest_too = 0;
    const std::vector<PenalizedSolution> moved =
        counts_path(data, std::vector<double>(data.y.size(), level), &largest_too);
    EXPECT_NEAR(largest_too, largest, 1e-8 * largest) << level;
    ASSERT_EQ(moved.size(), plain.size()) << level;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      EXPECT_NEAR(moved[k].intercept, plain[k].intercept - level, 1e-7) << level;
      EXPECT_LE(moved[k].violation, 1e-8);
      ASSERT_EQ(moved[k].support.size(), plain[k].support.size()) << level;
    }
  }
}

}  // namespace
}  // namespace tamis
