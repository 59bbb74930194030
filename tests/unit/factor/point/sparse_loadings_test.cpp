// Sparse scores and sparse loadings (R = L1 in Eq. 7 of Mohamed, Heller & Ghahramani), checked in other formulations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "factor/point/alternating.hpp"
#include "tamis/base/error.hpp"
#include "tamis/design/design.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/method/method.hpp"
#include "unit/factor/factor_start.hpp"

namespace tamis {
namespace {

using Given = std::map<std::string, OptionValue>;

Given sparse(double penalty, double loading_penalty) {
  return {{"penalty", penalty},
          {"loading_penalty", loading_penalty},
          {"loading_regularizer", std::string("l1")},
          {"tolerance", 1e-14},
          {"iterations", 20000.0}};
}

FactorFit fit_table(const Matrix& data, const std::string& family, Given options, Index factors = 3) {
  FactorProblem problem;
  problem.dense = data;
  problem.family = family;
  problem.factors = factors;
  problem.standardize = false;
  problem.intercept = false;
  return factor_prior("l1").fit(problem, options, {.threads = 1}).fit;
}

// psi = V Theta.
Matrix predictor(const FactorFit& fit) {
  Matrix psi(fit.scores.rows(), fit.loadings.cols());
  for (Index n = 0; n < psi.rows(); ++n) {
    for (Index d = 0; d < psi.cols(); ++d) {
      for (Index k = 0; k < fit.scores.cols(); ++k) psi(n, d) += fit.scores(n, k) * fit.loadings(k, d);
    }
  }
  return psi;
}

std::vector<double> row_of(const Matrix& A, Index i) {
  std::vector<double> row(A.cols());
  for (Index j = 0; j < A.cols(); ++j) row[j] = A(i, j);
  return row;
}

Matrix transposed(const Matrix& A) {
  Matrix out(A.cols(), A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) out(j, i) = A(i, j);
  }
  return out;
}

// argmin |y - X b|^2 / 2 + penalty |b|_1 over the rows where y is observed, by method lasso.
std::vector<double> lasso(const Matrix& X, const std::vector<double>& y, double penalty) {
  std::vector<Index> observed;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (!std::isnan(y[i])) observed.push_back(i);
  }
  Matrix part(std::ssize(observed), X.cols());
  std::vector<double> response;
  for (const Index i : observed) {
    for (Index j = 0; j < X.cols(); ++j) part(std::ssize(response), j) = X(i, j);
    response.push_back(y[i]);
  }
  const DenseDesign design(part);
  return fit({.X = design, .y = response, .likelihood = family("gaussian"), .intercept = false, .standardize = false},
             "lasso", {{"penalty", penalty / static_cast<double>(observed.size())}, {"tolerance", 1e-12}})
      .coefficients;
}

// Given the scores every column of loadings is a lasso of the column on them, and given the loadings every row of
// scores a lasso of the row.
TEST(SparseLoadings, AreTheLassoOfEveryColumnAndScoresThatOfEveryRow) {
  constexpr double alpha = 0.6, beta = 1.5, tolerance = 2e-5;
  const Matrix data = two_factor_table("gaussian", 40, 8, 4);
  const FactorFit found = fit_table(data, "gaussian", sparse(alpha, beta));
  ASSERT_EQ(found.status, Status::converged) << found.message;
  const Matrix by_columns = transposed(data), basis = transposed(found.loadings);
  Index zero_loadings = 0;
  for (Index d = 0; d < data.cols(); ++d) {
    const std::vector<double> expected = lasso(found.scores, row_of(by_columns, d), beta);
    for (Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(found.loadings(k, d), expected[k], tolerance) << k << ' ' << d;
      zero_loadings += found.loadings(k, d) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(zero_loadings, 0);
  for (Index n = 0; n < data.rows(); ++n) {
    const std::vector<double> expected = lasso(basis, row_of(data, n), alpha);
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(found.scores(n, k), expected[k], tolerance) << n << ' ' << k;
  }
}

// The objective from what the fit returns, by its definition.
TEST(SparseLoadings, ObjectiveIsThatOfEquation7) {
  constexpr double alpha = 0.4, beta = 0.7, rounding = 1e-9;
  for (const char* name : {"gaussian", "bernoulli", "poisson"}) {
    const Matrix data = two_factor_table(name, 30, 8, 4);
    const FactorFit found = fit_table(data, name, sparse(alpha, beta));
    const Matrix psi = predictor(found);
    double loss = 0;
    for (Index n = 0; n < data.rows(); ++n) {
      for (Index d = 0; d < data.cols(); ++d) {
        const double x = data(n, d), e = psi(n, d);
        if (std::isnan(x)) continue;
        loss += *name == 'g'   ? 0.5 * (x - e) * (x - e)
                : *name == 'b' ? std::log1p(std::exp(e)) - x * e
                               : std::exp(e) - x * e;
      }
    }
    for (Index n = 0; n < data.rows(); ++n) {
      for (Index k = 0; k < 3; ++k) loss += alpha * std::abs(found.scores(n, k));
    }
    for (Index k = 0; k < 3; ++k) {
      for (Index d = 0; d < data.cols(); ++d) loss += beta * std::abs(found.loadings(k, d));
    }
    EXPECT_NEAR(-found.trace.back().objective, loss, rounding * std::abs(loss) + rounding) << name;
  }
}

// Conditions of a minimum in one loading: the slope of the loss is at most the penalty, and equal where it is not 0.
TEST(SparseLoadings, OfClassesAndCountsMeetTheConditionsOfAMinimum) {
  constexpr double alpha = 0.4, beta = 0.7, tolerance = 1e-3;
  for (const bool counts : {false, true}) {
    const Matrix data = two_factor_table(counts ? "poisson" : "bernoulli", 40, 8, 4);
    const FactorFit found = fit_table(data, counts ? "poisson" : "bernoulli", sparse(alpha, beta), 2);
    const Matrix psi = predictor(found);
    for (Index k = 0; k < 2; ++k) {
      for (Index d = 0; d < data.cols(); ++d) {
        double slope = 0;
        for (Index n = 0; n < data.rows(); ++n) {
          if (std::isnan(data(n, d))) continue;
          const double mean = counts ? std::exp(psi(n, d)) : 1 / (1 + std::exp(-psi(n, d)));
          slope += found.scores(n, k) * (data(n, d) - mean);
        }
        const double theta = found.loadings(k, d);
        if (theta == 0) {
          EXPECT_LE(std::abs(slope), beta + tolerance) << counts << k << d;
        } else {
          EXPECT_NEAR(slope, theta > 0 ? beta : -beta, tolerance) << counts << k << d;
        }
      }
    }
  }
}

// (alpha / c, beta c) with (c v, theta / c) is the same loss: the minimum of one is a minimum of the other.
TEST(SparseLoadings, OnlyTheProductOfThePenaltiesMatters) {
  const Matrix data = two_factor_table("gaussian", 40, 8, 4);
  FactorProblem problem;
  problem.dense = data;
  problem.family = "gaussian";
  problem.factors = 3;
  const factor::Cells cells(problem);
  const factor::PointObjective one{.penalty = 0.4, .loading_penalty = 0.5, .sparse_loadings = true};
  const factor::PointObjective other{.penalty = 0.1, .loading_penalty = 2, .sparse_loadings = true};
  factor::FactorState state = random_start(cells);
  const factor::PointEnd end = factor::minimize(cells, one, 20000, 1e-14, nullptr, state);
  ASSERT_TRUE(end.converged);
  ASSERT_GT(state.active(), 0);
  EXPECT_GT(factor::point_loss(cells, other, state), end.loss + 0.1);
  factor::balance_scales(other, state);
  EXPECT_NEAR(factor::point_loss(cells, other, state), end.loss, 1e-9 * end.loss);
  EXPECT_NEAR(factor::minimize(cells, other, 100, 0, nullptr, state).loss, end.loss, 1e-7 * end.loss);
}

// With a quadratic R the penalties (alpha / c, beta c^2) are equivalent.
TEST(ConjugateLoadings, ArePenalizedAsTheirWeightSays) {
  const Matrix data = two_factor_table("gaussian", 40, 8, 4);
  const auto options = [](double penalty, double weight) -> Given {
    return {{"penalty", penalty}, {"loading_penalty", weight}, {"tolerance", 1e-14}, {"iterations", 20000.0}};
  };
  const Matrix one = predictor(fit_table(data, "gaussian", options(0.8, 1)));
  const Matrix other = predictor(fit_table(data, "gaussian", options(0.4, 4)));
  const Matrix different = predictor(fit_table(data, "gaussian", options(0.8, 4)));
  double change = 0;
  for (Index d = 0; d < 8; ++d) {
    for (Index n = 0; n < 40; ++n) {
      EXPECT_NEAR(one(n, d), other(n, d), 1e-4);
      change = std::max(change, std::abs(one(n, d) - different(n, d)));
    }
  }
  EXPECT_GT(change, 0.01);
}

TEST(SparseLoadings, StandMissingConstantAndEmptyData) {
  Matrix data = two_factor_table("gaussian", 20, 6, 4);
  for (double& x : data.column(0)) x = 0;
  for (double& x : data.column(1)) x = 3;
  for (Index n = 0; n < 20; ++n) data(n, 2) = n < 19 ? NAN : 1;
  for (Index d = 0; d < 6; ++d) data(4, d) = NAN;
  for (const double penalty : {1e-6, 1.0, 1e6}) {
    const FactorFit found =
        fit_table(data, "gaussian", {{"penalty", penalty}, {"loading_regularizer", std::string("l1")}});
    for (Index d = 0; d < 6; ++d) {
      for (Index k = 0; k < 3; ++k) EXPECT_TRUE(std::isfinite(found.loadings(k, d)));
    }
    if (penalty > 1e5) {
      EXPECT_THAT(found.message, testing::HasSubstr("0 of 18 loadings"));
    }
  }
}

TEST(SparseLoadings, NeedAPenaltyOfTheScores) {
  const Matrix data = two_factor_table("gaussian", 20, 6, 4);
  EXPECT_THROW(fit_table(data, "gaussian", sparse(0, 1)), InvalidOption);
}

TEST(SparseLoadings, PenaltyIsChosenOnHeldOutCells) {
  const Matrix data = two_factor_table("gaussian", 60, 10, 4);
  const FactorFit found = fit_table(data, "gaussian", {{"loading_regularizer", std::string("l1")}});
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_GT(*found.score_penalty, 0);
}

}  // namespace
}  // namespace tamis
