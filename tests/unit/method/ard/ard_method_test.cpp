// ard as a method: closed forms through the front door, units, noise, selection, posterior, families.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/symmetric.hpp"
#include "method/ard/ard_fit.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "unit/method/ard/ard_examples.hpp"

namespace tamis {
namespace {

using ard_test::random_regression;
using ard_test::Regression;

const std::vector<double>& vector_of(const Fit& fit, const char* name) {
  return std::get<std::vector<double>>(fit.hyper.at(name));
}
double number_of(const Fit& fit, const char* name) { return std::get<double>(fit.hyper.at(name)); }

// Kondo, Maeda & Hayashi, Eqs 8 and 29.
class OneFeature : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Each, OneFeature, testing::ValuesIn(relevance_algorithms), [](const auto& info) {
  std::string name(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(OneFeature, HasTheClosedFormOfOneDimension) {
  for (const double strength : {0.02, 0.3, -2.0}) {
    Regression made = random_regression(12, 1, 0, 0.5, 2);
    for (Index i = 0; i < 12; ++i) made.Y(i, 0) = 0.1 * made.Y(i, 0) + strength * made.X(i, 0);
    const DenseDesign design(made.X);
    const double noise = 0.4;
    const Fit found =
        fit(made.problem(design), "ard", {{"noise_variance", noise}, {"algorithm", std::string(GetParam())}}, {});
    double xx = 0, xy = 0;
    for (Index i = 0; i < 12; ++i) {
      xx += made.X(i, 0) * made.X(i, 0);
      xy += made.X(i, 0) * made.Y(i, 0);
    }
    const double least_squares = xy / xx;
    const double expected = std::copysign(std::max(0.0, std::abs(least_squares) - noise / std::abs(xy)), least_squares);
    EXPECT_NEAR(found.coefficients[0], expected, 1e-10);
    EXPECT_NEAR(vector_of(found, "gamma")[0], std::max(0.0, least_squares * least_squares - noise / xx), 1e-10);
  }
}

TEST(Ard, UnitsOfColumnsAndResponseDoNotMatter) {
  const Regression made = random_regression(60, 100, 6, 0.2, 3);
  Regression scaled = made;
  for (Index j = 0; j < 100; ++j) {
    for (double& x : scaled.X.column(j)) x *= std::pow(10.0, static_cast<double>(j % 7) - 3);
  }
  for (double& y : scaled.Y.column(0)) y *= 1e4;
  const DenseDesign design(made.X), scaled_design(scaled.X);
  for (const bool given : {true, false}) {
    std::map<std::string, OptionValue> options, scaled_options;
    if (given) {
      options = {{"noise_variance", 0.2}};
      scaled_options = {{"noise_variance", 0.2 * 1e8}};
    }
    const Fit a = fit(made.problem(design), "ard", options);
    const Fit b = fit(scaled.problem(scaled_design), "ard", scaled_options);
    double largest = 0;
    for (const double x : a.coefficients) largest = std::max(largest, std::abs(x));
    for (Index j = 0; j < 100; ++j) {
      const double group = 1e4 / std::pow(10.0, static_cast<double>(j % 7) - 3);
      EXPECT_NEAR(b.coefficients[j] / group, a.coefficients[j], 1e-8 * largest) << "feature " << j;
    }
    EXPECT_NEAR(*b.noise_variance, 1e8 * *a.noise_variance, 1e-8 * *b.noise_variance);
  }
}

TEST(Ard, AnUnknownNoiseIsFoundWhenFeaturesOutnumberSamplesThreefold) {
  std::vector<double> estimates;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Regression made = random_regression(80, 240, 5, 0.5, seed);
    const DenseDesign design(made.X);
    estimates.push_back(*fit(made.problem(design), "ard").noise_variance / 0.5);
  }
  std::ranges::nth_element(estimates, estimates.begin() + 7);
  EXPECT_GE(estimates[7], 0.7);
  EXPECT_LE(estimates[7], 1.5);
}

TEST(Ard, TheEvidenceIsNotTrustedWithTheNoiseWithoutAWord) {
  const Regression wide = random_regression(30, 60, 4, 0.3, 4), tall = random_regression(60, 10, 4, 0.3, 4);
  const DenseDesign wide_design(wide.X), tall_design(tall.X);
  EXPECT_THAT(fit(wide.problem(wide_design), "ard", {{"noise", "evidence"}}).message, testing::HasSubstr("unreliable"));
  const Fit by_evidence = fit(tall.problem(tall_design), "ard", {{"noise", "evidence"}});
  EXPECT_THAT(by_evidence.message, testing::Not(testing::HasSubstr("unreliable")));
  EXPECT_NEAR(*by_evidence.noise_variance, 0.3, 0.15);
}

TEST(Ard, ThetaIsTheEvidenceOfAFeatureLeftOut) {
  const Regression made = random_regression(40, 6, 2, 0.3, 5);
  const DenseDesign design(made.X);
  const Fit found = fit(made.problem(design), "ard", {{"noise_variance", 0.3}});
  const std::vector<double>& theta = vector_of(found, "theta");
  // Leaving feature 0 out of the model altogether: what it would bring is (theta - 1 - log theta) in cost.
  Regression without = made;
  without.X = Matrix(40, 5);
  for (Index j = 1; j < 6; ++j) std::ranges::copy(made.X.column(j), without.X.column(j - 1).begin());
  const DenseDesign fewer(without.X);
  const RelevanceData data = made.data(design);
  Relevance model(data);
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  for (Index j = 1; j < 6; ++j) {
    if (vector_of(found, "gamma")[j] == 0) continue;
    feature_groups.push_back(j);
    gamma.push_back(vector_of(found, "gamma")[j]);
  }
  const double cost = model.posterior_at(feature_groups, gamma, {0.3, 0}).cost;
  EXPECT_NEAR(cost - found.objective, 2 * evidence_gain(theta[0]), 1e-6 * cost);
  EXPECT_GT(theta[0], 20);
}

TEST(Ard, InclusionIsOneHalfWhereThePenaltyLetsAFeatureIn) {
  EXPECT_DOUBLE_EQ(inclusion_of(1 + 4.6, 4.6), 0.5);
  EXPECT_GT(inclusion_of(20, 4.6), 0.99);
  EXPECT_LT(inclusion_of(1.5, 4.6), 0.2);
}

TEST(Ard, SelectionMeansSomethingWherePositiveVarianceDoesNot) {
  const Regression made = random_regression(200, 300, 5, 0.5, 6);
  const DenseDesign design(made.X);
  const Fit plain = fit(made.problem(design), "ard", {{"noise_variance", 0.5}});
  const auto kept = std::ranges::count_if(plain.coefficients, [](double b) { return b != 0; });
  EXPECT_GT(kept, 20);  // the paper's cost keeps noise: P(chi^2 > 1) of an orthogonal design is 32 %
  EXPECT_LE(select_by_threshold(plain).size(), 7u);
  const Fit penalized = fit(made.problem(design), "ard", {{"noise_variance", 0.5}, {"penalty", 10.4}});
  EXPECT_LE(std::ranges::count_if(penalized.coefficients, [](double b) { return b != 0; }), 7);
  const Fit robust = fit(made.problem(design), "ard");
  const std::vector<Selected> found = select_by_threshold(robust);
  EXPECT_LE(found.size(), 6u);
  for (Index j = 0; j < 5; ++j) {
    EXPECT_TRUE(std::ranges::any_of(found, [&](const Selected& s) { return s.feature == j; }));
  }
}

// 500 samples of 1000 features, 20 true: the threshold lets an accident in about once in five sets.
TEST(Ard, IsAsGoodAsAnOracleInMostSets) {
  constexpr Index n = 500, p = 1000, k = 20;
  constexpr int sets = 20;
  int good = 0;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const Regression made = random_regression(n, p, k, 1, seed);
    const DenseDesign design(made.X);
    const Fit found = fit(made.problem(design), "ard");
    std::vector<Index> support(k);
    std::iota(support.begin(), support.end(), 0);
    Matrix gram(k, k);
    design.gram(support, {}, gram);
    ASSERT_TRUE(invert_positive(gram));
    std::vector<double> xy(k);
    design.transpose_multiply(support, std::as_const(made.Y).column(0), std::span<double>(xy));
    double oracle = 0, ours = 0;
    for (Index j = 0; j < k; ++j) {
      double b = 0;
      for (Index l = 0; l < k; ++l) b += gram(j, l) * xy[l];
      oracle += std::pow(b - made.truth(j, 0), 2);
    }
    for (Index j = 0; j < p; ++j) ours += std::pow(found.coefficients[j] - made.truth(j, 0), 2);
    const std::vector<Selected> kept = select_by_threshold(found);
    const bool exact = kept.size() == k && std::ranges::all_of(kept, [](const Selected& s) { return s.feature < k; });
    good += exact && ours <= 1.3 * oracle ? 1 : 0;
  }
  EXPECT_GE(good, 14);  // 82 % of 200 sets; fewer than 14 of 20 would be three deviations away
}

TEST(Ard, FindsFewFeaturesAmongThousands) {
  const Regression made = random_regression(100, 5000, 4, 0.1, 13);
  const DenseDesign design(made.X);
  const Fit found = fit(made.problem(design), "ard");
  std::vector<Index> kept;
  for (const Selected& s : select_by_threshold(found)) kept.push_back(s.feature);
  std::ranges::sort(kept);
  EXPECT_THAT(kept, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_NEAR(*found.noise_variance, 0.1, 0.05);
}

TEST(Ard, ThePredictiveVarianceIsThatOfTheJointPosterior) {
  // Two columns that nearly repeat each other: each is uncertain, their sum is not.
  Regression made = random_regression(50, 2, 0, 0.25, 7);
  for (Index i = 0; i < 50; ++i) {
    made.X(i, 1) = made.X(i, 0) + 0.2 * made.X(i, 1);
    made.Y(i, 0) += made.X(i, 0) + 2 * made.X(i, 1);
  }
  const DenseDesign design(made.X);
  Problem problem = made.problem(design);
  problem.intercept = true;
  const Fit found = fit(problem, "ard", {{"noise_variance", 0.25}});
  ASSERT_NE(found.coefficients[0], 0);
  ASSERT_NE(found.coefficients[1], 0);
  const std::vector<double>& gamma = vector_of(found, "gamma");
  const RelevanceData data(design, std::vector<double>(50, 1.0), true, made.Y);
  Relevance model(data);
  const Matrix covariance = model.covariance(model.posterior_at({0, 1}, gamma, {0.25, 0}));
  const Prediction predicted = predict(found, design);
  for (Index i = 0; i < 50; ++i) {
    const double a = made.X(i, 0) - found.feature_means[0], b = made.X(i, 1) - found.feature_means[1];
    const double variance =
        0.25 * (1 + 1.0 / 50) + a * a * covariance(0, 0) + 2 * a * b * covariance(0, 1) + b * b * covariance(1, 1);
    EXPECT_NEAR(predicted.sd[i], std::sqrt(variance), 1e-9);
  }
  EXPECT_GT(found.standard_deviations[0], 3 * std::sqrt(covariance(0, 0) + 2 * covariance(0, 1) + covariance(1, 1)));
}

TEST(Ard, TheCertificateIsInTheFit) {
  const Regression made = random_regression(60, 100, 6, 0.2, 8);
  const DenseDesign design(made.X);
  const Fit found = fit(made.problem(design), "ard", {{"noise_variance", 0.2}});
  EXPECT_LE(number_of(found, "certificate_active"), 1e-3);
  EXPECT_LE(number_of(found, "certificate_inactive"), 1e-6);
}

TEST(Ard, AnnealingFindsWhatPlainDescentMisses) {
  int annealed = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Regression made = random_regression(30, 60, 7, 0, seed);
    const DenseDesign design(made.X);
    const Fit found = fit(made.problem(design), "ard", {{"noise_variance", 1e-8}, {"anneal", true}});
    double error = 0, size = 0;
    for (Index j = 0; j < 60; ++j) {
      error += std::pow(found.coefficients[j] - made.truth(j, 0), 2);
      size += std::pow(made.truth(j, 0), 2);
    }
    annealed += error < 1e-4 * size ? 1 : 0;
  }
  EXPECT_GE(annealed, 9);
}

TEST(Ard, SeveralTargetsHaveTheirOwnCoefficientsOnCommonFeatures) {
  const Regression made = random_regression(60, 80, 4, 0.3, 9, /*targets=*/3);
  const DenseDesign design(made.X);
  Problem problem = made.problem(design);
  problem.more_responses = ConstMatrixView(made.Y.col(1), 60, 2);
  problem.more_targets = {"b", "c"};
  const Fit found = fit(problem, "ard");
  ASSERT_EQ(found.more_targets.size(), 2u);
  EXPECT_EQ(found.more_targets[1].target, "c");
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(found.coefficients[j], made.truth(j, 0), 0.4);
    EXPECT_NEAR(found.more_targets[1].coefficients[j], made.truth(j, 2), 0.4);
  }
  const Fit again = from_json(to_json(found));
  ASSERT_EQ(again.more_targets.size(), 2u);
  EXPECT_EQ(again.more_targets[0].coefficients, found.more_targets[0].coefficients);
  const std::vector<Fit> each = split_targets(found);
  ASSERT_EQ(each.size(), 3u);
  EXPECT_EQ(predict(each[2], design).mean, linear_predictor(each[2], design));
  EXPECT_THROW(fit(problem, "lasso", {{"penalty", 0.1}}), InvalidOption);
}

TEST(Ard, OptionsThatDoNotGoTogetherAreRefused) {
  const Regression made = random_regression(20, 4, 2, 0.3, 10);
  const DenseDesign design(made.X);
  const Problem problem = made.problem(design);
  EXPECT_THROW(fit(problem, "ard", {{"nonnegative", true}, {"algorithm", "em"}}), InvalidOption);
  EXPECT_THROW(fit(problem, "ard", {{"anneal", true}}), InvalidOption);
  EXPECT_THROW(fit(problem, "ard", {{"groups", "file.csv"}}), InvalidOption);
  Problem grouped = problem;
  const std::vector<Index> groups = {0, 0, 1, 1}, gap = {0, 0, 2, 2};
  grouped.groups = gap;
  EXPECT_THROW(fit(grouped, "ard"), InvalidInput);
  grouped.groups = groups;
  EXPECT_THROW(fit(grouped, "ard", {{"algorithm", "sequential"}}), InvalidOption);
  EXPECT_THROW(fit(grouped, "lasso", {{"penalty", 0.1}}), InvalidOption);
  EXPECT_EQ(vector_of(fit(grouped, "ard"), "gamma").size(), 4u);
}

TEST(Ard, ClassesAreTakenByTheBoundWhichNeverWorsens) {
  Regression made = random_regression(300, 40, 3, 0, 11);
  for (Index i = 0; i < 300; ++i) {
    RandomStream draw(12, 0, static_cast<std::uint64_t>(i));
    made.Y(i, 0) = draw.uniform01() < logistic(2 * made.Y(i, 0)) ? 1 : 0;
  }
  const DenseDesign design(made.X);
  Problem problem{.X = design, .y = made.Y.column(0), .likelihood = family("bernoulli")};
  const Fit found = fit(problem, "ard");
  EXPECT_EQ(found.status, Status::converged) << found.message;
  for (std::size_t k = 1; k < found.trace.size(); ++k) {
    EXPECT_LE(found.trace[k].objective, found.trace[k - 1].objective + 1e-9 * std::abs(found.trace[k].objective));
  }
  for (Index j = 0; j < 3; ++j) EXPECT_GT(found.coefficients[j] * made.truth(j, 0), 0);
  EXPECT_LE(select_by_threshold(found).size(), 4u);
  EXPECT_THROW(fit(problem, "ard", {{"noise_variance", 1.0}}), InvalidOption);
}

TEST(Ard, AlgorithmsThatCannotTakeBackAFeatureSayWhereOneShouldEnter) {
  int violated = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Regression made = random_regression(40, 80, 10, 0.3, seed);
    const DenseDesign design(made.X);
    for (const char* algorithm : {"reweighted-l2", "mackay"}) {
      const Fit found = fit(made.problem(design), "ard", {{"noise_variance", 0.3}, {"algorithm", algorithm}});
      if (number_of(found, "certificate_inactive") <= 0.01) continue;
      ++violated;
      EXPECT_NE(found.status, Status::converged) << found.message;
      if (found.status != Status::stalled) continue;
      EXPECT_THAT(found.message, testing::HasSubstr("should enter (violation"));
    }
  }
  EXPECT_GT(violated, 0);
}

TEST(Ard, ToleranceCountsForTwoClasses) {
  Regression made = random_regression(120, 20, 4, 0, 13);
  for (Index i = 0; i < 120; ++i) {
    RandomStream draw(14, 0, static_cast<std::uint64_t>(i));
    made.Y(i, 0) = draw.uniform01() < logistic(2 * made.Y(i, 0)) ? 1 : 0;
  }
  const DenseDesign design(made.X);
  const Problem problem{.X = design, .y = made.Y.column(0), .likelihood = family("bernoulli")};
  const Fit tight = fit(problem, "ard", {{"tolerance", 1e-9}});
  EXPECT_EQ(tight.status, Status::converged) << tight.message;
  EXPECT_LT(number_of(tight, "certificate_active"), 1e-6);
  // EM converges linearly: many iterations lie between the two, which would give the same bits if it did not count.
  const std::string em = "em";
  const Fit early = fit(problem, "ard", {{"algorithm", em}, {"tolerance", 0.1}});
  const Fit late = fit(problem, "ard", {{"algorithm", em}, {"tolerance", 1e-6}});
  EXPECT_NE(late.coefficients, early.coefficients);
  EXPECT_LE(late.objective, early.objective);
}

}  // namespace
}  // namespace tamis
