#include <gmock/gmock.h>

#include <cmath>

#include "example_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Index> features_of(const std::vector<Selected>& chosen) {
  std::vector<Index> features;
  for (const Selected& s : chosen) features.push_back(s.feature);
  return features;
}

Fit fit_with(std::vector<double> inclusion, std::vector<double> coefficients) {
  Fit fit;
  fit.method = "sieve";
  fit.features.resize(coefficients.size());
  fit.inclusion = std::move(inclusion);
  fit.coefficients = std::move(coefficients);
  return fit;
}

TEST(SelectByThreshold, KeepsProbableFeaturesStrongestFirst) {
  const Fit fit = fit_with({0.6, 0.2, 0.9, 0.5}, {1, 9, 1, 1});
  EXPECT_THAT(features_of(select_by_threshold(fit, 0.5)), ElementsAre(2, 0, 3));
}

TEST(SelectByThreshold, KeepsNonzeroCoefficientsOfAMethodWithoutInclusion) {
  const std::vector<Selected> chosen = select_by_threshold(fit_with({}, {0, -3, 1}), 0.5);
  EXPECT_THAT(features_of(chosen), ElementsAre(1, 2));
  EXPECT_EQ(chosen[0].inclusion, 1);
  EXPECT_EQ(chosen[0].coefficient, -3);
}

TEST(SelectByThreshold, NeverKeepsAPrunedFeature) {
  EXPECT_THAT(features_of(select_by_threshold(fit_with({0.0, 0.1}, {0, 1}), 0.0)), ElementsAre(1));
}

TEST(SelectByThreshold, RefusesWhatIsNoProbability) {
  EXPECT_THROW(select_by_threshold(example_fit(), 1.5), InvalidOption);
  EXPECT_THROW(select_by_threshold(example_fit(), std::nan("")), InvalidOption);
}

TEST(SelectByFdr, TakesTheLargestSetWithinTheRate) {
  // Running means of 1 - inclusion: 0, 0.05, 0.1, 0.3.
  const Fit fit = fit_with({0.8, 1.0, 0.1, 0.9}, {1, 1, 1, 1});
  EXPECT_THAT(features_of(select_by_fdr(fit, 0.06)), ElementsAre(1, 3));
  EXPECT_THAT(features_of(select_by_fdr(fit, 0.11)), ElementsAre(1, 3, 0));
  EXPECT_THAT(features_of(select_by_fdr(fit, 1.0)), ElementsAre(1, 3, 0, 2));
}

TEST(SelectByFdr, MayFindNothing) { EXPECT_THAT(select_by_fdr(fit_with({0.5, 0.4}, {1, 1}), 0.05), IsEmpty()); }

TEST(SelectByFdr, RefusesAMethodWithoutInclusionAndSaysWhatToDo) {
  try {
    select_by_fdr(fit_with({}, {1, 2}), 0.05);
    FAIL() << "expected InvalidOption";
  } catch (const InvalidOption& error) {
    EXPECT_THAT(error.what(), HasSubstr("'sieve' has no inclusion probabilities"));
    EXPECT_THAT(error.what(), HasSubstr("--top"));
  }
}

TEST(SelectTop, BreaksTiesOfInclusionBySizeOfCoefficient) {
  const Fit fit = fit_with({1.0, 1.0, 0.5}, {1, -2, 100});
  EXPECT_THAT(features_of(select_top(fit, 2)), ElementsAre(1, 0));
}

TEST(SelectTop, ComparesCoefficientsInUnitsOfSpreadWhenKnown) {
  Fit fit = fit_with({}, {10, 1});
  EXPECT_THAT(features_of(select_top(fit, 1)), ElementsAre(0));
  fit.feature_spreads = {0.01, 1.0};
  EXPECT_THAT(features_of(select_top(fit, 1)), ElementsAre(1));
}

TEST(SelectTop, GivesFewerWhenFewerAreInTheModel) {
  EXPECT_THAT(features_of(select_top(fit_with({}, {0, 5, 0}), 3)), ElementsAre(1));
}

TEST(SelectTop, RefusesANegativeNumber) { EXPECT_THROW(select_top(example_fit(), -1), InvalidOption); }

}  // namespace
}  // namespace tamis
