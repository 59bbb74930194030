// capped-l1: stationary on the data, between lasso and least squares, and never above the lasso that it begins at.
#include <gmock/gmock.h>

#include <limits>

#include "contract/method_cases.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

// The method stops at 1e-8 relative to the penalty, and calls ten times that converged.
constexpr double asked_tolerance = 1e-7;

// Largest distance from stationary in units of the penalty, from the data alone.
double stationarity(const PenalizedCase& c, const Fit& fit, double cap) {
  const std::vector<double> eta = predictor_of(c, fit);
  double largest = 0, sum = 0;
  for (Index j = 0; j < c.X.cols(); ++j) {
    const double b = fit.coefficients[j] * scale_of(c, j).spread;
    if (std::isinf(c.factor(j))) {
      EXPECT_EQ(b, 0);
      continue;
    }
    const double l1 = c.penalty * c.factor(j);
    const double pull = pull_of(c, eta, j);
    const double distance = b == 0              ? std::max(0.0, (c.nonnegative ? pull : std::abs(pull)) - l1)
                            : std::abs(b) > cap ? std::abs(pull)
                                                : std::abs(pull - std::copysign(l1, b));
    largest = std::max(largest, distance);
  }
  for (Index i = 0; i < c.X.rows() && c.intercept; ++i) {
    sum += c.weight(i) / c.total_weight() * (c.y[i] - mean_of(c.family, eta[i]));
  }
  return std::max(largest, std::abs(sum)) / c.penalty;
}

double objective(const PenalizedCase& c, const Fit& fit, double cap) {
  double total = loss_of(c, fit);
  for (Index j = 0; j < c.X.cols(); ++j) {
    const double b = fit.coefficients[j] * scale_of(c, j).spread;
    if (b != 0) total += c.penalty * c.factor(j) * std::min(std::abs(b), cap);
  }
  return total;
}

class CappedL1Stationarity : public testing::TestWithParam<std::string> {
 protected:
  PenalizedCase make(Index rows, Index cols) const {
    contract::Example e = contract::make_example(family(GetParam()), rows, cols);
    return {.family = GetParam(), .X = std::move(e.X), .y = std::move(e.y)};
  }

  static Fit solve(const PenalizedCase& c, double cap) {
    const DenseDesign design(c.X);
    return fit(c.problem(design), "capped-l1", {{"penalty", c.penalty}, {"cap", cap}, {"nonnegative", c.nonnegative}});
  }

  static void expect_stationary(PenalizedCase c) {
    for (const double penalty : {0.3, 0.1, 0.03}) {
      for (const double cap : {0.05, 0.3, 2.0}) {
        c.penalty = penalty;
        const Fit found = solve(c, cap);
        EXPECT_LE(stationarity(c, found, cap), asked_tolerance) << "penalty " << penalty << " cap " << cap;
        EXPECT_EQ(found.status, Status::converged) << found.message;
        EXPECT_NEAR(found.objective, objective(c, found, cap), 1e-12 * (1 + std::abs(found.objective)));
        const DenseDesign design(c.X);
        const Fit lasso = fit(c.problem(design), "lasso", {{"penalty", penalty}, {"nonnegative", c.nonnegative}});
        EXPECT_LE(found.objective, objective(c, lasso, cap) + 1e-6);  // the path's lasso is not polished
      }
    }
  }
};

TEST_P(CappedL1Stationarity, HoldsForTallAndWideData) {
  expect_stationary(make(60, 8));
  expect_stationary(make(50, 80));
}

TEST_P(CappedL1Stationarity, HoldsWithWeightsAndOffset) {
  PenalizedCase c = make(50, 10);
  for (Index i = 0; i < 50; ++i) {
    c.weights.push_back(0.25 * static_cast<double>(i % 5));
    c.offset.push_back(0.3 * std::sin(static_cast<double>(i)));
  }
  expect_stationary(c);
}

TEST_P(CappedL1Stationarity, HoldsWithPenaltyFactors) {
  PenalizedCase c = make(60, 8);
  c.factors = {1, 0, std::numeric_limits<double>::infinity(), 0.2, 3, 0, 1, 1};
  expect_stationary(c);
}

TEST_P(CappedL1Stationarity, HoldsForNonnegativeCoefficients) {
  PenalizedCase c = make(60, 12);
  c.nonnegative = true;
  expect_stationary(c);
  EXPECT_THAT(solve(c, 0.5).coefficients, testing::Each(testing::Ge(0.0)));
}

TEST_P(CappedL1Stationarity, HoldsWithoutInterceptOrStandardizing) {
  PenalizedCase c = make(50, 10);
  c.intercept = false;
  expect_stationary(c);
  c.standardize = false;
  expect_stationary(c);
}

TEST_P(CappedL1Stationarity, HoldsAtThePenaltyThatASearchChose) {
  PenalizedCase c = make(80, 30);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "capped-l1", {}, {.folds = 5});
  c.penalty = std::get<double>(found.hyper.at("penalty"));
  EXPECT_LE(stationarity(c, found, std::get<double>(found.hyper.at("cap"))), asked_tolerance);
}

TEST_P(CappedL1Stationarity, AFarCapIsTheLasso) {
  PenalizedCase c = make(60, 20);
  const DenseDesign design(c.X);
  const Fit lasso = fit(c.problem(design), "lasso", {{"penalty", 0.05}});
  c.penalty = 0.05;
  contract::expect_same_answer(lasso, solve(c, 1e6), c.X, /*tolerance=*/1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, CappedL1Stationarity, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return info.param; });

PenalizedCase gaussian_case(Index rows, Index cols, std::uint64_t seed = 1, double signal = 1) {
  contract::Example e = contract::make_example(family("gaussian"), rows, cols, seed, signal);
  return {.family = "gaussian", .X = std::move(e.X), .y = std::move(e.y)};
}

TEST(CappedL1, LargeCoefficientsAreNotShrunk) {
  // Beyond the cap the two true features are at their least-squares values given the others at zero.
  const PenalizedCase c = gaussian_case(400, 20, 2, 2);
  const DenseDesign design(c.X);
  const Fit capped = fit(c.problem(design), "capped-l1");
  const Fit lasso = fit(c.problem(design), "lasso");
  EXPECT_THAT(select_by_threshold(capped), testing::SizeIs(2));
  const double truth[] = {2 / 0.5, -1.6 / 3.5};  // signal over the spread that make_example gives the column
  const Index feature[] = {0, 3};
  for (int k = 0; k < 2; ++k) {
    const double bias = std::abs(capped.coefficients[feature[k]] / truth[k] - 1);
    EXPECT_LT(bias, 0.05);
    EXPECT_LT(bias, std::abs(lasso.coefficients[feature[k]] / truth[k] - 1));
  }
}

TEST(CappedL1, TheDefaultCapFollowsThePenalty) {
  const PenalizedCase c = gaussian_case(60, 10);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "capped-l1", {{"penalty", 0.2}});
  // Two penalties over the curvature: 1 for gaussian data on standardized columns.
  EXPECT_NEAR(std::get<double>(found.hyper.at("cap")), 0.4, 1e-9);
}

TEST(CappedL1, TheDefaultCapKnowsTheOffset) {
  contract::Example e = contract::make_example(family("poisson"), 60, 5);
  double exposure = 0;
  for (Index i = 0; i < 60; ++i) {
    e.offset.push_back(3 + std::sin(static_cast<double>(i)));
    exposure += std::exp(e.offset.back()) / 60;
  }
  const DenseDesign design(e.X);
  Problem problem = e.problem(design);
  problem.intercept = false;
  const Fit found = fit(problem, "capped-l1", {{"penalty", 0.2}});
  // The null model's rates are the exposures, and they are its curvature; columns have unit mean square.
  EXPECT_NEAR(std::get<double>(found.hyper.at("cap")), 0.4 / exposure, 1e-9);
}

// A line search once gave up at a curvature of 1e100, whatever the unit of the columns.
TEST(CappedL1, TheUnitOfTheColumnsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    contract::Example e = contract::make_example(family("poisson"), 60, 8, seed);
    const auto found = [&] {
      const DenseDesign design(e.X);
      Problem problem = e.problem(design);
      problem.standardize = false;
      return fit(problem, "capped-l1");
    };
    const Fit plain = found();
    constexpr double unit = 1e60;
    for (Index j = 0; j < e.X.cols(); ++j) {
      for (double& x : e.X.column(j)) x *= unit;
    }
    const Fit scaled = found();
    for (std::size_t j = 0; j < plain.coefficients.size(); ++j) {
      EXPECT_NEAR(scaled.coefficients[j] * unit, plain.coefficients[j], 1e-6) << "seed " << seed << " feature " << j;
    }
    EXPECT_EQ(scaled.status, plain.status) << scaled.message;
  }
}

TEST(CappedL1, ASparserModelThanTheLassoPredictsAsWell) {
  double capped_size = 0, lasso_size = 0, capped_error = 0, lasso_error = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PenalizedCase c = gaussian_case(100, 200, seed, 2), fresh = gaussian_case(400, 200, seed + 50, 2);
    const DenseDesign design(c.X), other(fresh.X);
    for (const bool cap : {true, false}) {
      const Fit found = fit(c.problem(design), cap ? "capped-l1" : "lasso", {{"rule", std::string("min")}});
      const std::vector<double> eta = linear_predictor(found, other);
      for (Index i = 0; i < 400; ++i) {
        (cap ? capped_error : lasso_error) += std::pow(fresh.y[i] - eta[i], 2) / 2000;
      }
      (cap ? capped_size : lasso_size) += static_cast<double>(select_by_threshold(found).size()) / 5;
    }
  }
  EXPECT_LT(capped_size, lasso_size);
  EXPECT_LT(capped_error, lasso_error);
}

// Of separable classes GIST stops early on the path, where the held-out deviance is less than that of the minimum that
// is returned.
TEST(CappedL1, TheErrorOfTheSearchIsThatOfTheFitThatIsReturned) {
  constexpr Index n = 60, p = 30;
  constexpr int folds = 5;
  constexpr double cap = 0.5;
  int agreeing = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Matrix X(n, p);
    std::vector<double> y(n);
    std::vector<int> fold_of_row(n);
    for (Index j = 0; j < p; ++j) RandomStream(seed, 1, static_cast<std::uint64_t>(j)).normals(X.column(j));
    for (Index i = 0; i < n; ++i) {
      y[i] = X(i, 0) + X(i, 1) + X(i, 2) > 0 ? 1 : 0;
      fold_of_row[i] = static_cast<int>(i % folds);
    }
    const DenseDesign design(X);
    const Problem problem{.X = design, .y = y, .likelihood = family("bernoulli"), .standardize = false};
    const Fit found = fit(problem, "capped-l1", {{"cap", cap}, {"rule", "min"}}, {.fold_of_row = fold_of_row});
    const double penalty = std::get<double>(found.hyper.at("penalty"));
    const auto point = std::ranges::find(found.path, penalty, &PathPoint::value);
    ASSERT_NE(point, found.path.end());
    double error = 0;
    for (int fold = 0; fold < folds; ++fold) {
      std::vector<double> weights(n);
      for (Index i = 0; i < n; ++i) weights[i] = fold_of_row[i] == fold ? 0 : 1;
      Problem rest = problem;
      rest.weights = weights;
      const Fit part = fit(rest, "capped-l1", {{"cap", cap}, {"penalty", penalty}}, {.folds = 0});
      const std::vector<double> eta = linear_predictor(part, design);
      for (Index i = 0; i < n; ++i) {
        if (fold_of_row[i] == fold) error += family("bernoulli").deviance(y[i], eta[i]) / double(n);
      }
    }
    agreeing += std::abs(*point->validation_error - error) < 0.05 * error + 1e-3 ? 1 : 0;
  }
  // A fold that is fitted alone starts with other steps, and may then end in another minimum.
  EXPECT_GE(agreeing, 6);
}

}  // namespace
}  // namespace tamis
