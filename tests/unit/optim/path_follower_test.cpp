#include "optim/path_follower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "optim/follow.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// Wide correlated data whose path goes to the dense end, where features come and go.
struct WideData {
  Matrix X{120, 500};
  std::vector<double> y = std::vector<double>(120);

  explicit WideData(bool binary) {
    RandomStream random(3);
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index i = 0; i < X.rows(); ++i) {
        X(i, j) = random.normal() + (j > 0 ? X(i, j - 1) * 0.7 : 0.0);
      }
    }
    for (Index i = 0; i < X.rows(); ++i) {
      const double eta = X(i, 10) - X(i, 100) + 0.5 * X(i, 300);
      y[static_cast<std::size_t>(i)] =
          binary ? (random.uniform01() < 1 / (1 + std::exp(-eta)) ? 1.0 : 0.0) : eta + random.normal();
    }
  }
};

std::vector<PenalisedSolution> path(const WideData& data, bool binary, FollowSettings settings) {
  const DenseDesign X(data.X);
  PenalisedLoss loss{.X = X,
                     .likelihood = likelihood(binary ? "bernoulli" : "gaussian"),
                     .y = data.y,
                     .weights = std::vector<double>(data.y.size(), 1.0 / static_cast<double>(data.y.size()))};
  PathFollower follower(std::move(loss), settings);
  std::vector<Follower*> alone{&follower};
  follower.start();
  check_together(alone);
  const std::vector<double> grid = penalty_grid(follower.largest_penalty(), 0.02, 60);
  while (follower.accepted() < static_cast<Index>(grid.size()) && !follower.failed()) {
    follower.solve_block(grid);
    check_together(alone);
  }
  EXPECT_FALSE(follower.failed());
  return follower.solutions();
}

class GramRoom : public testing::TestWithParam<std::tuple<bool, double>> {};

// A small room forces trimming, then descent on columns: other roads to the same minimiser.
TEST_P(GramRoom, DoesNotChangeTheSolutions) {
  const auto [binary, share] = GetParam();
  const WideData data(binary);
  constexpr double tolerance = 1e-7;
  const auto ample = path(data, binary, {.tolerance = tolerance, .gram_share = 1.0});
  const auto cramped = path(data, binary, {.tolerance = tolerance, .gram_share = share});
  ASSERT_EQ(ample.size(), cramped.size());
  for (std::size_t k = 0; k < ample.size(); ++k) {
    EXPECT_LE(cramped[k].violation, 2 * tolerance) << "point " << k;
    // The objective of a point whose conditions hold to 1e-7 is minimal to about that, relative to the null model's.
    EXPECT_NEAR(cramped[k].objective, ample[k].objective, 1e-6 * ample[0].objective) << "point " << k;
    EXPECT_LE(cramped[k].gap, 1e-6) << "point " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, GramRoom,
                         testing::Combine(testing::Bool(), testing::Values(0.0, 0.04, 0.07, 0.1, 0.15)));

// Of points that are not checked on all features only the candidates are known to be where they belong.
TEST(PathFollower, PointsBetweenCheckedOnesAreMinimalToo) {
  for (const bool binary : {false, true}) {
    const WideData data(binary);
    const auto all = path(data, binary, {.tolerance = 1e-7});
    const auto some = path(data, binary, {.tolerance = 1e-7, .longest_block = 4, .check_every = 2});
    ASSERT_EQ(some.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_NEAR(some[k].objective, all[k].objective, 1e-6 * all[0].objective) << "point " << k;
    }
  }
}

TEST(PathFollower, PathSteppingStonesAreCertifiedAtTheirTolerance) {
  const WideData data(false);
  const FollowSettings settings{.tolerance = 1e-5, .dense_tolerance = 5e-3};
  for (const PenalisedSolution& point : path(data, false, settings)) {
    // The tolerance grows with the working set, which is larger than the support by the features that came and went.
    EXPECT_LE(point.violation, settings.tolerance_for(2 * static_cast<Index>(point.support.size()) + 50));
  }
}

}  // namespace
}  // namespace tamis
