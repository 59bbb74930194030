// bvs against all models: the posterior of every set of features by itself, g or the slab variance by quadrature.
// Written from the model, not from the sampler's code.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

constexpr double noise_shape = 1e-3, noise_scale = 1e-3;

struct Prior {
  double inclusion = 0;  // 0: log-uniform expected number
  double low = 1, high = 2;
  bool independent = false;
  double slab = 0;  // 0: sampled
};

struct Exact {
  std::vector<double> inclusion, mean, square;
};

// Columns and response centered (with an intercept) and scaled by the weights, as the model says.
struct Scaled {
  Matrix gram;
  std::vector<double> correlation, scale;
  double n = 0, dof = 0, unit = 1;
};

Scaled scale(const Example& example, bool intercept) {
  const Index rows = example.X.rows(), p = example.X.cols();
  const std::vector<double> w = example.weights.empty() ? std::vector<double>(rows, 1.0) : example.weights;
  Scaled out;
  for (const double each : w) out.n += each;
  out.dof = out.n - (intercept ? 1 : 0);
  const auto standardize = [&](std::span<double> x) {
    double mean = 0, square = 0;
    for (Index i = 0; i < rows && intercept; ++i) mean += w[i] / out.n * x[i];
    for (Index i = 0; i < rows; ++i) {
      x[i] -= mean;
      square += w[i] / out.n * x[i] * x[i];
    }
    for (double& value : x) value /= std::sqrt(square);
    return std::sqrt(square);
  };
  Matrix Z = example.X;
  for (Index j = 0; j < p; ++j) out.scale.push_back(standardize(Z.column(j)));
  std::vector<double> y = example.y;
  for (Index i = 0; i < std::ssize(example.offset); ++i) y[i] -= example.offset[i];
  out.unit = standardize(y);
  out.gram = Matrix(p, p);
  out.correlation.assign(p, 0.0);
  for (Index a = 0; a < p; ++a) {
    for (Index i = 0; i < rows; ++i) out.correlation[a] += w[i] * Z(i, a) * y[i];
    for (Index b = 0; b < p; ++b) {
      for (Index i = 0; i < rows; ++i) out.gram(a, b) += w[i] * Z(i, a) * Z(i, b);
    }
  }
  return out;
}

double log_size_prior(const Prior& prior, Index k, Index p) {
  const auto at = [&](double h) {
    return static_cast<double>(k) * std::log(h) + static_cast<double>(p - k) * std::log1p(-h);
  };
  if (prior.inclusion > 0) return at(prior.inclusion);
  if (prior.low == prior.high) return at(prior.low / static_cast<double>(p));
  constexpr int points = 20'000;
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    sum += std::exp(at(prior.low / static_cast<double>(p) * std::pow(prior.high / prior.low, (i + 0.5) / points)));
  }
  return std::log(sum / points);
}

// Every model, every point of the quadrature over g or v: log weight, coefficient means and variances.
Exact enumerate(const Example& example, const Prior& prior, bool intercept = true) {
  const Scaled data = scale(example, intercept);
  const Index p = example.X.cols();
  constexpr int points = 2000;
  const double A = 0.5 * data.dof + noise_shape;
  std::vector<double> logs, values;
  Exact sums{std::vector<double>(p), std::vector<double>(p), std::vector<double>(p)};
  double total = 0, largest = -1e300;
  for (const bool summing : {false, true}) {
    for (Index model = 0; model < Index{1} << p; ++model) {
      std::vector<Index> in;
      for (Index j = 0; j < p; ++j) {
        if ((model >> j & 1) != 0) in.push_back(j);
      }
      const Index k = std::ssize(in);
      if (k > static_cast<Index>(data.n) - 2) continue;
      const double size = log_size_prior(prior, k, p);
      const int steps = prior.independent && prior.slab > 0 ? 1 : prior.independent ? 400 : points;
      std::vector<double> q(k), m, inverse(k);
      double log_determinant = 0;
      const auto solve = [&](double ridge) {
        const test::PlainCholesky<double> factor(
            k, [&](Index a, Index b) { return data.gram(in[a], in[b]) + (a == b ? ridge : 0.0); });
        m = factor.solve(q);
        log_determinant = factor.log_determinant();
        for (Index a = 0; a < k; ++a) {
          std::vector<double> unit(k, 0.0);
          unit[a] = 1;
          inverse[a] = factor.product(unit, unit);
        }
      };
      for (Index a = 0; a < k; ++a) q[a] = data.correlation[in[a]];
      if (!prior.independent) solve(0);
      for (int step = 0; step < steps; ++step) {
        const double u = (step + 0.5) / steps;
        // hyper-g/n: 1 - (1 + g/n)^(-1/2) is uniform. Half-Cauchy root of v: its arc is uniform.
        const double g = data.n * (1 / (u * u) - 1);
        const double v = prior.slab > 0 ? prior.slab : std::pow(0.5 * std::tan(0.5 * std::numbers::pi * u), 2);
        if (prior.independent) solve(1 / v);
        const double t = prior.independent ? 1 : g / (1 + g);
        double explained = 0;
        for (Index a = 0; a < k; ++a) explained += m[a] * q[a];
        const double R = 2 * noise_scale + data.n - t * explained;
        double log_weight = size - A * std::log(R);
        log_weight -= prior.independent ? 0.5 * (static_cast<double>(k) * std::log(v) + log_determinant)
                                        : 0.5 * static_cast<double>(k) * std::log1p(g);
        if (!summing) {
          largest = std::max(largest, log_weight);
          continue;
        }
        const double weight = std::exp(log_weight - largest) / steps;
        total += weight;
        for (Index a = 0; a < k; ++a) {
          const double mean = t * m[a], variance = t * inverse[a] * R / (2 * (A - 1));
          sums.inclusion[in[a]] += weight;
          sums.mean[in[a]] += weight * mean;
          sums.square[in[a]] += weight * (mean * mean + variance);
        }
      }
    }
  }
  for (Index j = 0; j < p; ++j) {
    const double unit = data.unit / data.scale[j];
    sums.inclusion[j] /= total;
    sums.mean[j] *= unit / total;
    sums.square[j] *= unit * unit / total;
  }
  return sums;
}

// 16 chains: an error estimated from 4 is itself off by a third.
std::map<std::string, OptionValue> long_run() {
  return {{"chains", 16.0}, {"max_steps", 16'000.0}, {"precision", 1e-6}, {"response", std::string("raw")}};
}

void expect_agreement(const Fit& fit, const Exact& exact) {
  const std::vector<double>& error = fit.inclusion_error;
  for (Index j = 0; j < std::ssize(fit.inclusion); ++j) {
    EXPECT_NEAR(fit.inclusion[j], exact.inclusion[j], 4 * error[j] + 1e-4) << "feature " << j;
    const double sd = std::sqrt(exact.square[j] - exact.mean[j] * exact.mean[j]);
    EXPECT_NEAR(fit.coefficients[j], exact.mean[j], 0.04 * sd) << "feature " << j;
    EXPECT_NEAR(fit.standard_deviations[j], sd, 0.06 * sd) << "feature " << j;
  }
  EXPECT_LT(std::ranges::max(error), 0.01);
}

TEST(BvsGaussian, AgreesWithAllModelsUnderHyperG) {
  const Example example = make_example(family("gaussian"), 30, 7, 1, 0.3);
  const DenseDesign X(example.X);
  expect_agreement(method("bvs").fit(example.problem(X), long_run()), enumerate(example, {.low = 1, .high = 3}));
}

TEST(BvsGaussian, AgreesWithAllModelsOfAGivenRangeAndPriorInclusion) {
  const Example example = make_example(family("gaussian"), 25, 6, 2, 0.3);
  const DenseDesign X(example.X);
  auto options = long_run();
  options["expected_features"] = std::string("0.2, 4");
  expect_agreement(method("bvs").fit(example.problem(X), options), enumerate(example, {.low = 0.2, .high = 4}));
  options.erase("expected_features");
  options["prior_inclusion"] = 0.3;
  expect_agreement(method("bvs").fit(example.problem(X), options), enumerate(example, {.inclusion = 0.3}));
}

TEST(BvsGaussian, AgreesWithAllModelsUnderIndependentSlabs) {
  const Example example = make_example(family("gaussian"), 25, 6, 3, 0.4);
  const DenseDesign X(example.X);
  auto options = long_run();
  options["slab_variance"] = 0.5;
  expect_agreement(method("bvs").fit(example.problem(X), options),
                   enumerate(example, {.low = 1, .high = 2.5, .independent = true, .slab = 0.5}));
  options.erase("slab_variance");
  options["slab"] = std::string("independent");
  expect_agreement(method("bvs").fit(example.problem(X), options),
                   enumerate(example, {.low = 1, .high = 2.5, .independent = true}));
}

TEST(BvsGaussian, AgreesWithAllModelsWithWeightsOffsetAndWithoutIntercept) {
  Example example = make_example(family("gaussian"), 25, 6, 4, 0.3);
  for (Index i = 0; i < 25; ++i) {
    example.weights.push_back(i % 5 == 0 ? 0.0 : 0.5 + 0.1 * static_cast<double>(i % 7));
    example.offset.push_back(0.2 * static_cast<double>(i % 3));
  }
  const DenseDesign X(example.X);
  expect_agreement(method("bvs").fit(example.problem(X), long_run()), enumerate(example, {.low = 1, .high = 2}));
  Problem problem = example.problem(X);
  problem.intercept = false;
  expect_agreement(method("bvs").fit(problem, long_run()), enumerate(example, {.low = 1, .high = 2}, false));
}

TEST(BvsGaussian, AgreesWithAllModelsOnFewRowsAndOnOneOrTwoFeatures) {
  for (const Index p : {1, 2, 8}) {
    const Example example = make_example(family("gaussian"), 8, p, 5, 0.5);
    const DenseDesign X(example.X);
    const double high = p == 8 ? 2 : 0.5 * static_cast<double>(p);
    expect_agreement(method("bvs").fit(example.problem(X), long_run()),
                     enumerate(example, {.low = std::min(1.0, high), .high = high}));
  }
}

}  // namespace
}  // namespace tamis
