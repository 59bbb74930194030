// What the five algorithms promise: a cost that falls, optimality at the end, closed forms where there are any.
#include <gmock/gmock.h>

#include <limits>

#include "method/ard/group_lasso.hpp"
#include "unit/method/ard/ard_examples.hpp"

namespace tamis {
namespace {

using ard_test::nobody_watches;
using ard_test::random_regression;
using ard_test::Regression;

class RelevanceAlgorithm : public testing::TestWithParam<std::string_view> {
 protected:
  bool promises_descent() const { return GetParam() != "mackay"; }
};

INSTANTIATE_TEST_SUITE_P(Each, RelevanceAlgorithm, testing::ValuesIn(relevance_algorithms), [](const auto& info) {
  std::string name(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(RelevanceAlgorithm, TheCostNeverRises) {
  if (!promises_descent()) GTEST_SKIP() << "MacKay's rule promises nothing";
  for (const double penalty : {0.0, 3.0}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Regression made = random_regression(40, 90, 6, 0.2, seed);
      const DenseDesign design(made.X);
      const RelevanceData data = made.data(design);
      Relevance model(data);
      RelevanceRequest request;
      request.model = {0.2, penalty};
      request.max_iterations = 20;
      double last = std::numeric_limits<double>::infinity();
      int steps = 0;
      ard_test::run(GetParam(), model, request, [&](const RelevancePoint& point, double, double) {
        EXPECT_LE(point.cost, last + 1e-9 * std::max(1.0, std::abs(point.cost))) << "step " << steps;
        last = point.cost;
        ++steps;
        return true;
      });
      EXPECT_GT(steps, 3);
    }
  }
}

TEST_P(RelevanceAlgorithm, EndsWhereTheConditionsOfOptimalityHold) {
  const Regression made = random_regression(60, 40, 5, 0.2, 11);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  RelevanceRequest request;
  request.model.noise_variance = 0.2;
  const RelevanceRun run = ard_test::run(GetParam(), model, request, nobody_watches());
  EXPECT_TRUE(run.status == Status::converged || GetParam() == "em");  // which may run out of steps
  EXPECT_LE(run.certificate.active, 1e-3);
  // Those that start with every feature in may leave one out too early, from where there is no way back.
  if (GetParam() == "reweighted-l1" || GetParam() == "sequential") {
    EXPECT_LE(run.certificate.inactive, 1e-6);
  }
}

// x'x = n for every column and columns orthogonal: u = x'y / n, gamma = (u^2 - noise / n)+, x = u (1 - noise / (n
// u^2))+.
TEST_P(RelevanceAlgorithm, AnOrthogonalDesignHasAClosedForm) {
  constexpr Index n = 8;
  Matrix X(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      X(i, j) = __builtin_popcountll(static_cast<unsigned long long>(i & j)) % 2 == 0 ? 1 : -1;
  }
  Matrix Y(n, 1);
  RandomStream(5).normals(Y.column(0));
  const DenseDesign design(X);
  const RelevanceData data(design, std::vector<double>(n, 1.0), false, Y);
  Relevance model(data);
  RelevanceRequest request;
  const double noise = 0.6;
  request.model.noise_variance = noise;
  const RelevanceRun run = ard_test::run(GetParam(), model, request, nobody_watches());
  std::vector<double> x(n, 0.0);
  for (Index a = 0; a < run.point.size(); ++a) x[run.point.features[a]] = run.point.mean(a, 0);
  for (Index j = 0; j < n; ++j) {
    const double u = data.correlations()(j, 0) / n;
    const double expected = u * std::max(0.0, 1 - noise / (n * u * u));
    // After coordinate refinement; the coordinates do not interact here.
    EXPECT_NEAR(x[j], expected, 1e-10) << "feature " << j;
  }
}

TEST(ReweightedL1, WithoutPolishAnOrthogonalDesignIsSolvedToFourDigits) {
  Matrix X(4, 1), Y(4, 1);
  for (Index i = 0; i < 4; ++i) {
    X(i, 0) = 0.5 + static_cast<double>(i);
    Y(i, 0) = 0.4 * static_cast<double>(i);
  }
  const DenseDesign design(X);
  const RelevanceData data(design, std::vector<double>(4, 1.0), false, Y);
  Relevance model(data);
  RelevanceRequest request;
  request.model.noise_variance = 0.1;
  request.refine_coordinates = false;
  const RelevanceRun run = ard_test::run("reweighted-l1", model, request, nobody_watches());
  const double norm = data.squared_norms()[0], u = data.correlations()(0, 0) / norm;
  EXPECT_NEAR(run.point.mean(0, 0), u - request.model.noise_variance / (norm * u), 1e-4 * u);
  EXPECT_NEAR(run.point.gamma[0], u * u - request.model.noise_variance / norm, 1e-2 * u * u);
}

TEST(ReweightedL1, WithoutPolishTheConditionsHoldToOnePercent) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Regression made = random_regression(60, 120, 6, 0.2, seed);
    const DenseDesign design(made.X);
    const RelevanceData data = made.data(design);
    Relevance model(data);
    RelevanceRequest request;
    request.model.noise_variance = 0.2;
    request.refine_coordinates = false;
    const RelevanceRun run = ard_test::run("reweighted-l1", model, request, nobody_watches());
    EXPECT_EQ(run.status, Status::converged);
    EXPECT_LE(run.certificate.active, 1e-2) << "seed " << seed;
    EXPECT_LE(run.certificate.inactive, 1e-6) << "seed " << seed;
  }
}

TEST(ReweightedL1, TheFirstIterateOfThePaperIsTheLasso) {
  const Regression made = random_regression(50, 80, 6, 0.3, 21);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  const double noise = 12;  // of z = 1 the weights are the noise
  GroupLasso step(model, false, {});
  const std::vector<double> weights(80, noise);
  EXPECT_TRUE(step.solve(weights, 1e-11));
  std::vector<Index> feature_groups;
  std::vector<double> lengths;
  step.support(feature_groups, lengths);
  EXPECT_GT(feature_groups.size(), 3u);
  EXPECT_LT(feature_groups.size(), 50u);
  const Fit lasso = fit(made.problem(design), "lasso", {{"penalty", noise / 50}, {"tolerance", 1e-12}});
  const Matrix x = step.coefficients(feature_groups);
  std::vector<double> dense(80, 0.0);
  for (std::size_t k = 0; k < feature_groups.size(); ++k) dense[feature_groups[k]] = x(static_cast<Index>(k), 0);
  for (Index j = 0; j < 80; ++j) EXPECT_NEAR(dense[j], lasso.coefficients[j], 1e-8) << "feature " << j;

  RelevanceRequest request;
  request.model.noise_variance = noise;
  request.paper_start = true;
  request.refine_coordinates = false;
  request.max_iterations = 1;
  const RelevanceRun run = ard_test::run("reweighted-l1", model, request, nobody_watches());
  for (std::size_t k = 0; k < run.point.feature_groups.size(); ++k) {
    EXPECT_NEAR(run.point.gamma[k], std::abs(lasso.coefficients[run.point.feature_groups[k]]), 1e-8);
  }
  EXPECT_EQ(run.point.feature_groups.size(), feature_groups.size());
}

TEST(ReweightedL1, NonnegativeCoefficientsAreThoseOfThePositivePart) {
  Regression made = random_regression(60, 30, 4, 0.1, 31);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  RelevanceRequest request;
  request.model.noise_variance = 0.1;
  request.nonnegative = true;
  double last = std::numeric_limits<double>::infinity();
  const RelevanceRun run =
      ard_test::run("reweighted-l1", model, request, [&](const RelevancePoint& point, double, double) {
        EXPECT_LE(point.cost, last + 1e-9 * std::abs(point.cost));
        last = point.cost;
        return true;
      });
  EXPECT_GT(run.point.size(), 0);
  for (Index a = 0; a < run.point.size(); ++a) {
    EXPECT_GE(run.point.mean(a, 0), 0);
    EXPECT_FALSE(run.point.features[a] < 4 && made.truth(run.point.features[a], 0) < 0);
  }
  // Features that would be negative violate nothing where they may not be.
  EXPECT_LT(run.certificate.worst(), 1e-2);
}

// Without sqrt(t) in weights and gamma the conditions would be missed by most of their size.
TEST_P(RelevanceAlgorithm, SeveralTargetsShareTheirSupportAndEndOptimal) {
  const Regression made = random_regression(40, 60, 5, 0.2, 41, /*targets=*/3);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  RelevanceRequest request;
  request.model = {0.2, 4};
  const RelevanceRun run = ard_test::run(GetParam(), model, request, nobody_watches());
  EXPECT_LE(run.certificate.active, 1e-3);
  std::vector<Index> feature_groups = run.point.feature_groups;
  std::ranges::sort(feature_groups);
  EXPECT_THAT(feature_groups, testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(ReweightedL1, AGroupEntersAsOne) {
  const Regression made = random_regression(60, 30, 6, 0.2, 51);
  const DenseDesign design(made.X);
  std::vector<Index> groups;
  for (Index j = 0; j < 30; ++j) groups.push_back(j / 3);
  const RelevanceData data = made.data(design, groups);
  for (const std::string_view algorithm : {"reweighted-l1", "reweighted-l2", "em", "mackay"}) {
    Relevance model(data);
    RelevanceRequest request;
    request.model = {0.2, 4};
    request.tolerance = 1e-5;
    const RelevanceRun run = ard_test::run(algorithm, model, request, nobody_watches());
    std::vector<Index> feature_groups = run.point.feature_groups;
    std::ranges::sort(feature_groups);
    EXPECT_THAT(feature_groups, testing::ElementsAre(0, 1)) << algorithm;
    EXPECT_LE(run.certificate.worst(), 1e-2) << algorithm;
  }
}

TEST(BestVariance, IsTheMinimumOfTheCostOfOneFeature) {
  for (const double penalty : {0.0, 0.5, 5.0}) {
    for (const double s : {0.3, 2.0}) {
      for (const double pull : {0.1, 1.0, 4.0, 30.0, 80.0}) {
        const double size = 3.0;
        const double found = best_variance(s, pull, penalty, size);
        const double least = cost_of_one(found, s, pull, penalty, size);
        for (double gamma = 0; gamma < 200; gamma = gamma * 1.1 + 1e-3) {
          EXPECT_LE(least, cost_of_one(gamma, s, pull, penalty, size) + 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tamis
