#include <gmock/gmock.h>

#include <cmath>

#include "example_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pointwise;

constexpr double rounding = 1e-12;  // a handful of additions of numbers of size 1 to 100

// Two rows: (1, 2, 3) and (0, -1, 4), column-major.
const std::vector<double> two_rows = {1, 0, 2, -1, 3, 4};
DenseDesign two_row_design() { return DenseDesign(ConstMatrixView(two_rows.data(), 2, 3)); }

// One row with the value 1, so that eta is the coefficient.
Prediction predict_at(const std::string& family, double eta) {
  static const std::vector<double> one = {1};
  Fit fit;
  fit.family = family;
  fit.features = {"a"};
  fit.coefficients = {eta};
  return predict(fit, DenseDesign(ConstMatrixView(one.data(), 1, 1)));
}

TEST(LinearPredictor, IsInterceptPlusProductPlusOffset) {
  const std::vector<double> offset = {10, 20};
  EXPECT_THAT(linear_predictor(example_fit(), two_row_design()), ElementsAre(-0.5, -3.5));
  EXPECT_THAT(linear_predictor(example_fit(), two_row_design(), offset), ElementsAre(9.5, 16.5));
}

TEST(LinearPredictor, IsTheInterceptForAnEmptyModel) {
  Fit fit = example_fit();
  fit.coefficients = {0, 0, 0};
  EXPECT_THAT(linear_predictor(fit, two_row_design()), ElementsAre(0.5, 0.5));
}

TEST(LinearPredictor, RefusesAWrongNumberOfColumns) {
  Fit fit = example_fit();
  fit.features.push_back("d");
  fit.coefficients.push_back(1);
  EXPECT_THROW(linear_predictor(fit, two_row_design()), InvalidInput);
}

TEST(LinearPredictor, RefusesAnOffsetOfAnotherLength) {
  const std::vector<double> offset = {1, 2, 3};
  EXPECT_THROW(linear_predictor(example_fit(), two_row_design(), offset), InvalidInput);
}

// Means of the training data are 10 for the first feature and -0.5 for the third.
TEST(PredictGaussian, AddsNoiseAndCoefficientUncertaintyAboutTheMeans) {
  const Prediction prediction = predict(example_fit(), two_row_design());
  const double first = std::sqrt(4.0 + 0.25 * 81 + 0.0625 * 12.25);
  const double second = std::sqrt(4.0 + 0.25 * 100 + 0.0625 * 20.25);
  EXPECT_THAT(prediction.mean, ElementsAre(-0.5, -3.5));
  EXPECT_THAT(prediction.sd, Pointwise(DoubleNear(rounding), {first, second}));
  EXPECT_NEAR(prediction.upper[0] - prediction.mean[0], 1.959963984540054 * first, rounding);
  EXPECT_NEAR(prediction.mean[0] - prediction.lower[0], 1.959963984540054 * first, rounding);
}

TEST(PredictGaussian, WithoutAnInterceptOrKnownMeansUncertaintyIsAboutZero) {
  const double first = std::sqrt(4.0 + 0.25 * 1 + 0.0625 * 9);
  Fit fit = example_fit();
  fit.options["intercept"] = false;
  EXPECT_NEAR(predict(fit, two_row_design()).sd[0], first, rounding);
  fit = example_fit();
  fit.feature_means.clear();
  EXPECT_NEAR(predict(fit, two_row_design()).sd[0], first, rounding);
}

TEST(PredictGaussian, CountsOnlyWhatIsKnown) {
  Fit fit = example_fit();
  fit.feature_means = {0, 0, 0};
  fit.noise_variance.reset();
  EXPECT_NEAR(predict(fit, two_row_design()).sd[1], 1.0, rounding);
  fit.standard_deviations.clear();
  EXPECT_THAT(predict(fit, two_row_design()).sd, ElementsAre(0, 0));
}

TEST(PredictGaussian, IsTheSameOnSparseColumns) {
  const SparseDesign sparse({2, 3, {0, 1, 3, 5}, {0, 0, 1, 0, 1}, {1, 2, -1, 3, 4}});
  const Prediction expected = predict(example_fit(), two_row_design());
  const Prediction prediction = predict(example_fit(), sparse);
  EXPECT_THAT(prediction.mean, Pointwise(DoubleNear(rounding), expected.mean));
  EXPECT_THAT(prediction.sd, Pointwise(DoubleNear(rounding), expected.sd));
}

TEST(PredictBernoulli, GivesProbabilitiesAndNoInterval) {
  const Prediction prediction = predict_at("bernoulli", std::log(3.0));
  EXPECT_NEAR(prediction.mean[0], 0.75, rounding);
  EXPECT_THAT(prediction.sd, IsEmpty());
  EXPECT_THAT(prediction.lower, IsEmpty());
}

TEST(PredictBernoulli, NeverOverflows) {
  EXPECT_EQ(predict_at("bernoulli", 1e4).mean[0], 1);
  EXPECT_EQ(predict_at("bernoulli", -1e4).mean[0], 0);
}

TEST(PredictPoisson, GivesTheQuantilesOfThePoisson) {
  // R: qpois(c(.025, .975), c(3, 3, 10, 10)) is 0 7, 4 17; for .01 it is 0 0.
  const Prediction three = predict_at("poisson", std::log(3.0));
  EXPECT_NEAR(three.mean[0], 3, rounding);
  EXPECT_THAT(three.lower, ElementsAre(0));
  EXPECT_THAT(three.upper, ElementsAre(7));
  const Prediction ten = predict_at("poisson", std::log(10.0));
  EXPECT_THAT(ten.lower, ElementsAre(4));
  EXPECT_THAT(ten.upper, ElementsAre(17));
  EXPECT_THAT(predict_at("poisson", std::log(0.01)).upper, ElementsAre(0));
}

TEST(PredictPoisson, SurvivesRatesOfAnySize) {
  // R: qpois(.975, 2e6) is 2002772.
  EXPECT_NEAR(predict_at("poisson", std::log(2e6)).upper[0], 2002772, 2);
  EXPECT_EQ(predict_at("poisson", -1e4).upper[0], 0);
  EXPECT_EQ(predict_at("poisson", -700).upper[0], 0);
  EXPECT_TRUE(std::isinf(predict_at("poisson", 1e4).mean[0]));
}

TEST(Predict, RefusesAFamilyItDoesNotKnow) { EXPECT_THROW(predict_at("gamma", 1), InvalidInput); }

}  // namespace
}  // namespace tamis
