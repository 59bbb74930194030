// ard with covariance components against dense formulas in another formulation: explicit contrasts orthogonal to the
// intercept, n x n covariances, differences instead of derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/symmetric.hpp"
#include "unit/method/ard/ard_component_examples.hpp"

namespace tamis {
namespace {

using ard_test::Planted;
using ard_test::random_matrix;
using ard_test::transposed;

using Settings = std::map<std::string, OptionValue>;

double number_of(const Fit& fit, const char* name) { return std::get<double>(fit.hyper.at(name)); }

void add(Matrix& to, double by, const Matrix& A) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) to(i, j) += by * A(i, j);
  }
}

// Restricted likelihood by explicit contrasts: H has orthonormal rows that are orthogonal to the intercept.
struct Dense {
  Matrix H, precision;  // contrasts x rows; (H Sigma H')^-1
  double log_determinant = 0;

  Dense(const Planted& made, const Fit& fit, double nudge = 0, Index nudged = -1) {
    const Index n = made.X.rows();
    H = Matrix(n - 1, n);
    for (Index k = 0; k + 1 < n; ++k) {  // Helmert
      const double size = static_cast<double>(k + 1);
      for (Index i = 0; i <= k; ++i) H(k, i) = 1 / std::sqrt(size * (size + 1));
      H(k, k + 1) = -size / std::sqrt(size * (size + 1));
    }
    Matrix sigma(n, n);
    for (Index i = 0; i < n; ++i) sigma(i, i) = *fit.noise_variance;
    for (Index i = 0; i < std::ssize(made.values); ++i) {
      const double gamma = fit.components[i].variance + (i == nudged ? nudge : 0.0);
      if (gamma == 0) continue;
      if (made.components[i].of_rows) {
        add(sigma, gamma, made.values[i]);
      } else {
        const Matrix XL = multiply(made.X, made.values[i]);
        add(sigma, gamma, multiply(XL, transposed(XL)));
      }
    }
    precision = multiply(multiply(H, sigma), transposed(H));
    Matrix factor = precision;
    EXPECT_TRUE(cholesky(factor));
    log_determinant = tamis::log_determinant(factor);
    EXPECT_TRUE(invert_positive(precision));
  }

  double cost(const Matrix& Y) const {
    const Matrix HY = multiply(H, Y);
    const Matrix S = multiply_transposed(HY, multiply(precision, HY));
    double trace = 0;
    for (Index l = 0; l < S.cols(); ++l) trace += S(l, l);
    return log_determinant + trace / static_cast<double>(Y.cols());
  }

  // H'(H Sigma H')^-1 H
  Matrix projected() const { return multiply(transposed(H), multiply(precision, H)); }
};

Matrix prior_covariance(const Planted& made, const Fit& fit) {
  Matrix prior(made.X.cols(), made.X.cols());
  for (Index i = 0; i < std::ssize(made.values); ++i) {
    if (made.components[i].of_rows) continue;
    add(prior, fit.components[i].variance, multiply(made.values[i], transposed(made.values[i])));
  }
  return prior;
}

void expect_dense_posterior(const Planted& made, const Fit& fit) {
  const Dense dense(made, fit);
  EXPECT_NEAR(fit.objective, dense.cost(made.Y), 1e-8 * std::abs(fit.objective));
  const Matrix prior = prior_covariance(made, fit), P = dense.projected();
  const Matrix gain = multiply(prior, transposed(made.X));  // Cov(b, X b)
  const Matrix mean = multiply(gain, multiply(P, made.Y));
  const Matrix explained = multiply(gain, multiply(P, transposed(gain)));
  for (Index j = 0; j < made.X.cols(); ++j) {
    EXPECT_NEAR(fit.coefficients[j], mean(j, 0), 1e-8) << "feature " << j;
    for (Index l = 1; l < made.Y.cols(); ++l) EXPECT_NEAR(fit.more_targets[l - 1].coefficients[j], mean(j, l), 1e-8);
    EXPECT_NEAR(fit.standard_deviations[j], std::sqrt(prior(j, j) - explained(j, j)), 1e-7);
  }
}

// Stationarity by differences of the dense cost, where no code of the fit takes part.
void expect_stationary(const Planted& made, const Fit& fit) {
  double largest = 0;
  for (const FittedComponent& each : fit.components) largest = std::max(largest, each.variance);
  const double base = Dense(made, fit).cost(made.Y);
  for (Index i = 0; i < std::ssize(made.values); ++i) {
    const double step = 1e-4 * (fit.components[i].variance > 0 ? fit.components[i].variance : largest);
    const double up = Dense(made, fit, step, i).cost(made.Y) - base;
    if (fit.components[i].variance > 0) {
      const double down = Dense(made, fit, -step, i).cost(made.Y) - base;
      EXPECT_NEAR(up - down, 0, 1e-8) << "component " << i;  // second-order terms cancel
      EXPECT_GT(up, -1e-9) << "component " << i;
    } else {
      EXPECT_GT(up, -1e-9) << "component " << i;
    }
  }
}

TEST(ArdComponents, HaveTheCostAndThePosteriorOfDenseFormulas) {
  for (const Index targets : {1, 3}) {
    for (const Index n : {40, 150}) {  // fewer and more rows than columns of all factors
      Planted made(n, 25, 12, 6, 31);
      made.respond(std::vector<Index>{1, 4}, 3, 32, targets);
      const DenseDesign design(made.X);
      for (const Settings& settings :
           {Settings{{"noise_variance", 1.0}}, Settings{}, Settings{{"noise", "evidence"}}}) {
        if (n == 40 && settings.contains("noise")) continue;  // degenerate: more columns than rows
        const Fit found = fit(made.problem(design), "ard", settings);
        EXPECT_EQ(found.status, Status::converged) << found.message;
        EXPECT_LT(number_of(found, "certificate_active"), 1e-8) << found.message;
        EXPECT_LT(number_of(found, "certificate_inactive"), 1e-6) << found.message;
        expect_dense_posterior(made, found);
        if (settings.contains("noise_variance")) expect_stationary(made, found);
      }
    }
  }
}

TEST(ArdComponents, OfManyColumnsOrKernelsHaveTheCostAndThePosteriorOfDenseFormulas) {
  Planted made(50, 80, 3, 60, 33);  // more columns in one factor than rows
  made.respond(std::vector<Index>{0}, 2, 34, 2);
  Matrix Z = random_matrix(50, 70, 35);
  made.values.push_back(multiply(Z, transposed(Z)));
  made.values.push_back(random_matrix(80, 2, 36));
  made.list();
  for (Index i = 0; i < 50; ++i) made.Y(i, 0) += 0.4 * Z(i, 0) + 0.3 * Z(i, 5) - 0.5 * Z(i, 9);
  const DenseDesign design(made.X);
  for (const Settings& settings : {Settings{{"noise_variance", 1.0}}, Settings{{"noise_variance", 0.01}}}) {
    const Fit found = fit(made.problem(design), "ard", settings);
    EXPECT_EQ(found.status, Status::converged) << found.message;
    EXPECT_LT(number_of(found, "certificate_active"), 1e-7) << found.message;
    expect_dense_posterior(made, found);
    expect_stationary(made, found);
  }
}

}  // namespace
}  // namespace tamis
