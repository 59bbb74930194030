// Methods that flas is compared with and that are not methods of tamis: variational Bayes with the whole covariance,
// and the mode under point-mass spikes; and data on which one of them once diverged.
#include <gmock/gmock.h>

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "experiments/designs.hpp"
#include "experiments/laplace/full_variational.hpp"
#include "experiments/laplace/point_mass_map.hpp"
#include "experiments/laplace/reference_methods.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::laplace {
namespace {

constexpr double inclusion = 0.5, spike = 1e-3, slab = 5, noise = 1;
const Control one_thread{.threads = 1};

struct Example {
  Simulation drawn;
  DenseDesign X;
  Problem problem;

  Example(const std::string& design, const std::map<std::string, double>& parameters)
      : drawn(simulate(design, 3, parameters)),
        X(drawn.train.X),
        problem{.X = X, .y = drawn.train.y.column(0), .likelihood = family(drawn.family), .standardize = false} {}
};

bool is_relevant(const Example& example, std::size_t j) {
  return example.drawn.truth.coefficients(static_cast<Index>(j), 0) != 0;
}

// q(z) and q(s) given the moments of q(w) that were returned.
TEST(FullVariational, EndsAtAFixedPoint) {
  const Example example("flas.regression-n100", {{"p", 60}, {"test", 0}});
  const Fit fit = fit_full_variational(example.problem, {inclusion, spike, slab, noise}, one_thread);
  ASSERT_EQ(fit.status, Status::converged);
  constexpr double last_change = 1e-3;  // it stops at a change of 1e-4, and the next steps are no longer
  for (std::size_t j = 0; j < fit.inclusion.size(); ++j) {
    const double square = std::pow(fit.coefficients[j], 2) + std::pow(fit.standard_deviations[j], 2);
    const double told = 0.5 * (std::log(spike / slab) + square * (1 / spike - 1 / slab));
    const double odds = boost::math::digamma(1 + fit.inclusion[j]) - boost::math::digamma(2 - fit.inclusion[j]);
    EXPECT_NEAR(fit.inclusion[j], logistic(told + odds), last_change) << j;
  }
}

TEST(FullVariational, FindsNearlyAllFeaturesThatMatterAndNoOthers) {
  const Example example("flas.regression-n100", {{"p", 60}, {"test", 0}});
  const Fit fit = fit_full_variational(example.problem, {inclusion, spike, slab, noise}, one_thread);
  Index found = 0;
  for (std::size_t j = 0; j < fit.inclusion.size(); ++j) {
    EXPECT_TRUE(is_relevant(example, j) || fit.inclusion[j] < 0.5) << j;
    found += fit.inclusion[j] > 0.5 ? 1 : 0;
  }
  EXPECT_GE(found, 17);  // of 20 in groups correlated .81
}

TEST(FullVariational, TellsTwoClassesApart) {
  const Example example("flas.classification-n120", {{"p", 60}});
  const Fit fit = fit_full_variational(example.problem, {}, one_thread);
  EXPECT_LT(test_error(fit, DenseDesign(example.drawn.test.X), example.drawn.test.y.column(0)), 0.2);
}

PointMassMode mode_of(const Example& example, const ScaledProblem& scaled, const PointMassPrior& prior) {
  std::vector<double> start(scaled.features(), 0.1);
  return point_mass_mode(example.problem, scaled, prior, start);
}

TEST(PointMassMap, TheObjectiveNeverRises) {
  for (const char* design : {"flas.regression-n60", "flas.classification-n60"}) {
    const Example example(design, {{"p", 100}, {"test", 0}});
    const PointMassMode mode = mode_of(example, ScaledProblem(example.problem), {.noise_variance = 1, .cost = 2});
    EXPECT_TRUE(mode.converged) << design;
    for (std::size_t k = 1; k < mode.objective.size(); ++k) {
      EXPECT_LE(mode.objective[k], mode.objective[k - 1] * (1 + 1e-12)) << design << " " << k;
    }
  }
}

// Where a coefficient is not zero, loss and prior pull alike; where it is, the loss does not pull harder than the
// prior holds.
TEST(PointMassMap, EndsWhereNothingPulls) {
  const Example example("flas.regression-n100", {{"p", 100}, {"test", 0}});
  const ScaledProblem scaled(example.problem);
  const PointMassPrior prior{.noise_variance = 0.01, .slab_variance = 0.1, .cost = 3};
  const PointMassMode mode = mode_of(example, scaled, prior);
  std::vector<double> left(scaled.response().begin(), scaled.response().end());
  for (double& r : left) r -= mode.intercept;
  std::vector<double> minus(mode.b), pull(mode.b.size());
  for (double& b : minus) b = -b;
  scaled.X().multiply_add(scaled.kept(), std::span<const double>(minus), std::span(left));
  scaled.X().transpose_multiply(scaled.kept(), std::span<const double>(left), std::span(pull));
  const double unit = prior.cost / std::log1p(1 / prior.width);
  for (std::size_t j = 0; j < pull.size(); ++j) {
    const double b = mode.b[j], from_loss = pull[j] / prior.noise_variance, hold = unit / (prior.width + std::abs(b));
    if (b == 0) {
      EXPECT_LE(std::abs(from_loss), 1.01 * hold) << j;
    } else {
      // The last step changed the objective by a millionth: the slope is flat to a thousandth of its parts.
      EXPECT_NEAR(from_loss, b / prior.slab_variance + std::copysign(hold, b), 1e-2 * (hold + 100)) << j;
    }
  }
}

TEST(PointMassMap, FindsTheFeaturesThatMatterByItself) {
  const Example example("flas.regression-n120", {{"p", 200}, {"test", 0}});
  const Fit fit = fit_point_mass_map(example.problem, one_thread);
  for (std::size_t j = 0; j < fit.coefficients.size(); ++j) {
    EXPECT_TRUE(!is_relevant(example, j) || fit.coefficients[j] != 0) << j;
  }
}

// Sites of many features that share factors feed each other, and a slab that is learned feeds on them.
TEST(ReferenceMethods, FactorizedPropagationDoesNotRunAway) {
  const Example example("flas.expression-dlbcl", {{"p", 1500}});
  const Fit fit = factorized_ep().fit(example.problem, one_thread);
  double spread = 0;
  for (const double y : example.drawn.test.y.column(0))
    spread += y * y / static_cast<double>(example.drawn.test.rows());
  EXPECT_LT(test_error(fit, DenseDesign(example.drawn.test.X), example.drawn.test.y.column(0)), 2 * std::sqrt(spread))
      << fit.message;
}

}  // namespace
}  // namespace tamis::experiments::laplace
