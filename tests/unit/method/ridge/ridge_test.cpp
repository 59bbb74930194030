// ridge: optimality from the data alone, closed forms, posterior deviations, and every way that it may be solved.
#include <gmock/gmock.h>

#include <limits>
#include <numeric>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/design/decorators.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

// The method stops at a gradient of 1e-8 relative to the null model's, whose entries here are at most about 1.
constexpr double asked_gradient = 1e-7;

class RidgeOptimality : public testing::TestWithParam<std::string> {
 protected:
  PenalizedCase make(Index rows, Index cols, std::uint64_t seed = 1) const {
    contract::Example e = contract::make_example(family(GetParam()), rows, cols, seed);
    return {.family = GetParam(), .X = std::move(e.X), .y = std::move(e.y), .l1_ratio = 0};
  }

  static Fit solve(const PenalizedCase& c) {
    const DenseDesign design(c.X);
    return fit(c.problem(design), "ridge", {{"penalty", c.penalty}});
  }

  static void expect_optimal(PenalizedCase c) {
    for (const double penalty : {10.0, 0.1, 0.001}) {
      c.penalty = penalty;
      const Fit fit = solve(c);
      EXPECT_LE(kkt_violation(c, fit) * penalty, asked_gradient) << "penalty " << penalty;
      EXPECT_EQ(fit.status, Status::converged) << fit.message;
    }
  }
};

TEST_P(RidgeOptimality, HoldsForTallData) { expect_optimal(make(60, 8)); }

TEST_P(RidgeOptimality, HoldsForWideData) { expect_optimal(make(25, 80)); }

TEST_P(RidgeOptimality, HoldsWithoutInterceptOrStandardizing) {
  for (const Index cols : {10, 70}) {
    PenalizedCase c = make(50, cols);
    c.intercept = false;
    expect_optimal(c);
    c.standardize = false;
    expect_optimal(c);
    c.intercept = true;
    expect_optimal(c);
  }
}

TEST_P(RidgeOptimality, HoldsWithWeightsAndOffset) {
  for (const Index cols : {10, 70}) {
    PenalizedCase c = make(50, cols);
    for (Index i = 0; i < 50; ++i) {
      c.weights.push_back(0.25 * static_cast<double>(i % 5));  // some are zero
      c.offset.push_back(0.3 * std::sin(static_cast<double>(i)));
    }
    expect_optimal(c);
  }
}

TEST_P(RidgeOptimality, HoldsWithPenaltyFactors) {
  for (const Index cols : {8, 90}) {
    PenalizedCase c = make(60, cols);
    c.factors.assign(cols, 1.0);
    c.factors[1] = c.factors[5] = 0;
    c.factors[2] = std::numeric_limits<double>::infinity();
    c.factors[3] = 0.2;
    c.factors[4] = 3;
    expect_optimal(c);
    EXPECT_EQ(solve(c).coefficients[2], 0);
  }
}

TEST_P(RidgeOptimality, HoldsForDuplicateAndConstantColumns) {
  for (const Index cols : {8, 60}) {
    PenalizedCase c = make(40, cols);
    std::ranges::copy(c.X.column(0), c.X.column(5).begin());
    std::ranges::fill(c.X.column(6), 7.0);
    expect_optimal(c);
    const Fit fit = solve(c);
    EXPECT_NEAR(fit.coefficients[0], fit.coefficients[5], 1e-7 * (1 + std::abs(fit.coefficients[0])));
    EXPECT_EQ(fit.coefficients[6], 0);
  }
}

TEST_P(RidgeOptimality, HoldsAtThePenaltyThatASearchChose) {
  for (const Index cols : {15, 120}) {
    PenalizedCase c = make(80, cols);
    const DenseDesign design(c.X);
    const Fit fit = tamis::fit(c.problem(design), "ridge", {}, {.folds = 5});
    c.penalty = std::get<double>(fit.hyper.at("penalty"));
    EXPECT_LE(kkt_violation(c, fit) * c.penalty, asked_gradient);
    for (const PathPoint& point : fit.path) EXPECT_LE(point.certificate, 1e-4) << "penalty " << point.value;
  }
}

TEST_P(RidgeOptimality, TheObjectiveIsThePenalizedLoss) {
  const PenalizedCase c = make(40, 8);
  const Fit fit = solve(c);
  double expected = loss_of(c, fit);
  for (Index j = 0; j < 8; ++j) expected += 0.5 * c.penalty * std::pow(fit.coefficients[j] * scale_of(c, j).spread, 2);
  EXPECT_NEAR(fit.objective, expected, 1e-12 * (1 + std::abs(expected)));  // rounding of 40 terms
}

// Folds solved together in one team (or from differences of moments) are what fits of the training rows alone give.
TEST_P(RidgeOptimality, CrossValidationErrorsAreThoseOfSeparateFits) {
  const Family& family = tamis::family(GetParam());
  for (const Index cols : {6, 60}) {
    const PenalizedCase c = make(30, cols);
    const DenseDesign design(c.X);
    // A row is its own fold, and nothing depends on how folds are dealt. Weighted means of one row are its deviance.
    const Fit searched = fit(c.problem(design), "ridge", {{"path_length", 4.0}, {"path_ratio", 1e-3}}, {.folds = 30});
    const PathPoint& point = searched.path.back();
    double error = 0;
    const ColumnMoments scale = column_moments(design, {});
    Matrix Z = c.X;  // the working scale of all rows serves every fold
    for (Index j = 0; j < cols; ++j) {
      for (double& x : Z.column(j)) x = (x - scale.mean[j]) / scale.deviation[j];
    }
    const DenseDesign whole(Z);
    for (Index held = 0; held < 30; ++held) {
      std::vector<Index> rows;
      for (Index i = 0; i < 30; ++i) {
        if (i != held) rows.push_back(i);
      }
      const Matrix X = contract::select_rows(Z, rows);
      const std::vector<double> y = contract::select_rows(c.y, rows);
      const DenseDesign part(X);
      const Problem problem{.X = part, .y = y, .likelihood = family, .standardize = false};
      const Fit alone = fit(problem, "ridge", {{"penalty", point.value}});
      error += family.deviance(c.y[held], linear_predictor(alone, whole)[held]) / 30;
    }
    EXPECT_NEAR(*point.validation_error, error, 2e-4 * error);  // along the path gradients are small, not zero
  }
}

INSTANTIATE_TEST_SUITE_P(All, RidgeOptimality, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return info.param; });

PenalizedCase gaussian_case(Index rows, Index cols, std::uint64_t seed = 1) {
  contract::Example e = contract::make_example(family("gaussian"), rows, cols, seed);
  return {.family = "gaussian", .X = std::move(e.X), .y = std::move(e.y), .l1_ratio = 0};
}

// X'X / n + penalty I on the raw scale, for problems without intercept and standardizing.
test::PlainCholesky<double> raw_precision(const PenalizedCase& c) {
  return {c.X.cols(), [&](Index j, Index k) {
            const double product = std::inner_product(c.X.col(j), c.X.col(j) + c.X.rows(), c.X.col(k), 0.0);
            return product / static_cast<double>(c.X.rows()) + (j == k ? c.penalty : 0.0);
          }};
}

TEST(Ridge, OnRawDataIsTheTextbookFormula) {
  for (const Index cols : {5, 50}) {
    PenalizedCase c = gaussian_case(30, cols);
    const DenseDesign design(c.X);
    Problem problem = c.problem(design);
    problem.intercept = problem.standardize = false;
    c.penalty = 0.3;
    const Fit found = fit(problem, "ridge", {{"penalty", 0.3}});
    std::vector<double> correlation;
    for (Index j = 0; j < cols; ++j) {
      correlation.push_back(std::inner_product(c.y.begin(), c.y.end(), c.X.col(j), 0.0) / 30);
    }
    const std::vector<double> b = raw_precision(c).solve(correlation);
    for (Index j = 0; j < cols; ++j) EXPECT_NEAR(found.coefficients[j], b[j], 1e-9);
  }
}

TEST(Ridge, DeviationsAreThoseOfThePosterior) {
  for (const Index cols : {5, 50}) {
    PenalizedCase c = gaussian_case(30, cols);
    const DenseDesign design(c.X);
    Problem problem = c.problem(design);
    problem.intercept = problem.standardize = false;
    c.penalty = 0.3;
    const Fit found = fit(problem, "ridge", {{"penalty", 0.3}});
    ASSERT_EQ(found.standard_deviations.size(), cols);
    const test::PlainCholesky<double> precision = raw_precision(c);
    double degrees = static_cast<double>(cols);  // less 0.3 times the trace of the inverse
    for (Index j = 0; j < cols; ++j) {
      std::vector<double> unit(cols, 0.0);
      unit[j] = 1;
      const double variance = precision.product(unit, unit);
      EXPECT_NEAR(found.standard_deviations[j], std::sqrt(*found.noise_variance * variance / 30), 1e-9);
      degrees -= 0.3 * variance;
    }
    EXPECT_NEAR(std::get<double>(found.hyper.at("degrees_of_freedom")), degrees, 1e-9);
    double squares = 0;
    for (Index i = 0; i < 30; ++i) squares += std::pow(c.y[i] - predictor_of(c, found)[i], 2);
    EXPECT_NEAR(*found.noise_variance, squares / (30 - degrees), 1e-9);
  }
}

TEST(Ridge, DeviationsFollowTheScaleOfTheColumns) {
  for (const Index cols : {6, 60}) {
    PenalizedCase c = gaussian_case(40, cols);
    c.factors.assign(cols, 1.0);
    c.factors[1] = 0;
    c.factors[2] = std::numeric_limits<double>::infinity();
    const DenseDesign design(c.X);
    const Fit one = fit(c.problem(design), "ridge", {{"penalty", 0.1}});
    for (double& x : c.X.column(0)) x = 1000 * x + 5;
    const Fit scaled = fit(c.problem(design), "ridge", {{"penalty", 0.1}});
    ASSERT_EQ(one.standard_deviations.size(), cols);
    EXPECT_NEAR(1000 * scaled.standard_deviations[0], one.standard_deviations[0], 1e-8 * one.standard_deviations[0]);
    EXPECT_NEAR(scaled.standard_deviations[1], one.standard_deviations[1], 1e-8 * one.standard_deviations[1]);
    EXPECT_EQ(one.standard_deviations[2], 0);
    EXPECT_GT(one.standard_deviations[1], 0);
  }
}

TEST(Ridge, APosteriorOfTallAndOfWideFormulasAgree) {
  // The same 30 rows with 29 columns (moments) and with columns of zeros added to make it wide (turned).
  const PenalizedCase tall = gaussian_case(30, 29);
  PenalizedCase wide = tall;
  wide.X = Matrix(30, 40);
  for (Index j = 0; j < 29; ++j) std::ranges::copy(tall.X.column(j), wide.X.column(j).begin());
  const DenseDesign few(tall.X), many(wide.X);
  const Fit a = fit(tall.problem(few), "ridge", {{"penalty", 0.05}});
  const Fit b = fit(wide.problem(many), "ridge", {{"penalty", 0.05}});
  for (Index j = 0; j < 29; ++j) {
    EXPECT_NEAR(a.coefficients[j], b.coefficients[j], 1e-8);
    EXPECT_NEAR(a.standard_deviations[j], b.standard_deviations[j], 1e-8);
  }
  EXPECT_NEAR(*a.noise_variance, *b.noise_variance, 1e-8);
}

TEST(Ridge, ManyColumnsAreSolvedWithoutMoments) {
  // More columns and rows than moments are kept for, on sparse columns: truncated Newton on the data.
  const Index n = 2100, p = 2050;
  SparseColumns s{.rows = n, .cols = p, .starts = {0}, .indices = {}, .values = {}};
  std::vector<double> y(n, 0.0);
  for (Index j = 0; j < p; ++j) {
    for (Index i = j % 7; i < n; i += 97 + j % 13) {
      s.indices.push_back(static_cast<std::int32_t>(i));
      s.values.push_back(1 + 0.1 * static_cast<double>((i + j) % 5));
      if (j < 20) y[i] += s.values.back();
    }
    s.starts.push_back(std::ssize(s.values));
  }
  for (Index i = 0; i < n; ++i) y[i] += 0.1 * std::sin(static_cast<double>(i));
  const SparseDesign design(std::move(s));
  const Problem problem{.X = design, .y = y, .likelihood = family("gaussian")};
  const Fit found = fit(problem, "ridge", {{"penalty", 0.01}});
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_LE(std::get<double>(found.hyper.at("relative_gradient")), 1e-7);
  EXPECT_TRUE(found.standard_deviations.empty());
}

TEST(Ridge, AlongThePathShrinkageFalls) {
  const PenalizedCase c = gaussian_case(60, 10);
  const DenseDesign design(c.X);
  double before = 0;
  for (const double penalty : {100.0, 10.0, 1.0, 0.1, 0.01}) {
    const Fit found = fit(c.problem(design), "ridge", {{"penalty", penalty}});
    double length = 0;
    for (Index j = 0; j < 10; ++j) length += std::pow(found.coefficients[j] * scale_of(c, j).spread, 2);
    EXPECT_GT(length, before);
    before = length;
  }
}

}  // namespace
}  // namespace tamis
