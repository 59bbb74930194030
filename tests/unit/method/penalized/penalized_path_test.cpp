// lasso and elastic-net: the path, the closed forms that it must hit, and the rules that choose a point.
#include <gmock/gmock.h>

#include <numeric>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/base/random.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

// Orthogonal columns of mean square 1 (a Hadamard matrix without its constant column).
Matrix orthogonal_columns(Index rows, Index cols) {
  Matrix X(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i)
      X(i, j) = __builtin_popcountll(static_cast<unsigned>(i & (j + 1))) % 2 ? -1.0 : 1.0;
  }
  return X;
}

PenalizedCase gaussian_case(Index rows, Index cols, std::uint64_t seed = 1, double signal = 1) {
  contract::Example e = contract::make_example(family("gaussian"), rows, cols, seed, signal);
  return {.family = "gaussian", .X = std::move(e.X), .y = std::move(e.y)};
}

TEST(Lasso, OnOrthogonalColumnsIsSoftThresholding) {
  PenalizedCase c = gaussian_case(16, 6);
  c.X = orthogonal_columns(16, 6);
  const DenseDesign design(c.X);
  for (const double penalty : {0.5, 0.1, 0.01}) {
    const Fit found = fit(c.problem(design), "lasso", {{"penalty", penalty}});
    for (Index j = 0; j < 6; ++j) {
      double z = 0;
      for (Index i = 0; i < 16; ++i) z += c.X(i, j) * c.y[i] / 16;
      EXPECT_NEAR(found.coefficients[j], std::copysign(std::max(0.0, std::abs(z) - penalty), z), 1e-8);
    }
  }
}

TEST(ElasticNet, OnOrthogonalColumnsIsSoftThresholdingAndShrinkage) {
  PenalizedCase c = gaussian_case(16, 6);
  c.X = orthogonal_columns(16, 6);
  const DenseDesign design(c.X);
  const double penalty = 0.2, l1_ratio = 0.3;
  const Fit found = fit(c.problem(design), "elastic-net", {{"penalty", penalty}, {"l1_ratio", l1_ratio}});
  for (Index j = 0; j < 6; ++j) {
    double z = 0;
    for (Index i = 0; i < 16; ++i) z += c.X(i, j) * c.y[i] / 16;
    const double soft = std::copysign(std::max(0.0, std::abs(z) - penalty * l1_ratio), z);
    EXPECT_NEAR(found.coefficients[j], soft / (1 + penalty * (1 - l1_ratio)), 1e-8);
  }
}

// Two rows: all columns say the same. Steps of coordinate descent are then tiny long before they have added up.
TEST(ElasticNet, SharesAmongManyColumnsThatSayTheSame) {
  for (const double size : {8.5e-6, 116.5, 26384.3}) {
    PenalizedCase c = gaussian_case(2, 18);
    c.y = {size, -size};
    const DenseDesign design(c.X);
    Problem problem = c.problem(design);
    problem.standardize = true;
    const Fit found = fit(problem, "elastic-net", {}, {.folds = 0});
    EXPECT_EQ(found.status, Status::converged) << found.message;
    for (Index j = 0; j < 18; ++j) {
      const double share = found.coefficients[j] * (c.X(0, j) - c.X(1, j));
      EXPECT_NEAR(share, found.coefficients[0] * (c.X(0, 0) - c.X(1, 0)), 1e-5 * share);
    }
  }
}

// One count that is not zero: no fold could do without it.
TEST(Penalized, OneCountAmongZerosIsFittedWithoutASearch) {
  PenalizedCase c = gaussian_case(3, 3);
  c.family = "poisson";
  c.y = {0, 0, 113};
  const DenseDesign design(c.X);
  for (const char* method : {"lasso", "elastic-net", "capped-l1", "ridge"}) {
    const Fit found = fit(c.problem(design), method);
    EXPECT_EQ(found.status, Status::converged) << method << ": " << found.message;
  }
}

TEST(Lasso, WithoutAnyPenaltyFactorIsLeastSquares) {
  PenalizedCase c = gaussian_case(40, 5);
  c.factors.assign(5, 0.0);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "lasso", {{"penalty", 0.1}});
  // The normal equations, with a column of ones for the intercept: random columns, so that no digits are lost by them.
  Matrix A(40, 6);
  std::ranges::fill(A.column(0), 1.0);
  for (Index j = 0; j < 5; ++j) std::ranges::copy(c.X.column(j), A.col(j + 1));
  const auto product = [&](Index j, const double* v) { return std::inner_product(v, v + 40, A.col(j), 0.0); };
  std::vector<double> Ay;
  for (Index j = 0; j < 6; ++j) Ay.push_back(product(j, c.y.data()));
  const std::vector<double> b =
      test::PlainCholesky<double>(6, [&](Index j, Index k) { return product(j, A.col(k)); }).solve(Ay);
  EXPECT_NEAR(found.intercept, b[0], 1e-6);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(found.coefficients[j], b[j + 1], 1e-6);
}

TEST(Lasso, ThePathBeginsWhereTheFirstFeatureEnters) {
  const PenalizedCase c = gaussian_case(40, 10);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "lasso", {{"path_length", 50.0}}, {.folds = 0});
  ASSERT_EQ(found.path.size(), 50u);
  EXPECT_EQ(found.path[0].active, 0);
  EXPECT_EQ(found.path[1].active, 1);
  double largest = 0;
  Fit null;
  null.coefficients.assign(10, 0.0);
  for (const double y : c.y) null.intercept += y / 40;
  for (Index j = 0; j < 10; ++j) largest = std::max(largest, std::abs(pull_of(c, predictor_of(c, null), j)));
  EXPECT_NEAR(found.path[0].value, largest, 1e-10 * largest);
  EXPECT_NEAR(found.path.back().value, 1e-4 * largest, 1e-12 * largest);  // the documented ratio when n >= p
}

TEST(Lasso, EveryPointOfThePathCarriesASmallDualityGap) {
  for (const char* family : {"gaussian", "bernoulli", "poisson"}) {
    const contract::Example e = contract::make_example(tamis::family(family), 50, 100);
    const DenseDesign design(e.X);
    const Fit found = fit(e.problem(design), "lasso", {}, {.folds = 0});
    for (const PathPoint& point : found.path) {
      // Along the way conditions hold to between 1e-5 and 5e-3 of the penalty.
      EXPECT_LE(point.certificate, 5e-3) << family << " at penalty " << point.value;
      EXPECT_GE(point.certificate, 0);
    }
    EXPECT_LE(found.trace.back().certificate, 1e-7);  // the point returned
  }
}

TEST(Lasso, ObjectiveAndLossFallAlongThePath) {
  const PenalizedCase c = gaussian_case(40, 60);
  const DenseDesign design(c.X);
  double objective = 1e300, loss = 1e300;
  for (const double penalty : {1.0, 0.5, 0.2, 0.1, 0.05, 0.02}) {
    const Fit found = fit(c.problem(design), "lasso", {{"penalty", penalty}});
    EXPECT_LE(found.objective, objective * (1 + 1e-12));
    EXPECT_LE(loss_of(c, found), loss * (1 + 1e-12));
    objective = found.objective;
    loss = loss_of(c, found);
  }
}

TEST(Lasso, TheOneSeRuleNeverPicksASmallerPenaltyThanTheMinimum) {
  int larger = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PenalizedCase c = gaussian_case(60, 20, seed);
    const DenseDesign design(c.X);
    const auto penalty = [&](const char* rule) {
      return std::get<double>(fit(c.problem(design), "lasso", {{"rule", std::string(rule)}}).hyper.at("penalty"));
    };
    EXPECT_GE(penalty("one-se"), penalty("min"));
    larger += penalty("one-se") > penalty("min") ? 1 : 0;
  }
  EXPECT_GE(larger, 3);
}

TEST(Lasso, TheMinimumRulePicksTheLeastError) {
  const PenalizedCase c = gaussian_case(60, 20);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "lasso", {{"rule", std::string("min")}});
  double least = 1e300, at = 0;
  for (const PathPoint& point : found.path) {
    if (*point.validation_error >= least) continue;
    least = *point.validation_error;
    at = point.value;
  }
  EXPECT_EQ(std::get<double>(found.hyper.at("penalty")), at);
}

TEST(Penalized, ASearchDoesNotDependOnTheUnitOfTheResponse) {
  for (const char* method : {"lasso", "elastic-net", "ridge", "capped-l1"}) {
    PenalizedCase c = gaussian_case(60, 20);
    const DenseDesign design(c.X);
    const Fit one = fit(c.problem(design), method);
    for (double& y : c.y) y *= 1e6;
    Fit million = fit(c.problem(design), method);
    million.intercept *= 1e-6;
    for (double& b : million.coefficients) b *= 1e-6;
    SCOPED_TRACE(method);
    contract::expect_same_answer(one, million, c.X, 1e-6);
  }
}

// Without standardizing the penalty has the unit of the columns, and a search finds it there.
TEST(Penalized, ASearchDoesNotDependOnTheUnitOfTheColumns) {
  for (const char* family : {"gaussian", "poisson"}) {
    for (const char* method : {"lasso", "ridge", "capped-l1"}) {
      const contract::Example e = contract::make_example(tamis::family(family), 60, 20);
      PenalizedCase c{.family = family, .X = e.X, .y = e.y, .standardize = false};
      const DenseDesign plain(e.X);
      const Fit one = fit(c.problem(plain), method);
      for (const double unit : {1e60, 1e-20, 1e-60}) {
        for (Index j = 0; j < 20; ++j) {
          for (Index i = 0; i < 60; ++i) c.X(i, j) = unit * e.X(i, j);
        }
        const DenseDesign design(c.X);
        Fit found = fit(c.problem(design), method);
        EXPECT_EQ(found.status, Status::converged) << found.message;
        for (double& b : found.coefficients) b *= unit;
        SCOPED_TRACE(std::string(family) + " " + method + " " + std::to_string(std::log10(unit)));
        contract::expect_same_answer(one, found, e.X, 1e-6);
      }
    }
  }
}

// The squares of such columns are denormal in single precision: a Newton step on their Gram matrix made a fold NaN.
TEST(Penalized, NoFoldIsLostToColumnsWithoutDigitsInSinglePrecision) {
  contract::Example e = contract::make_example(tamis::family("poisson"), 60, 20, /*seed=*/1, /*signal=*/1.5);
  for (Index j = 0; j < 20; ++j) {
    for (double& x : e.X.column(j)) x *= 1e-20;
  }
  const PenalizedCase c{.family = "poisson", .X = e.X, .y = e.y, .standardize = false};
  const DenseDesign design(e.X);
  const Fit found = fit(c.problem(design), "lasso");
  EXPECT_EQ(found.status, Status::converged) << found.message;
  for (const PathPoint& point : found.path) EXPECT_TRUE(std::isfinite(*point.validation_error)) << point.value;
}

// Tall data are solved from cross-products, whose squares have no digits left for what moves a timestamp.
TEST(Penalized, AResponseFarFromZeroHasTheSameFeatures) {
  PenalizedCase c = gaussian_case(200, 6);
  const DenseDesign design(c.X);
  for (const char* method : {"lasso", "elastic-net", "vg", "ridge"}) {
    const Fit near = fit(c.problem(design), method);
    PenalizedCase moved = c;
    for (double& y : moved.y) y += 1e9;
    Fit far = fit(moved.problem(design), method);
    EXPECT_EQ(far.status, Status::converged) << far.message;
    far.intercept -= 1e9;
    contract::expect_same_answer(near, far, c.X, 1e-5);  // adding 1e9 leaves the response 7 digits
  }
}

// The loss of counts is negative where rates are large, so a share of it says nothing about what is explained.
TEST(Lasso, FollowsThePathOfLargeCounts) {
  contract::Example e = contract::make_example(family("poisson"), 60, 12);
  for (double& y : e.y) y = 20 * y + 5;
  const DenseDesign design(e.X);
  const Fit found = fit(e.problem(design), "lasso");
  EXPECT_GT(found.path.size(), 20u);
  EXPECT_GT(found.coefficients[0], 0);
  for (const PathPoint& point : found.path) EXPECT_LE(point.certificate, 5e-3);
  EXPECT_GT(found.path[3].certificate, 0);
}

// Nearly as many features as samples: at the end of these paths a Newton step that is cut where coefficients change
// their sign leads uphill.
TEST(Lasso, FollowsThePathOfCountsToWhereTheyAreNearlyExplained) {
  for (const std::uint64_t seed : {19, 83, 96}) {
    RandomStream random(seed, 1);
    const Index n = 56, p = 50;
    PenalizedCase c{.family = "poisson", .X = Matrix(n, p), .y = std::vector<double>(n)};
    std::vector<double> eta(n, 0.3);
    for (Index j = 0; j < p; ++j) {
      random.normals(c.X.column(j));
      for (Index i = 0; i < n; ++i) {
        c.X(i, j) = std::round(2 * c.X(i, j));
        if (j < 4) eta[i] += (j % 2 == 1 ? 0.25 : -0.25) * c.X(i, j);
      }
    }
    for (Index i = 0; i < n; ++i) {
      const double none = std::exp(-std::exp(std::min(eta[i], 3.5)));
      for (double left = random.uniform01(); left > none; left *= random.uniform01()) c.y[i] += 1;
    }
    const DenseDesign design(c.X);
    EXPECT_EQ(fit(c.problem(design), "lasso", {}, {.folds = 0}).status, Status::converged) << seed;
  }
}

// Counts that are explained completely have no finite optimum without a penalty.
TEST(Penalized, APenaltyThatCannotBeReachedIsNotCalledSolved) {
  RandomStream random(3, 1);
  const Index n = 12, p = 20;
  PenalizedCase c{.family = "poisson", .X = Matrix(n, p), .y = std::vector<double>(n)};
  for (Index j = 0; j < p; ++j) random.normals(c.X.column(j));
  for (Index i = 0; i < n; ++i) c.y[i] = static_cast<double>(i % 2);
  const DenseDesign design(c.X);
  for (const char* method : {"lasso", "elastic-net", "capped-l1"}) {
    const Fit found = fit(c.problem(design), method, {{"penalty", 1e-15}});
    EXPECT_EQ(found.status, Status::stalled) << method;
    EXPECT_THAT(found.message, testing::HasSubstr("last solution before the requested penalty 1e-15")) << method;
    EXPECT_GT(std::get<double>(found.hyper.at("penalty")), 1e-15) << method;
  }
}

TEST(Lasso, RecoversThePlantedFeatures) {
  const PenalizedCase c = gaussian_case(200, 400, 5, 2);
  const DenseDesign design(c.X);
  const Fit found = fit(c.problem(design), "lasso");
  const std::vector<Selected> two = select_top(found, 2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_THAT((std::vector<Index>{two[0].feature, two[1].feature}), testing::UnorderedElementsAre(0, 3));
}

}  // namespace
}  // namespace tamis
