// The descent of point estimates: that it only descends and stops when told to, and that cells of very different sizes
// do not end it.
#include "factor/point/alternating.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tamis/base/parallel.hpp"
#include "unit/factor/factor_start.hpp"

namespace tamis {
namespace {

// Wants to stop when it is asked for the n-th time.
class StopsWhenAsked final : public Observer {
 public:
  explicit StopsWhenAsked(int times) : left_(times) {}
  bool cancelled() override { return --left_ <= 0; }

 private:
  int left_;
};

TEST(PointDescent, IsStoppedInTheMiddleOfAnIteration) {
  const Matrix data = two_factor_table("bernoulli", 64, 6, 3);
  FactorProblem problem;
  problem.dense = data;
  problem.family = "bernoulli";
  problem.factors = 2;
  const factor::Cells cells(problem);
  factor::FactorState state(cells, 2, true);
  RandomStream random(1);
  random.normals(state.scores);
  for (Index k = 0; k < 2; ++k) random.normals(std::span(state.loading_row(k), 6));
  const factor::FactorState before = state;
  StopsWhenAsked observer(3);
  factor::PointEnd end;
  with_threads(1, [&] { end = factor::minimize(cells, {0.5, 0}, 10, 1e-5, &observer, state); });
  EXPECT_TRUE(end.cancelled);
  EXPECT_EQ(end.iterations, 0);
  EXPECT_NE(state.scores.front(), before.scores.front());
  EXPECT_EQ(state.scores.back(), before.scores.back()) << "the last rows came after the stop";
  EXPECT_EQ(state.loading_row(0)[0], before.loading_row(0)[0]);
}

TEST(PointDescent, FitsCountsBetweenZeroAndAQuadrillion) {
  for (const char* prior : {"l1", "none", "vb"}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      RandomStream random(seed);
      Matrix data(30, 6);
      for (Index d = 0; d < 6; ++d) {
        for (double& x : data.column(d)) x = random.uniform01() < 0.9 ? 0 : 1e15;
      }
      FactorProblem problem;
      problem.dense = data;
      problem.family = "poisson";
      problem.factors = 1;
      const FactorFit fit = factor_prior(prior).fit(problem, {}, {.threads = 1}).fit;
      for (Index d = 0; d < 6; ++d) EXPECT_TRUE(std::isfinite(fit.loadings(0, d))) << prior << " " << seed;
    }
  }
}

// The loss of the penalized fit may only fall.
class PointLoss : public testing::TestWithParam<const char*> {};

TEST_P(PointLoss, NeverRises) {
  const Matrix data = two_factor_table(GetParam(), 30, 8, 4);
  FactorProblem problem;
  problem.dense = data;
  problem.family = GetParam();
  problem.factors = 3;
  const factor::Cells cells(problem);
  for (const factor::PointObjective& objective : {factor::PointObjective{.penalty = 0.7},
                                                  {.penalty = 0.7, .loading_penalty = 3},
                                                  {.penalty = 0.7, .loading_penalty = 0.5, .sparse_loadings = true}}) {
    factor::FactorState state = random_start(cells);
    double last = factor::point_loss(cells, objective, state);
    for (int i = 0; i < 30; ++i) {
      factor::improve_scores(cells, objective, state);
      const double middle = factor::point_loss(cells, objective, state);
      EXPECT_LE(middle, last + 1e-9 * std::abs(last));
      factor::improve_loadings(cells, objective, state);
      last = factor::point_loss(cells, objective, state);
      EXPECT_LE(last, middle + 1e-9 * std::abs(middle));
      if (!objective.sparse_loadings) continue;
      factor::balance_scales(objective, state);
      const double balanced = factor::point_loss(cells, objective, state);
      EXPECT_LE(balanced, last + 1e-9 * std::abs(last));
      last = balanced;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, PointLoss, testing::Values("gaussian", "bernoulli", "poisson", "waiting"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tamis
