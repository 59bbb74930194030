#include "search/cv_score.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace tamis {
namespace {

TEST(CvScore, OfFoldsIsTheirMeanAndItsStandardError) {
  const CvScore j = score_folds(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(j.mean, 3);
  EXPECT_DOUBLE_EQ(j.standard_error, std::sqrt(3.5 / 3));  // mean square 3.5 over 4 - 1
}

TEST(CvScore, SurvivesErrorsWhoseSquaresOverflowOrVanish) {
  for (const double unit : {1e200, 1e-200}) {
    const CvScore j = score_folds(std::vector<double>{unit, 2 * unit, 3 * unit, 6 * unit});
    EXPECT_NEAR(j.mean / unit, 3, 1e-14);
    EXPECT_NEAR(j.standard_error / unit, std::sqrt(3.5 / 3), 1e-14);
  }
  EXPECT_EQ(score_folds(std::vector<double>{0, 0}).standard_error, 0);
}

TEST(CvScore, OfRowsWeighsThemAndLeavesOutWeightZero) {
  const Family& gaussian = family("gaussian");
  const std::vector<double> y = {1, 2, 1e300}, weights = {1, 3, 0}, offset = {0, 1, 0}, eta = {0, 0, 0};
  const CvScore j = score_rows(gaussian, {.y = y, .weights = weights, .offset = offset}, eta);
  EXPECT_DOUBLE_EQ(j.mean, 1);  // errors 1 and (2 - 1)^2
  EXPECT_DOUBLE_EQ(j.standard_error, 0);
}

const std::vector<CvScore> curve = {{5, 1}, {3.4, 1}, {3, 0.5}, {3.02, 0.5}, {4, 1}};

TEST(ChoosePoint, TakesTheLeastErrorOrTheFirstWithinItsStandardErrors) {
  EXPECT_EQ(choose_by_rule(curve, 0), 2);
  EXPECT_EQ(choose_by_rule(curve, 1), 1);
  EXPECT_EQ(choose_by_rule(curve, 0.05), 2);
  EXPECT_EQ(choose_by_rule(std::vector<CvScore>{{1, 0}}, 1), 0);
}

TEST(ChoosePoint, APredictionThatOverflowedIsAsBadAsCanBe) {
  constexpr double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(choose_by_rule(std::vector<CvScore>{{nan, nan}, {infinite, nan}, {2, nan}, {3, 0}}, 1), 2);
  EXPECT_EQ(choose_by_rule(std::vector<CvScore>{{nan, nan}, {infinite, nan}}, 1), 0);
}

TEST(CvScore, APointIsAsGoodAsTheBestWhenTheFoldsCannotTellThem) {
  const std::vector<double> best{1.0, 2.0, 3.0, 4.0};
  const std::vector<double> worse_everywhere{1.1, 2.1, 3.1, 4.1};  // by little, but in every fold
  const std::vector<double> worse_by_chance{1.3, 1.8, 2.8, 4.2};   // by more in one fold, less in others
  EXPECT_EQ(simplest_within_tie(std::vector{worse_everywhere, best}, 1), 1);
  EXPECT_EQ(simplest_within_tie(std::vector{worse_by_chance, best}, 1), 0);
  EXPECT_EQ(simplest_within_tie(std::vector{worse_everywhere, worse_by_chance, best, best}, 2), 1);
  EXPECT_EQ(simplest_within_tie(std::vector{best, best}, 0), 0);
}

TEST(ClearlyPastTheMinimum, WaitsForTenPointsAndForTheFoldsToAgree) {
  std::vector<std::vector<double>> errors = {{1, 1, 1}};
  for (int k = 0; k < 9; ++k) errors.push_back({2, 2.1, 1.9});
  EXPECT_FALSE(past_minimum(errors));
  errors.push_back({2, 2.1, 1.9});
  EXPECT_TRUE(past_minimum(errors));
  errors.push_back({1.5, 0.9, 1.2});  // one fold disagrees
  EXPECT_FALSE(past_minimum(errors));
  EXPECT_FALSE(past_minimum({}));
}

TEST(HowChosen, NamesTheRuleAndTheData) {
  EXPECT_EQ(how_chosen({3.5, 0.25}, true, 10),
            "one-standard-error rule, 10-fold cross-validation error 3.5, standard error 0.25");
  EXPECT_EQ(how_chosen({3.5, 0.25}, false, 0), "minimum validation error 3.5, standard error 0.25");
}

}  // namespace
}  // namespace tamis
