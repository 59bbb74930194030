// The algorithms of Bayesian Masking against each other and against finite differences.
#include "method/masking/mask_ascent.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "method/masking/mask_gradient.hpp"
#include "method/masking/mask_squarem.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/parallel.hpp"
#include "unit/method/masking/mask_example.hpp"

namespace tamis {
namespace {

void iterate(MaskState& state) {
  for (const Index k : std::vector<Index>(state.active)) {
    if (!collapse_rate(state, k, -8)) state.remove(k);
  }
  maximize_weights(state);
  maximize_noise(state);
}

TEST(MaskGradient, IsThatOfTheObjective) {
  for (const char* family : {"gaussian", "bernoulli"}) {
    MaskState state(draw_masked(80, 5, 1, family));
    state.start({});
    for (const Index k : state.active) expect_masks(state, k);
    for (MaskFeature& f : state.features) f.log_odds = 0.3 + 0.1 * f.beta;
    const MaskGradient gradient = gradient_of(state);
    const auto objective_at = [&](double& unknown, double value) {
      const double before = std::exchange(unknown, value);
      state.rebuild_residual();
      const double g = state.objective();
      unknown = before;
      state.rebuild_residual();
      return g;
    };
    constexpr double h = 1e-5, accuracy = 1e-6;  // central differences of a G of some hundreds
    for (std::size_t a = 0; a < state.active.size(); ++a) {
      MaskFeature& f = state.feature(state.active[a]);
      const double beta = f.beta, rate = f.rate();
      const double by_weight = (objective_at(f.beta, beta + h) - objective_at(f.beta, beta - h)) / (2 * h);
      EXPECT_NEAR(gradient.weights[a], by_weight, accuracy * (1 + std::abs(by_weight)));
      const double by_rate =
          (objective_at(f.log_odds, logit(rate + h)) - objective_at(f.log_odds, logit(rate - h))) / (2 * h);
      EXPECT_NEAR(gradient.rates[a], by_rate, accuracy * (1 + std::abs(by_rate)));
    }
  }
}

TEST(MaskGradient, AStepIsEquationTwenty) {
  MaskState state(draw_masked(80, 3, 2));
  state.start({});
  for (const Index k : state.active) expect_masks(state, k);
  const MaskGradient gradient = gradient_of(state);
  const std::vector<MaskFeature> before = state.features;
  constexpr double eta = 1e-9;
  gradient_step(state, {.weights = eta});
  for (std::size_t a = 0; a < 3; ++a) {
    const auto k = static_cast<std::size_t>(state.active[a]);
    const double beta = before[k].beta, rate = before[k].rate();
    const double weight = gradient.weights[a] - rate / beta * gradient.rates[a];
    const double of_rate = -rate / beta * gradient.weights[a] + (1 + rate * rate) / (beta * beta) * gradient.rates[a];
    // Differences of numbers near one.
    EXPECT_NEAR(state.features[k].beta - beta, eta * weight, 1e-14);
    EXPECT_NEAR(state.features[k].rate() - rate, eta * of_rate, 1e-14);
  }
}

TEST(MaskGradient, NoLearningRateDiverges) {
  MaskState state(draw_masked(200, 10, 3));
  state.start({});
  const MaskRequest request{.algorithm = MaskAlgorithm::eg, .max_iterations = 300, .learning_rate = 100};
  const MaskResult result = maximize_criterion(state, request, nullptr);
  EXPECT_GT(result.trace.back().objective, result.trace.front().objective);
  for (const Index k : state.active) EXPECT_LT(std::abs(state.feature(k).beta), 5);
}

TEST(MaskOptimizer, TheObjectiveNeverFallsWhileFeaturesStay) {
  for (const MaskAlgorithm algorithm : {MaskAlgorithm::em, MaskAlgorithm::collapsed}) {
    for (const char* family : {"gaussian", "bernoulli"}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        MaskState state(draw_masked(300, 15, seed, family, /*intercept=*/true));
        state.start({});
        const auto trace = maximize_criterion(state, {.algorithm = algorithm, .max_iterations = 300}, nullptr).trace;
        for (std::size_t t = 1; t < trace.size(); ++t) {
          if (trace[t].active != trace[t - 1].active) continue;
          EXPECT_GE(trace[t].objective, trace[t - 1].objective - 1e-8 * std::abs(trace[t].objective)) << family;
        }
      }
    }
  }
}

// A rate set to zero by a gradient step made G -1e11 for an iteration.
TEST(MaskOptimizer, GradientStepsDoNotThrowTheObjectiveAway) {
  for (const MaskAlgorithm algorithm : {MaskAlgorithm::eg, MaskAlgorithm::hybrid}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      MaskState state(draw_masked(200, 15, seed, "gaussian", /*intercept=*/true));
      state.start({});
      const MaskRequest request{.algorithm = algorithm, .max_iterations = 300, .switch_after = 20};
      const auto trace = maximize_criterion(state, request, nullptr).trace;
      // A pruned feature changes G by some log N; no step between loses more than ten per feature of it.
      const double most = 10 * 15 * std::log(200);
      for (std::size_t t = 1; t < trace.size(); ++t) {
        EXPECT_GT(trace[t].objective, trace[t - 1].objective - most) << seed;
      }
    }
  }
}

TEST(MaskOptimizer, CollapsedPrunesInTensOfIterationsWhatEmPrunesInThousands) {
  const auto pruned_after = [](MaskAlgorithm algorithm, Index iterations) {
    MaskState state(draw_masked(400, 20, 6));
    state.start({});
    maximize_criterion(state, {.algorithm = algorithm, .max_iterations = iterations}, nullptr);
    return 20 - std::ssize(state.active);
  };
  EXPECT_GE(pruned_after(MaskAlgorithm::collapsed, 10), 6);
  EXPECT_LE(pruned_after(MaskAlgorithm::em, 100), 1);
  EXPECT_GE(pruned_after(MaskAlgorithm::em, 4000), 6);
}

TEST(MaskOptimizer, HybridPrunesSoonAfterItsSwitch) {
  MaskState state(draw_masked(400, 20, 6));
  state.start({});
  const MaskRequest request{.algorithm = MaskAlgorithm::hybrid, .max_iterations = 300, .switch_after = 100};
  const auto trace = maximize_criterion(state, request, nullptr).trace;
  EXPECT_GE(trace[99].active, 19);
  EXPECT_LE(trace.back().active, 16);
}

TEST(MaskOptimizer, WithoutReparametrizationEgPrunesLater) {
  const auto kept_after = [](bool reparametrize) {
    MaskState state(draw_masked(400, 20, 6));
    state.start({});
    const MaskRequest request{.algorithm = MaskAlgorithm::eg, .max_iterations = 200, .reparametrize = reparametrize};
    maximize_criterion(state, request, nullptr);
    return state.active.size();
  };
  EXPECT_LT(kept_after(true), kept_after(false));
}

// So many rows that threads share those of each feature.
TEST(MaskOptimizer, TheNumberOfThreadsDoesNotChangeABit) {
  const auto result = [](int threads, MaskAlgorithm algorithm) {
    MaskState state(draw_masked(3001, 12, 8, "gaussian", /*intercept=*/true));
    with_threads(threads, [&] {
      state.start({});
      maximize_criterion(state, {.algorithm = algorithm, .max_iterations = 30}, nullptr);
    });
    return std::pair(state.objective(), state.residual);
  };
  for (const MaskAlgorithm algorithm : {MaskAlgorithm::em, MaskAlgorithm::collapsed}) {
    EXPECT_EQ(result(1, algorithm), result(2, algorithm));
  }
}

TEST(MaskSquarem, AnExtrapolationUndoneLeavesNoTrace) {
  MaskState state(draw_masked(300, 10, 9));
  state.start({});
  MaskSquarem squarem;
  for (int iteration = 0; iteration < 60 && !squarem.ready(); ++iteration) {
    iterate(state);
    squarem.remember(state);
  }
  ASSERT_TRUE(squarem.ready());
  const double objective = state.objective();
  const std::vector<double> residual = state.residual;
  const std::vector<Index> active = state.active;
  std::vector<std::vector<double>> masks;
  for (const Index k : active) masks.push_back(state.masks(k));
  squarem.extrapolate(state);
  EXPECT_NE(state.objective(), objective);
  iterate(state);
  squarem.undo(state);
  EXPECT_EQ(state.objective(), objective);
  EXPECT_EQ(state.residual, residual);
  ASSERT_EQ(state.active, active);
  for (std::size_t a = 0; a < active.size(); ++a) EXPECT_EQ(state.masks(active[a]), masks[a]);
}

TEST(MaskSquarem, LeapsReachThePlainFixedPointInFewerIterations) {
  constexpr double tolerance = 1e-3;
  MaskState plain(draw_masked(300, 10, 9)), leaping(draw_masked(300, 10, 9));
  plain.start({});
  leaping.start({});
  Index iterations = 0;
  for (double change = 1; change > tolerance / 300; ++iterations) {
    std::vector<double> rates;
    for (const Index k : plain.active) rates.push_back(plain.feature(k).rate());
    const std::vector<Index> active = plain.active;
    iterate(plain);
    change = active == plain.active ? 0 : 1;
    for (std::size_t a = 0; a < plain.active.size() && change < 1; ++a) {
      change = std::max(change, std::abs(plain.feature(plain.active[a]).rate() - rates[a]));
    }
  }
  const MaskResult result = maximize_criterion(leaping, {.delta = logistic(-8), .tolerance = tolerance}, nullptr);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT(result.trace.back().iteration, iterations);
  EXPECT_NEAR(leaping.objective(), plain.objective(), 0.05);
}

}  // namespace
}  // namespace tamis
