// When lasso and elastic-net may call a solution converged.
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "search/path_result.hpp"

namespace tamis {
namespace {

TEST(IsCertified, AsksForConditionsAndGap) {
  PenalizedSolution solution;
  solution.violation = 5e-8;
  solution.gap = 5e-5;
  EXPECT_TRUE(is_certified(solution, 1e-8));
  solution.gap = 5.5e-2;
  EXPECT_FALSE(is_certified(solution, 1e-8));
  EXPECT_TRUE(is_certified(solution, 1e-2));
  solution.gap = 0;
  solution.violation = 2e-7;
  EXPECT_FALSE(is_certified(solution, 1e-8));
  for (double* broken : {&solution.gap, &solution.violation}) {
    solution.gap = solution.violation = 0;
    *broken = std::nan("");
    EXPECT_FALSE(is_certified(solution, 1e-8));
  }
}

// A trillion in front of the response and its offset, which no intercept takes away, leaves the residuals four digits.
TEST(Penalized, WhatHasNoDigitsLeftIsNotCalledSolved) {
  contract::Example e = contract::make_example(family("gaussian"), 40, 6);
  for (std::size_t i = 0; i < e.y.size(); ++i) e.y[i] += e.offset.emplace_back(i % 2 == 0 ? 1e12 : -1e12);
  const DenseDesign design(e.X);
  for (const char* method : {"lasso", "elastic-net"}) {
    const Fit found = fit(e.problem(design), method, {{"penalty", 0.01}});
    EXPECT_EQ(found.status, Status::stalled) << found.message;
  }
}

// Their common mean is one strong direction, along which coordinate descent creeps with steps below its tolerance.
TEST(PenalizedStatus, TallColumnsThatAreNotCenteredConverge) {
  constexpr Index n = 2000, p = 100;
  Matrix columns(n, p);
  std::vector<double> y(n);
  RandomStream random(1, 1);
  for (Index j = 0; j < p; ++j) {
    for (double& x : columns.column(j)) x = random.uniform01();
  }
  for (Index i = 0; i < n; ++i) {
    y[i] = 0.4 * random.normal();
    for (Index j = 0; j < p; j += 2) y[i] += columns(i, j) * (0.1 + 0.018 * static_cast<double>(j % 50));
  }
  const DenseDesign X(columns);
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian"), .intercept = false, .standardize = false};
  const Fit found = fit(problem, "lasso", {{"penalty", 0.0013}});
  EXPECT_EQ(found.status, Status::converged) << found.message;
  const Fit searched = fit(problem, "lasso", {{"rule", std::string("min")}});
  EXPECT_LT(std::get<double>(searched.hyper.at("penalty")), 0.05) << searched.message;
}

}  // namespace
}  // namespace tamis
