// vb: its bound, written out term by term from the moments that it returns; below the evidence by enumeration; a fixed
// point of the updates; and the two forms of the normal posterior, by rows and by features.
#include <gmock/gmock.h>

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

using boost::math::digamma;
using Given = std::map<std::string, OptionValue>;

constexpr double prior = 0.2, slab = 1.5, spike = 1e-3, noise = 0.3;
const Given fixed{{"prior_inclusion", prior}, {"slab_variance", slab}, {"spike_variance", spike}, {"tolerance", 1e-10}};

Given with_noise(Given options) {
  options["noise_variance"] = noise;
  return options;
}

struct Data {
  contract::Example example;
  DenseDesign X;
  Problem problem;

  Data(const char* name, Index rows, Index cols, double signal = 1)
      : example(contract::make_example(family(name), rows, cols, 1, signal)),
        X(example.X),
        problem(example.problem(X)) {
    problem.standardize = false;
  }
};

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// E log p(y, w, z, s) - E log q(w, b0) q(z) q(s), every expectation by itself: no profiled intercept, no collapsed s.
double bound(const Data& data, const Fit& fit) {
  const Matrix& X = data.example.X;
  const Index n = X.rows(), p = X.cols(), size = p + 1;
  const std::vector<double>& z = fit.inclusion;
  const auto x = [&](Index i, Index j) { return j < p ? X(i, j) : 1.0; };
  const test::PlainCholesky<double> precision(size, [&](Index j, Index k) {
    double sum = j == k && j < p ? z[j] / slab + (1 - z[j]) / spike : 0;
    for (Index i = 0; i < n; ++i) sum += x(i, j) * x(i, k) / noise;
    return sum;
  });
  const auto covariance = [&](Index j, Index k) {
    std::vector<double> unit(size, 0.0), other(size, 0.0);
    unit[j] = other[k] = 1;
    return precision.product(unit, other);
  };
  double sum = -0.5 * precision.log_determinant() + 0.5 * static_cast<double>(size) * (1 + std::log(2 * M_PI));
  for (Index i = 0; i < n; ++i) {
    double eta = fit.intercept;
    std::vector<double> row(size);
    for (Index j = 0; j < size; ++j) row[j] = x(i, j);
    for (Index j = 0; j < p; ++j) eta += X(i, j) * fit.coefficients[j];
    const double square = std::pow(data.example.y[i] - eta, 2) + precision.product(row, row);
    sum -= 0.5 * std::log(2 * M_PI * noise) + square / (2 * noise);
  }
  const double in = 2 * prior, out = 2 - in;
  for (Index j = 0; j < p; ++j) {
    const double square = std::pow(fit.coefficients[j], 2) + covariance(j, j);
    const auto log_normal = [&](double variance) { return -0.5 * (std::log(2 * M_PI * variance) + square / variance); };
    const double a = in + z[j], b = out + 1 - z[j];
    const double log_rate = digamma(a) - digamma(a + b), log_rest = digamma(b) - digamma(a + b);
    sum += z[j] * log_normal(slab) + (1 - z[j]) * log_normal(spike);               // E log p(w | z)
    sum += z[j] * log_rate + (1 - z[j]) * log_rest;                                // E log p(z | s)
    sum += (in - 1) * log_rate + (out - 1) * log_rest - log_beta(in, out);         // E log p(s)
    sum -= (a - 1) * log_rate + (b - 1) * log_rest - log_beta(a, b);               // entropy of q(s)
    for (const double q : {z[j], 1 - z[j]}) sum -= q > 0 ? q * std::log(q) : 0.0;  // entropy of q(z)
  }
  return sum;
}

// Of the continuous spike and slab beside a flat intercept of density 1, over all 2^p assignments; s_j integrated out.
double log_evidence(const Data& data) {
  const Matrix& X = data.example.X;
  const Index n = X.rows(), p = X.cols();
  std::vector<double> logs;
  for (int subset = 0; subset < 1 << p; ++subset) {
    double log_prior = 0;
    std::vector<double> variance;
    for (Index j = 0; j < p; ++j) {
      const bool in = (subset >> j & 1) != 0;
      variance.push_back(in ? slab : spike);
      log_prior += std::log(in ? prior : 1 - prior);
    }
    const test::PlainCholesky<double> V(n, [&](Index i, Index k) {
      double sum = i == k ? noise : 0;
      for (Index j = 0; j < p; ++j) sum += variance[j] * X(i, j) * X(k, j);
      return sum;
    });
    const std::vector<double> ones(n, 1.0);
    const double weight = V.product(ones, ones), level = V.product(ones, data.example.y) / weight;
    std::vector<double> left(data.example.y);
    for (double& y : left) y -= level;
    logs.push_back(log_prior + V.log_normal(left) + 0.5 * std::log(2 * M_PI / weight));
  }
  const double most = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - most);
  return most + std::log(sum);
}

TEST(FullVariationalBayes, ReturnsItsBound) {
  for (const Index rows : {30, 4}) {  // by features, by rows
    const Data data("gaussian", rows, 5);
    const Fit found = fit(data.problem, "vb", with_noise(fixed));
    ASSERT_EQ(found.status, Status::converged) << found.message;
    EXPECT_NEAR(found.objective, bound(data, found), 1e-8 * std::abs(found.objective)) << rows;
  }
}

TEST(FullVariationalBayes, IsBelowTheEvidenceAndNotFar) {
  for (const Index rows : {10, 30, 60}) {
    const Data data("gaussian", rows, 4);
    const double evidence = log_evidence(data), found = fit(data.problem, "vb", with_noise(fixed)).objective;
    EXPECT_LT(found, evidence) << rows;
    // Inclusion of each feature, and its rate, are independent of the coefficient in q: some nats per feature.
    EXPECT_GT(found, evidence - 8) << rows;
  }
}

TEST(FullVariationalBayes, EndsAtAFixedPoint) {
  for (const char* name : {"gaussian", "bernoulli"}) {
    const Data data(name, 60, 8);
    const Given options = data.problem.likelihood.has_noise() ? with_noise(fixed) : fixed;
    const Fit found = fit(data.problem, "vb", options);
    ASSERT_EQ(found.status, Status::converged) << found.message;
    for (std::size_t j = 0; j < found.inclusion.size(); ++j) {
      const double z = found.inclusion[j];
      const double square = std::pow(found.coefficients[j], 2) + std::pow(found.standard_deviations[j], 2);
      const double told = 0.5 * (std::log(spike / slab) + square * (1 / spike - 1 / slab));
      EXPECT_NEAR(z, logistic(told + digamma(2 * prior + z) - digamma(3 - 2 * prior - z)), 1e-8) << name << " " << j;
    }
  }
}

// Rows of weight 0 make a wide problem a tall one, which is solved through the other matrix.
TEST(FullVariationalBayes, HasOneAnswerByRowsAndByFeatures) {
  for (const char* name : {"gaussian", "bernoulli"}) {
    for (const bool intercept : {true, false}) {
      Data wide(name, 20, 24, 2), tall(name, 20, 24, 2);
      Matrix X(40, 24);
      for (Index j = 0; j < 24; ++j) {
        for (Index i = 0; i < 40; ++i) X(i, j) = wide.example.X(i % 20, j) * (i < 20 ? 1 : 3);
      }
      std::vector<double> y(wide.example.y), weights(40, 1.0);
      y.insert(y.end(), wide.example.y.begin(), wide.example.y.end());
      std::fill(weights.begin() + 20, weights.end(), 0.0);
      const DenseDesign design(X);
      wide.problem.intercept = intercept;
      Problem longer{.X = design, .y = y, .likelihood = family(name), .weights = weights, .intercept = intercept};
      longer.standardize = false;
      const Given options = wide.problem.likelihood.has_noise() ? with_noise(fixed) : fixed;
      const Fit by_rows = fit(wide.problem, "vb", options), by_features = fit(longer, "vb", options);
      EXPECT_NEAR(by_rows.objective, by_features.objective, 1e-8 * std::abs(by_rows.objective)) << name;
      for (std::size_t j = 0; j < 24; ++j) {
        EXPECT_NEAR(by_rows.coefficients[j], by_features.coefficients[j], 1e-7) << name << " " << j;
        EXPECT_NEAR(by_rows.standard_deviations[j], by_features.standard_deviations[j], 1e-7) << name << " " << j;
        EXPECT_NEAR(by_rows.inclusion[j], by_features.inclusion[j], 1e-7) << name << " " << j;
      }
    }
  }
}

// One feature, no intercept: the bound is below the logarithm of an integral that quadrature can do.
TEST(FullVariationalBayes, OfClassesIsBelowTheEvidence) {
  Data data("bernoulli", 40, 1);
  data.problem.intercept = false;
  double evidence = 0;
  const double reach = 8 * std::sqrt(slab);
  constexpr int points = 20000;
  for (int k = 0; k < points; ++k) {
    const double w = reach * (2 * (k + 0.5) / points - 1);
    const auto density = [&](double v) { return std::exp(-0.5 * w * w / v) / std::sqrt(2 * M_PI * v); };
    double log_likelihood = 0;
    for (Index i = 0; i < 40; ++i)
      log_likelihood += family("bernoulli").log_density(data.example.y[i], w * data.example.X(i, 0));
    evidence += 2 * reach / points * std::exp(log_likelihood) * (prior * density(slab) + (1 - prior) * density(spike));
  }
  const Fit found = fit(data.problem, "vb", fixed);
  EXPECT_LT(found.objective, std::log(evidence));
  EXPECT_GT(found.objective, std::log(evidence) - 3);
}

TEST(FullVariationalBayes, RefusesWhatHasNoMeaning) {
  const Data data("bernoulli", 40, 3);
  EXPECT_THROW(fit(data.problem, "vb", {{"noise_variance", 1.0}}), InvalidOption);
  EXPECT_THROW(fit(data.problem, "vb", {{"spike_variance", 2.0}, {"slab_variance", 1.0}}), InvalidOption);
  EXPECT_THROW(fit(data.problem, "vb", {{"prior_inclusion", 1.0}}), InvalidOption);
}

}  // namespace
}  // namespace tamis
