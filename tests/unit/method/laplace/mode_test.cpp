// Modes under a spike-and-slab prior: what their objectives are.
#include "method/laplace/mode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "contract/method_cases.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// -log N(w | 0, variance) with the log of the probability of its component.
double cost(double w, double variance, double probability) {
  return 0.5 * (std::log(2 * std::numbers::pi * variance) + w * w / variance) - std::log(probability);
}

TEST(JointMode, ObjectiveIsLossAndPriorOfCoefficientsAndIndicatorsForEverySlabVariance) {
  constexpr Index n = 30, p = 8;
  constexpr double spike = 1e-4, inclusion = 0.2;
  Matrix columns(n, p);
  RandomStream random(4, 1);
  for (Index j = 0; j < p; ++j) random.normals(columns.column(j));
  std::vector<double> y(n);
  for (Index i = 0; i < n; ++i) y[i] = 2 * columns(i, 0) - 1.5 * columns(i, 1) + 0.5 * random.normal();
  const DenseDesign X(columns);
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian")};
  const ScaledProblem scaled(problem);
  const std::unique_ptr<DualModel> model = make_dual_model(scaled);
  model->set_noise_variance(0.1);
  for (int k = 0; k < 200; ++k) {
    const double slab = 0.5 + 0.0137 * k;  // 1 / slab * slab is not always 1
    const SpikeSlabMode mode = joint_mode(*model, TwoNormal(inclusion, spike, slab), {0, 1}, {}, {});
    ASSERT_TRUE(mode.converged);
    double expected = model->loss(model->predictor(mode.w), mode.intercept).value;
    for (Index j = 0; j < p; ++j)
      expected += j < 2 ? cost(mode.w[j], slab, inclusion) : cost(mode.w[j], spike, 1 - inclusion);
    EXPECT_NEAR(mode.objective, expected, 1e-9 * std::abs(expected)) << slab;
    EXPECT_EQ(mode.trace.back().objective, mode.objective);
  }
}

}  // namespace
}  // namespace tamis
