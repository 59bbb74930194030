// What every Family promises. A new family is tested by being in families().
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// Responses that a family allows, found by asking it.
std::vector<double> allowed_responses(const Family& family) {
  std::vector<double> allowed;
  for (const double y : {0.0, 1.0, 2.0, 7.0, 30.0, -1.5, 0.25}) {
    if (family.complaint(y).empty()) allowed.push_back(y);
  }
  return allowed;
}

// Of letters and digits, as googletest wants it.
std::string name_of_test(const Family& family) {
  std::string name(family.name());
  std::erase(name, '-');
  return name;
}

class FamilyContract : public testing::TestWithParam<const Family*> {
 protected:
  const Family& family() const { return *GetParam(); }
  std::vector<double> responses() const { return allowed_responses(family()); }
  // Two different ones: 0 and 1 where they are allowed.
  double low() const { return responses().at(0); }
  double high() const { return responses().at(1); }
  double residual(double y, double eta) const { return derivatives(y, eta).first; }
  double curvature(double y, double eta) const { return derivatives(y, eta).second; }

  // The quadratic view of one observation: its height at eta.
  struct Quadratic {
    double constant, weight, working;
    double operator()(double eta) const { return constant - 0.5 * weight * (working - eta) * (working - eta); }
  };
  Quadratic quadratic(double y, double mean, double variance) const {
    Quadratic view{};
    view.constant = family().quadratic(std::span(&y, 1), std::span(&mean, 1), std::span(&variance, 1),
                                       std::span(&view.weight, 1), std::span(&view.working, 1));
    return view;
  }

 private:
  std::pair<double, double> derivatives(double y, double eta) const {
    double r = 0, c = 0;
    family().derivatives(std::span(&y, 1), std::span(&eta, 1), std::span(&r, 1), std::span(&c, 1));
    return {r, c};
  }
};

const std::vector<double> predictors = {-6.0, -2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 2.2, 5.0};

TEST_P(FamilyContract, AllowsSomeResponses) { EXPECT_GE(responses().size(), 2u); }

TEST_P(FamilyContract, DerivativesAgreeWithDifferences) {
  const double h = 1e-5;
  const double tolerance = 1e-8;  // h^2 of the central difference, times third derivatives of at most 150
  for (const double y : responses()) {
    for (const double eta : predictors) {
      const double scale = 1 + std::abs(y) + family().mean(std::abs(eta));
      const double slope = (family().loss(y, eta + h) - family().loss(y, eta - h)) / (2 * h);
      EXPECT_NEAR(residual(y, eta), -slope, tolerance * scale) << "y " << y << " eta " << eta;
      const double bend = (residual(y, eta - h) - residual(y, eta + h)) / (2 * h);
      EXPECT_NEAR(curvature(y, eta), bend, tolerance * scale) << "y " << y << " eta " << eta;
    }
  }
}

TEST_P(FamilyContract, CurvatureIsNeverNegative) {
  for (const double y : responses()) {
    for (const double eta : {-800.0, -40.0, -1.0, 0.0, 1.0, 40.0, 800.0}) EXPECT_GE(curvature(y, eta), 0);
  }
}

TEST_P(FamilyContract, ManyDerivativesEqualEachAlone) {
  const std::vector<double> y(predictors.size(), 1.0);
  std::vector<double> residuals(y.size()), curvatures(y.size());
  family().derivatives(y, predictors, residuals, curvatures);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_DOUBLE_EQ(residuals[i], residual(1.0, predictors[i]));
    EXPECT_DOUBLE_EQ(curvatures[i], curvature(1.0, predictors[i]));
  }
}

TEST_P(FamilyContract, LossIsTheNegativeLogDensityUpToAConstantOfY) {
  for (const double y : responses()) {
    const double constant = family().log_density(y, 0) + family().loss(y, 0);
    for (const double eta : predictors) {
      EXPECT_NEAR(family().log_density(y, eta), constant - family().loss(y, eta),
                  1e-12 * (1 + family().loss(y, eta) * 2 + std::abs(constant) + y * y));
    }
  }
}

TEST_P(FamilyContract, TotalLossIsTheWeightedSumAcrossBlocks) {
  const std::size_t n = 1300;  // more than two of any reasonable block
  std::vector<double> y(n), eta(n), weights(n);
  double expected = 0, unweighted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = i % 2 == 0 ? low() : high();
    eta[i] = std::sin(static_cast<double>(i));
    weights[i] = static_cast<double>(i % 5);
    expected += weights[i] * family().loss(y[i], eta[i]);
    unweighted += family().loss(y[i], eta[i]);
  }
  EXPECT_NEAR(family().total_loss(y, eta, weights), expected, 1e-12 * expected);
  EXPECT_NEAR(family().total_loss(y, eta, {}), unweighted, 1e-12 * unweighted);
}

TEST_P(FamilyContract, QuadraticTouchesTheDensityAtAPoint) {
  for (const double y : responses()) {
    for (const double eta : predictors) {
      const Quadratic view = quadratic(y, eta, 0);
      const double density = family().log_density(y, eta);
      EXPECT_NEAR(view(eta), density, 1e-10 * (1 + std::abs(view.constant))) << "y " << y << " eta " << eta;
      EXPECT_NEAR(view.weight * (view.working - eta), residual(y, eta),
                  1e-10 * (1 + std::abs(y) + family().mean(std::abs(eta))));
      EXPECT_GT(view.weight, 0);
    }
  }
}

TEST_P(FamilyContract, IsDeclaredABoundExactlyWhenItLiesBelowTheDensityEverywhere) {
  double highest = -std::numeric_limits<double>::infinity();  // above the density, relative to its size
  for (const double y : responses()) {
    for (const double variance : {0.0, 0.5, 9.0}) {
      for (const double mean : predictors) {
        const Quadratic view = quadratic(y, mean, variance);
        for (double eta = -30; eta <= 30; eta += 0.25) {
          const double density = family().log_density(y, eta);
          highest = std::max(highest, (view(eta) - density) / (1 + std::abs(density)));
        }
      }
    }
  }
  const double rounding = 1e-11;
  EXPECT_EQ(family().quadratic_is_bound(), highest <= rounding) << "above the density by " << highest;
}

// The mean of f over N(mean, variance) by the trapezoidal rule, which converges geometrically here.
template <class Function>
double gaussian_mean(const Function& f, double mean, double variance) {
  const double step = 0.01, sd = std::sqrt(variance);
  double sum = 0;
  for (double z = -10; z <= 10; z += step) sum += std::exp(-0.5 * z * z) * f(mean + sd * z);
  return sum * step / std::sqrt(2 * 3.14159265358979323846);
}

TEST_P(FamilyContract, TheConstantServesTheMeanOverTheUncertainPredictor) {
  for (const double y : responses()) {
    for (const double mean : {-1.0, 0.0, 1.5}) {
      const double variance = 0.04;
      const Quadratic view = quadratic(y, mean, variance);
      const double deviation = view.working - mean;
      const double claimed = view.constant - 0.5 * view.weight * (deviation * deviation + variance);
      const double truth = gaussian_mean([&](double eta) { return family().log_density(y, eta); }, mean, variance);
      EXPECT_TRUE(!family().quadratic_is_bound() || claimed <= truth + 1e-9);
      // Third-order remainder: variance^(3/2) of the curvature's own change.
      EXPECT_NEAR(claimed, truth, 0.01 * (1 + family().mean(std::abs(mean))));
    }
  }
}

TEST_P(FamilyContract, AnEmptyVarianceMeansZero) {
  const std::vector<double> y = {low(), high()}, mean = {0.3, -2}, zero = {0, 0};
  std::vector<double> weights(2), working(2), weights_too(2), working_too(2);
  const double constant = family().quadratic(y, mean, zero, weights, working);
  EXPECT_EQ(family().quadratic(y, mean, {}, weights_too, working_too), constant);
  EXPECT_EQ(weights, weights_too);
  EXPECT_EQ(working, working_too);
}

TEST_P(FamilyContract, ConjugateIsAttainedWhereTheResidualIs) {
  for (const double y : responses()) {
    for (const double eta : predictors) {
      // Fenchel-Young holds with equality at the derivative.
      const double r = residual(y, eta);
      const double attained = -r * eta - family().loss(y, eta);
      EXPECT_NEAR(family().conjugate(y, r), attained, 1e-9 * (1 + std::abs(attained) + std::abs(r * eta)));
    }
  }
}

TEST_P(FamilyContract, ConjugateIsAboveEveryTangent) {
  for (const double y : responses()) {
    for (const double at : predictors) {
      const double r = residual(y, at);
      double best = -std::numeric_limits<double>::infinity();
      for (double eta = -40; eta <= 40; eta += 0.001) best = std::max(best, -r * eta - family().loss(y, eta));
      // A grid of step h misses the maximum by at most curvature h^2 / 8.
      EXPECT_NEAR(family().conjugate(y, r), best, 1e-6 * (1 + curvature(y, at)));
    }
  }
}

TEST_P(FamilyContract, LinkIsTheInverseOfTheMean) {
  for (const double eta : predictors) EXPECT_NEAR(family().link(family().mean(eta)), eta, 1e-10);
}

TEST_P(FamilyContract, TheResidualVanishesAtTheMean) {
  for (const double y : responses()) {
    const double eta = family().link(y);
    if (!std::isfinite(eta)) continue;  // y on the edge: approached, not reached
    EXPECT_NEAR(residual(y, eta), 0, 1e-12 * (1 + std::abs(y)));
  }
}

TEST_P(FamilyContract, DevianceIsTwiceTheGapToTheSaturatedFit) {
  for (const double y : responses()) {
    const double saturated_predictor = std::min(std::max(family().link(y), -800.0), 800.0);
    EXPECT_NEAR(family().deviance(y, saturated_predictor), 0, 1e-12);
    for (const double eta : predictors) {
      EXPECT_GE(family().deviance(y, eta), 0);
      const double gap = family().log_density(y, saturated_predictor) - family().log_density(y, eta);
      EXPECT_NEAR(family().deviance(y, eta), 2 * gap,
                  1e-11 * (1 + std::abs(family().log_density(y, eta)) + std::abs(y)));
    }
  }
}

TEST_P(FamilyContract, ExtremePredictorsStayFinite) {
  for (const double y : responses()) {
    for (const double eta : {-1e4, -800.0, -301.0, 301.0, 800.0, 1e4}) {
      EXPECT_TRUE(std::isfinite(family().loss(y, eta)));
      EXPECT_TRUE(std::isfinite(family().log_density(y, eta)));
      EXPECT_TRUE(std::isfinite(family().deviance(y, eta)));
      EXPECT_TRUE(std::isfinite(family().mean(eta)));
      EXPECT_TRUE(std::isfinite(residual(y, eta)));
      EXPECT_TRUE(std::isfinite(curvature(y, eta)));
      const Quadratic view = quadratic(y, eta, 1);
      EXPECT_TRUE(std::isfinite(view.constant));
      EXPECT_TRUE(std::isfinite(view.weight));
      EXPECT_TRUE(std::isfinite(view.working));
    }
  }
}

TEST_P(FamilyContract, ExtremeLossIsConvex) {
  for (const double y : responses()) {
    for (const double eta : {-800.0, -301.0, 299.5, 300.0, 300.5, 800.0}) {
      const double chord = 0.5 * family().loss(y, eta - 1) + 0.5 * family().loss(y, eta + 1);
      EXPECT_LE(family().loss(y, eta), chord * (1 + 1e-12) + 1e-12);
    }
  }
}

TEST_P(FamilyContract, RefusesANumberThatIsNone) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    try {
      family().check(std::vector<double>{low(), high(), bad}, {});
      FAIL() << "accepted " << bad;
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("response: row 3 is"));
    }
  }
}

TEST_P(FamilyContract, RefusesNoRowsAndNoWeight) {
  EXPECT_THROW(family().check({}, {}), InvalidInput);
  const std::vector<double> y = {low(), high()};
  EXPECT_NO_THROW(family().check(y, std::vector<double>{1, 2}));
  EXPECT_THROW(family().check(y, std::vector<double>{0, 0}), InvalidInput);
  EXPECT_THROW(family().check(y, std::vector<double>{1}), InvalidInput);
}

TEST_P(FamilyContract, TotalLogDensityIsTheWeightedSum) {
  const std::vector<double> y = {low(), high(), high(), low()}, eta = {-2, 0.5, 3, 0}, weights = {1, 0, 2.5, 0.25};
  double expected = 0, unweighted = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    expected += weights[i] * family().log_density(y[i], eta[i]);
    unweighted += family().log_density(y[i], eta[i]);
  }
  EXPECT_NEAR(family().total_log_density(y, eta, weights), expected, 1e-13 * std::abs(expected));
  EXPECT_NEAR(family().total_log_density(y, eta, {}), unweighted, 1e-13 * std::abs(unweighted));
}

TEST_P(FamilyContract, PredictionsShowTheMean) {
  for (const double eta : predictors) {
    EXPECT_NEAR(family().predicted_mean(eta), family().mean(eta), 1e-14 * (1 + std::abs(family().mean(eta))));
  }
}

TEST_P(FamilyContract, ComplainsOfOneValueExactlyWhereTheCheckOfAResponseDoes) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double y :
       {0.0, 1.0, 2.0, 7.0, 30.0, 1e15, -1.0, -1.5, 0.25, 1e-3, 1.5, std::nan(""), infinity, -infinity}) {
    bool refused = false;
    try {
      family().check(std::vector<double>{y, low(), high()}, {});
    } catch (const InvalidInput&) {
      refused = true;
    }
    EXPECT_EQ(!family().complaint(y).empty(), refused) << y;
  }
}

TEST_P(FamilyContract, ResemblesOnlyResponsesThatItAllows) {
  const std::vector<std::vector<double>> responses = {{0, 1, 1},  {0, 1, 2},       {0, 3, 5, 0, 1}, {-1, 1, 1},
                                                      {0.5, 1.5}, {1, 2, 3, 4, 5}, {-2.5, 0, 1e6}};
  for (const std::vector<double>& y : responses) {
    const double resemblance = family().resemblance(y);
    EXPECT_GE(resemblance, 0);
    EXPECT_LE(resemblance, 1);
    if (resemblance > 0) {
      EXPECT_NO_THROW(family().check(y, {}));
    }
  }
}

TEST_P(FamilyContract, EveryResponseThatAFamilyAllowsIsGuessedToBeOfOneThatAllowsIt) {
  const std::vector<double> y = responses();
  if (y.size() > 1) {
    EXPECT_NO_THROW(tamis::family(guess_family(y)).check(y, {}));
  }
}

TEST_P(FamilyContract, TraitsAgreeWithTheLoss) {
  const Family::Traits& traits = family().traits();
  if (traits.quadratic_loss) {
    EXPECT_TRUE(traits.quadratic_is_bound);
    for (const double eta : predictors) EXPECT_EQ(curvature(1, eta), curvature(0, 0));
  }
  if (traits.row_information > 0) {
    EXPECT_NEAR(traits.row_information, curvature(1, 0), 1e-15);
  }
  if (traits.response == Family::Response::binary) {
    EXPECT_THAT(responses(), testing::ElementsAre(0, 1));
  }
  if (traits.response == Family::Response::count) {
    EXPECT_THAT(responses(), testing::Each(testing::Truly([](double y) { return y >= 0 && y == std::floor(y); })));
  }
}

TEST_P(FamilyContract, HasWordsForItsErrors) {
  const Family::Words words = family().words();
  for (const std::string_view word :
       {words.validation_error, words.error, words.error_label, words.error_column, words.error_name}) {
    EXPECT_FALSE(word.empty());
  }
}

TEST_P(FamilyContract, IsFoundByItsName) { EXPECT_EQ(&tamis::family(family().name()), &family()); }

INSTANTIATE_TEST_SUITE_P(All, FamilyContract, testing::ValuesIn(families()),
                         [](const auto& info) { return name_of_test(*info.param); });

}  // namespace
}  // namespace tamis
