#include "experiments/garrote/random_start.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/garrote/boston.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr double noise_variance = 0.3, slab_variance = 1, prior_inclusion = 0.25;
constexpr Index n = 60, p = 6;

// Correlated columns at unit standard deviation; y = x1 - 0.7 x3 + noise, centered.
struct Example {
  Matrix X{n, p};
  std::vector<double> y = std::vector<double>(n);

  Example() {
    RandomStream numbers(5);
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) X(i, j) = numbers.normal() + (j > 0 ? 0.8 * X(i, j - 1) : 0);
    }
    for (Index j = 0; j < p; ++j) {
      std::span<double> column = X.column(j);
      const double mean = std::accumulate(column.begin(), column.end(), 0.0) / n;
      double square = 0;
      for (double& x : column) x -= mean;
      for (const double x : column) square += x * x / n;
      for (double& x : column) x /= std::sqrt(square);
    }
    for (Index i = 0; i < n; ++i) y[i] = X(i, 0) - 0.7 * X(i, 2) + 0.5 * numbers.normal();
    const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
    for (double& value : y) value -= mean;
  }

  double correlation_with_residual(Index j, const FieldSolution& solution) const {
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      double residual = y[i];
      for (Index k = 0; k < p; ++k) residual -= X(i, k) * solution.coefficients[k];
      sum += X(i, j) * residual / n;
    }
    return sum;
  }
};

const std::vector<double> even(p, 0.5);

TEST(FixedGarrote, SolvesTheEquationsOfThePaper) {
  const Example example;
  const FieldSolution solution = FixedField(FieldKind::garrote, example.X, example.y, noise_variance, slab_variance)
                                     .solve_from(even, prior_inclusion);
  ASSERT_TRUE(solution.converged);
  for (std::size_t j = 0; j < p; ++j) {
    const double w = solution.weights[j];
    const double m = logistic(logit(prior_inclusion) + n / noise_variance / 2 * w * w);  // Eq. 8
    EXPECT_NEAR(solution.inclusion[j], m, 1e-6);
    // Eq. 9, line by line: chi_jj w_j = x_j'(residual) / n + chi_jj m_j w_j.
    const double c = example.correlation_with_residual(static_cast<Index>(j), solution);
    EXPECT_NEAR(w, c + solution.coefficients[j], 1e-6);
  }
}

TEST(FixedPairedField, AgreesWithTheMethod) {
  const Example example;
  const FieldSolution solution = FixedField(FieldKind::paired, example.X, example.y, noise_variance, slab_variance)
                                     .solve_from(even, prior_inclusion);
  const DenseDesign X(example.X);
  const Fit fit = method("pmf").fit(
      {.X = X, .y = example.y, .likelihood = family("gaussian")},
      {{"prior_inclusion", prior_inclusion}, {"slab_variance", slab_variance}, {"noise_variance", noise_variance}});
  for (std::size_t j = 0; j < p; ++j) {
    EXPECT_NEAR(solution.coefficients[j], fit.coefficients[j], 1e-4) << "the method's tolerance is 1e-5 posterior sds";
  }
  EXPECT_NEAR(solution.bound, fit.objective, 1e-4);
}

TEST(FixedPairedField, StaysAtItsSolution) {
  const Example example;
  FixedField field(FieldKind::paired, example.X, example.y, noise_variance, slab_variance);
  const FieldSolution first = field.solve_from(even, prior_inclusion);
  const FieldSolution again = field.continue_from(first, prior_inclusion);
  for (std::size_t j = 0; j < p; ++j) EXPECT_NEAR(first.coefficients[j], again.coefficients[j], 1e-8);
}

TEST(FixedPairedField, KeepsMoreWithADenserPrior) {
  const Example example;
  FixedField field(FieldKind::paired, example.X, example.y, noise_variance, slab_variance);
  const auto kept = [&](double prior) {
    const std::vector<double> m = field.solve_from(even, prior).inclusion;
    return std::accumulate(m.begin(), m.end(), 0.0);
  };
  EXPECT_LT(kept(0.05), kept(0.9));
}

TEST(RandomInclusion, IsSoftOrExtremeAndFollowsTheSeed) {
  const std::vector<double> soft = random_inclusion(StartKind::soft, 50, 3);
  EXPECT_THAT(soft, testing::Each(testing::AllOf(testing::Gt(0.0), testing::Lt(1.0))));
  EXPECT_THAT(random_inclusion(StartKind::extreme, 50, 3), testing::Each(testing::AnyOf(0.0, 1.0)));
  EXPECT_EQ(soft, random_inclusion(StartKind::soft, 50, 3));
  EXPECT_NE(soft, random_inclusion(StartKind::soft, 50, 4));
}

}  // namespace
}  // namespace tamis::experiments::garrote
