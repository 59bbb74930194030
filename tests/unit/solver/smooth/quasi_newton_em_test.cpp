#include "solver/smooth/quasi_newton_em.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tamis {
namespace {

// A mixture of two known normals at -1 and 1 of unit variance with an unknown share: EM on the logit, slow because the
// components overlap.
class Mixture {
 public:
  Expectation operator()(std::span<const double> x) {
    ++calls_;
    const double share = 1 / (1 + std::exp(-x[0]));
    const auto n = static_cast<double>(data.size());
    double total = 0, log_density = 0;
    for (const double d : data) {
      const double up = share * std::exp(-0.5 * (d - 1) * (d - 1)),
                   down = (1 - share) * std::exp(-0.5 * (d + 1) * (d + 1));
      total += up / (up + down);
      log_density += std::log(up + down);
    }
    return {log_density, {total - n * share}, {n * share * (1 - share)}, {std::log(total / (n - total))}, 0};
  }
  int calls() const { return calls_; }
  const std::vector<double> data = {0.3, -0.2, 0.9, 0.4, -1.1, 0.1, 1.4, -0.3, 0.2};

 private:
  int calls_ = 0;
};

EmProblem problem_of(Mixture& mixture, double lower, double upper) {
  return {[&mixture](std::span<const double> x) { return mixture(x); }, {lower}, {upper}};
}

constexpr double tolerance = 1e-9;
const auto go_on = [](std::span<const double>, const Expectation&, double) { return true; };

TEST(QuasiNewtonEm, EndsWhereEmWouldEnd) {
  Mixture mixture;
  const EmResult found = quasi_newton_em(problem_of(mixture, -20, 20), {3.0}, tolerance, 100, go_on);
  EXPECT_EQ(found.end, EmEnd::converged);
  double x = 3;
  int slow = 0;
  for (double last = 0; std::abs(x - last) > tolerance; ++slow) {
    last = x;
    x = mixture(std::vector{x}).maximization[0];
  }
  EXPECT_NEAR(found.at[0], x, 1e-7);
}

TEST(QuasiNewtonEm, IsMuchQuickerThanEm) {
  Mixture quick, slow;
  quasi_newton_em(problem_of(quick, -20, 20), {3.0}, tolerance, 100, go_on);
  double x = 3;
  for (double last = 0; std::abs(x - last) > tolerance;) {
    last = x;
    x = slow(std::vector{x}).maximization[0];
  }
  EXPECT_LT(4 * quick.calls(), slow.calls());
}

TEST(QuasiNewtonEm, NeverFalls) {
  Mixture mixture;
  double last = -HUGE_VAL;
  quasi_newton_em(problem_of(mixture, -20, 20), {-15.0}, tolerance, 100,
                  [&](std::span<const double>, const Expectation& e, double) {
                    EXPECT_GE(e.objective, last - 1e-12);
                    last = e.objective;
                    return true;
                  });
}

TEST(QuasiNewtonEm, StopsAtABoundThatHoldsItBack) {
  Mixture mixture;
  const EmResult found = quasi_newton_em(problem_of(mixture, 2, 20), {3.0}, tolerance, 100, go_on);
  EXPECT_EQ(found.end, EmEnd::converged);
  EXPECT_EQ(found.at[0], 2);
}

TEST(QuasiNewtonEm, StopsWhenItIsTold) {
  Mixture mixture;
  int steps = 0;
  const EmResult found =
      quasi_newton_em(problem_of(mixture, -20, 20), {3.0}, tolerance, 100,
                      [&](std::span<const double>, const Expectation&, double) { return ++steps < 2; });
  EXPECT_EQ(found.end, EmEnd::stopped);
  EXPECT_EQ(steps, 2);
}

TEST(QuasiNewtonEm, SaysWhenItRanOutOfSteps) {
  Mixture mixture;
  EXPECT_EQ(quasi_newton_em(problem_of(mixture, -20, 20), {3.0}, tolerance, 1, go_on).end, EmEnd::iteration_limit);
}

TEST(QuasiNewtonEm, NothingUnknownIsOneExpectation) {
  int calls = 0;
  const EmProblem nothing{[&](std::span<const double>) { return ++calls, Expectation{}; }, {}, {}};
  const EmResult found = quasi_newton_em(nothing, {}, tolerance, 100, go_on);
  EXPECT_EQ(found.end, EmEnd::converged);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tamis
