// The evidence, its posterior and the scores of all features: against plain formulas, and at small noise against many
// digits.
#include <gmock/gmock.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "support/plain_cholesky.hpp"
#include "unit/method/ard/ard_examples.hpp"

namespace tamis {
namespace {

using ard_test::random_regression;
using ard_test::Regression;
// Fifty digits. Without expression templates, which are compiled for longer than they run here.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

// Sigma = noise I + X Gamma X' in fifty digits: at noise 1e-8 a factor of Sigma in double has none left.
struct Reference {
  Reference(const Regression& made, const std::vector<double>& gamma, double noise)
      : sigma(made.X.rows(), [&](Index i, Index k) {
          Exact sum = i == k ? noise : 0.0;
          for (Index j = 0; j < made.X.cols(); ++j) sum += Exact(gamma[j]) * made.X(i, j) * made.X(k, j);
          return sum;
        }) {}
  double product(std::span<const double> a, std::span<const double> b) const {
    return static_cast<double>(sigma.product(a, b));
  }
  double log_determinant() const { return static_cast<double>(sigma.log_determinant()); }
  test::PlainCholesky<Exact> sigma;
};

struct Setting {
  std::vector<Index> feature_groups;
  std::vector<double> gamma, dense;
};
Setting every_third(Index p, Index most) {
  Setting setting;
  setting.dense.assign(p, 0.0);
  for (Index j = 0; j < p && std::ssize(setting.feature_groups) < most; j += 3) {
    setting.feature_groups.push_back(j);
    setting.gamma.push_back(0.1 + 0.05 * static_cast<double>(j));
    setting.dense[j] = setting.gamma.back();
  }
  return setting;
}

class RelevanceAtNoise : public testing::TestWithParam<double> {};

TEST_P(RelevanceAtNoise, CostAndScoresKeepTenDigits) {
  const Regression made = random_regression(24, 60, 5, 0.1, 3);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  const Setting setting = every_third(60, 15);
  const RelevancePoint point = model.posterior_at(setting.feature_groups, setting.gamma, {GetParam(), 0});
  const RelevanceScores scores = model.scores(point);
  const Reference exact(made, setting.dense, GetParam());
  const double cost = exact.log_determinant() + exact.product(made.Y.column(0), made.Y.column(0));
  EXPECT_NEAR(point.cost, cost, 1e-10 * std::abs(cost));
  for (Index j = 0; j < 60; ++j) {
    const double z = exact.product(made.X.column(j), made.X.column(j));
    EXPECT_NEAR(scores.z[j], z, 1e-10 * z) << "feature " << j;
    const double q = exact.product(made.X.column(j), made.Y.column(0));
    // q of a feature in play is small against that of the others: it is what is left when all have explained their
    // part.
    EXPECT_NEAR(std::sqrt(scores.q_squared[j]), std::abs(q), 1e-8 * std::sqrt(z) + 1e-10 * std::abs(q))
        << "feature " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(From, RelevanceAtNoise, testing::Values(1.0, 1e-3, 1e-8, 1e-12));

TEST(Relevance, ScoresKeepTheirDigitsWhenFeaturesInPlayOutnumberSamples) {
  const Regression made = random_regression(12, 60, 5, 0.1, 4);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  const Setting setting = every_third(60, 20);
  const double noise = 1e-8;
  const RelevancePoint point = model.posterior_at(setting.feature_groups, setting.gamma, {noise, 0});
  const RelevanceScores scores = model.scores(point);
  const Reference exact(made, setting.dense, noise);
  for (Index j = 0; j < 60; ++j) {
    const double z = exact.product(made.X.column(j), made.X.column(j));
    EXPECT_NEAR(scores.z[j], z, 1e-6 * z) << "feature " << j;  // S is singular but for the noise: half its digits
  }
}

TEST(Relevance, ScoresOfSomeUnitsAreThoseOfAll) {
  const Regression made = random_regression(24, 60, 5, 0.1, 3, /*targets=*/2);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  const Setting setting = every_third(60, 15);
  for (const double noise : {1.0, 1e-8}) {
    const RelevancePoint point = model.posterior_at(setting.feature_groups, setting.gamma, {noise, 0});
    const RelevanceScores all = model.scores(point);
    RelevanceScores some{std::vector<double>(60, -1.0), std::vector<double>(60, -1.0)};
    const std::vector<Index> asked = {0, 1, 7, 30, 59};
    model.score_groups(point, asked, some);
    for (Index j = 0; j < 60; ++j) {
      const bool was_asked = std::ranges::find(asked, j) != asked.end();
      EXPECT_NEAR(some.z[j], was_asked ? all.z[j] : -1, 1e-11 * all.z[j]) << "feature " << j;
      EXPECT_NEAR(some.q_squared[j], was_asked ? all.q_squared[j] : -1, 1e-9 * (all.q_squared[j] + all.z[j]))
          << "feature " << j;
    }
  }
}

TEST(Relevance, SamplesAndFeaturesGiveTheSamePosterior) {
  const Regression made = random_regression(20, 340, 5, 0.1, 5, /*targets=*/2);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  for (Index j = 0; j < 340; ++j) {
    feature_groups.push_back(j);
    gamma.push_back(0.01 + 1e-4 * static_cast<double>(j));
  }
  const RelevancePoint all = model.posterior_at(feature_groups, gamma, {0.2, 0.5});
  ASSERT_TRUE(all.by_samples);
  // The same model with forty of its features in one unit each of nearly nothing is small enough for the other road.
  const std::vector<Index> few(feature_groups.begin(), feature_groups.begin() + 290);
  const std::vector<double> few_gamma(gamma.begin(), gamma.begin() + 290);
  const RelevancePoint by_features = model.posterior_at(few, few_gamma, {0.2, 0.5});
  ASSERT_FALSE(by_features.by_samples);
  std::vector<double> padded = gamma;
  for (std::size_t j = 290; j < 340; ++j) padded[j] = 1e-18;
  const RelevancePoint by_samples = model.posterior_at(feature_groups, padded, {0.2, 0.5});
  EXPECT_NEAR(by_samples.cost, by_features.cost, 1e-10 * std::abs(by_features.cost));
  const RelevanceScores a = model.scores(by_samples), b = model.scores(by_features);
  for (Index j = 0; j < 340; ++j) {
    EXPECT_NEAR(a.z[j], b.z[j], 1e-9 * b.z[j]);
    EXPECT_NEAR(a.q_squared[j], b.q_squared[j], 1e-8 * (b.q_squared[j] + b.z[j]));
  }
  for (Index k = 0; k < 290; ++k) EXPECT_NEAR(by_samples.mean(k, 1), by_features.mean(k, 1), 1e-10);
}

TEST(Relevance, TheCovarianceIsThatOfRidgeRegression) {
  const Regression made = random_regression(30, 3, 2, 0.3, 6);
  const DenseDesign design(made.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  const double noise = 0.3;
  const std::vector<double> gamma = {2.0, 0.5, 1.0};
  const RelevancePoint point = model.posterior_at({0, 1, 2}, gamma, {noise, 0});
  const Matrix covariance = model.covariance(point);
  // covariance (Phi'Phi / noise + Gamma^-1) = I
  Matrix gram(3, 3);
  design.gram(design.all(), {}, gram);
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) {
      double sum = covariance(a, b) / gamma[b];
      for (Index c = 0; c < 3; ++c) sum += covariance(a, c) * gram(c, b) / noise;
      EXPECT_NEAR(sum, a == b ? 1 : 0, 1e-12);
    }
    EXPECT_NEAR(point.remaining[a], covariance(a, a) / gamma[a], 1e-13);
  }
}

TEST(Relevance, AUnitScoresTheSumOfItsMembers) {
  const Regression made = random_regression(30, 6, 3, 0.3, 7);
  const DenseDesign design(made.X);
  const std::vector<Index> groups = {0, 0, 1, 1, 1, 2};
  const RelevanceData single = made.data(design), bundled = made.data(design, groups);
  Relevance one(single), many(bundled);
  const RelevancePoint a = one.posterior_at({0, 1}, {0.7, 0.7}, {0.3, 0}), b = many.posterior_at({0}, {0.7}, {0.3, 0});
  EXPECT_DOUBLE_EQ(a.cost, b.cost);
  const RelevanceScores x = one.scores(a), y = many.scores(b);
  EXPECT_NEAR(y.z[0], x.z[0] + x.z[1], 1e-12 * y.z[0]);
  EXPECT_NEAR(y.z[1], x.z[2] + x.z[3] + x.z[4], 1e-12 * y.z[1]);
  EXPECT_NEAR(y.q_squared[1], x.q_squared[2] + x.q_squared[3] + x.q_squared[4], 1e-12 * y.q_squared[1]);
}

}  // namespace
}  // namespace tamis
