// Bayesian Masking step by step: the objective against its definition, steps that never lower it, and fixed points that
// solve the paper's equations.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "method/masking/mask_ascent.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/logarithm.hpp"
#include "unit/method/masking/mask_example.hpp"

namespace tamis {
namespace {

// Eq. 10 term by term from mean masks, for rows of weight one or two.
double objective_of(const MaskState& state) {
  const double n = state.samples, precision = state.noise_precision;
  std::vector<double> mean(state.target.size(), state.intercept), variance(mean.size(), 0.0);
  double g = 0;
  for (const Index k : state.active) {
    const double beta = state.feature(k).beta, rate = state.feature(k).rate();
    const std::vector<double> mu = state.masks(k);
    double sum = 0;
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const double x = state.data.X(static_cast<Index>(i), k), w = state.data.weights[i], m = mu[i];
      mean[i] += x * m * beta;
      variance[i] += x * x * beta * beta * m * (1 - m);
      sum += w * m;
      g += w * (m * std::log(rate) + (m < 1 ? (1 - m) * std::log(1 - rate) : 0.0) - x_log_x(m) - x_log_x(1 - m));
    }
    g -= 0.5 * (std::log(n * rate) + (sum / n - rate) / rate);
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double r = state.target[i] - mean[i];
    g += state.data.weights[i] * 0.5 *
         (std::log(precision / (2 * std::numbers::pi)) - precision * (r * r + variance[i]));
  }
  return g - 0.5 * static_cast<double>(state.active.size() + 1) * std::log(n);
}

// Rounding of sums over a thousand masks, relative to |G| of some hundreds.
constexpr double rounding = 1e-11;

TEST(MaskState, ObjectiveIsEquationTen) {
  for (const bool intercept : {false, true}) {
    MaskData data = draw_masked(60, 6, 1, "gaussian", intercept);
    for (std::size_t i = 0; i < 60; i += 7) data.weights[i] = 2;
    MaskState state(std::move(data));
    state.start({});
    EXPECT_NEAR(state.objective(), objective_of(state), rounding * std::abs(state.objective()));
    for (const Index k : {0, 3, 5}) collapse_rate(state, k, -30);
    expect_masks(state, 1);
    maximize_weights(state);
    maximize_noise(state);
    EXPECT_NEAR(state.objective(), objective_of(state), rounding * std::abs(state.objective()));
  }
}

TEST(MaskState, NoStepLowersTheObjective) {
  for (const char* family : {"gaussian", "bernoulli"}) {
    MaskState state(draw_masked(200, 10, 2, family, /*intercept=*/true));
    state.start({});
    double before = state.objective();
    const auto rises = [&](const char* step) {
      const double now = state.objective();
      EXPECT_GE(now, before - rounding * std::abs(before)) << family << ": " << step;
      before = now;
    };
    for (int iteration = 0; iteration < 10; ++iteration) {
      for (const Index k : state.active) {
        if (iteration % 2 == 0) {
          expect_masks(state, k);
          rises("masks");
        } else if (collapse_rate(state, k, -8)) {
          rises("rate");
        }
      }
      maximize_weights(state);
      rises("weights");
      maximize_noise(state);
      rises("noise");
      maximize_rates(state);
      rises("rates");
      state.update_working_response();
      rises("view");
    }
  }
}

TEST(MaskState, BothAlgorithmsEndWhereTheEquationsHold) {
  for (const MaskAlgorithm algorithm : {MaskAlgorithm::em, MaskAlgorithm::collapsed}) {
    MaskState state(draw_masked(120, 6, 3));
    state.start({});
    const MaskResult result = maximize_criterion(state, {.algorithm = algorithm, .tolerance = 1e-9}, nullptr);
    EXPECT_EQ(result.status, Status::converged);
    ASSERT_GE(state.active.size(), 3u);
    double square = 0;
    for (const double r : state.residual) square += r * r;
    for (const Index k : state.active) {
      const MaskFeature& f = state.feature(k);
      const std::vector<double> mu = state.masks(k);
      double sum = 0, slope = 0;
      for (std::size_t i = 0; i < mu.size(); ++i) {
        const double x = state.data.X(static_cast<Index>(i), k), without = state.residual[i] + x * mu[i] * f.beta;
        const double odds = state.noise_precision * x * f.beta * (without - x * f.beta / 2) + f.log_odds -
                            1 / (2 * state.samples * f.rate());
        if (!f.certain) {
          EXPECT_NEAR(mu[i], logistic(odds), 1e-7);  // Eq. 11; one sweep moves masks by the tolerance of the weights
        }
        sum += mu[i];
        slope += x * mu[i] * state.residual[i] - x * x * mu[i] * (1 - mu[i]) * f.beta;
        square += f.beta * f.beta * x * x * mu[i] * (1 - mu[i]);
      }
      EXPECT_NEAR(sum / state.samples, f.rate(), 1e-9);  // Eq. 14
      EXPECT_NEAR(slope, 0, 1e-8);                       // Eq. 12
    }
    EXPECT_NEAR(1 / state.noise_precision, square / state.samples, 1e-10);  // Eq. 13
  }
}

TEST(MaskState, EmAndCollapsedDoNotDependOnTheScaleOfAColumn) {
  for (const MaskAlgorithm algorithm : {MaskAlgorithm::em, MaskAlgorithm::collapsed}) {
    MaskData data = draw_masked(150, 6, 4), scaled = draw_masked(150, 6, 4);
    const double scales[] = {1e4, 1e-4, 3, -1, 1e6, 1e-6};
    for (Index j = 0; j < 6; ++j) {
      for (double& x : scaled.X.column(j)) x *= scales[j];
    }
    MaskState a(std::move(data)), b(std::move(scaled));
    a.start({});
    b.start({});
    const MaskRequest request{.algorithm = algorithm, .max_iterations = 300};
    maximize_criterion(a, request, nullptr);
    maximize_criterion(b, request, nullptr);
    EXPECT_EQ(a.active, b.active);
    constexpr double agreement = 1e-8;
    EXPECT_NEAR(a.objective(), b.objective(), agreement);
    EXPECT_NEAR(a.noise_precision, b.noise_precision, agreement * a.noise_precision);
    for (const Index k : a.active) {
      EXPECT_NEAR(a.feature(k).rate(), b.feature(k).rate(), agreement);
      EXPECT_NEAR(a.feature(k).beta, b.feature(k).beta * scales[k], agreement * std::abs(a.feature(k).beta));
    }
  }
}

TEST(MaskState, ARateThatDiesIsReportedAndTheStateKept) {
  MaskState state(draw_masked(200, 4, 5));
  state.start({});
  for (int iteration = 0; iteration < 3; ++iteration) {
    for (const Index k : state.active) collapse_rate(state, k, -30);
    maximize_weights(state);
    maximize_noise(state);
  }
  state.feature(1).beta = 0;  // then no row says anything, and the penalty of the rate alone decides
  state.rebuild_residual();
  const double before = state.objective(), rate = state.feature(1).rate();
  EXPECT_FALSE(collapse_rate(state, 1, std::log(1 / 400.0)));
  EXPECT_EQ(state.objective(), before);
  EXPECT_EQ(state.feature(1).rate(), rate);
}

}  // namespace
}  // namespace tamis
