#include "tamis/report/comparison_text.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "unit/report/example_comparison.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ComparisonText, TheBestMethodIsFirstAndSaid) {
  const std::string text = text_report(example_comparison());
  EXPECT_LT(text.find("\nvg"), text.find("\nlasso"));
  EXPECT_LT(text.find("\nlasso"), text.find("\nexact"));
  EXPECT_THAT(text, HasSubstr("vg has the lowest RMSE: 1.25 (standard error 0.1); all others are worse by more than "
                              "two standard\nerrors of the paired difference."));
  EXPECT_THAT(text, HasSubstr("The null model without features has RMSE 3."));
}

TEST(ComparisonText, AMethodWithinTwoStandardErrorsIsNotCalledWorse) {
  Comparison comparison = example_comparison();
  comparison.methods[0].excess = FoldMean{0.25, 0.2};
  EXPECT_THAT(text_report(comparison), HasSubstr("within two standard errors of the paired\ndifference: lasso."));
}

TEST(ComparisonText, WarnsWhenNobodyBeatsTheModelWithoutFeatures) {
  Comparison comparison = example_comparison();
  comparison.baseline_error = FoldMean{1, 0.1};
  EXPECT_THAT(text_report(comparison), HasSubstr("no method predicts better"));
}

TEST(ComparisonText, AsksForALeakWhenTheErrorIsTooGood) {
  Comparison comparison = example_comparison();
  comparison.baseline_error = FoldMean{100, 0.1};
  EXPECT_THAT(text_report(comparison),
              HasSubstr("suggests leakage: check\nwhether a column was derived from the target."));
}

TEST(ComparisonText, SaysWhatFailedDidNotConvergeAndWasLeftOut) {
  EXPECT_THAT(text_report(example_comparison()),
              AllOf(HasSubstr("exact failed: too many features."),
                    HasSubstr("lasso did not converge: iteration_limit in 1 of 3 fits."),
                    HasSubstr("gibbs was skipped: it is slow.")));
}

TEST(ComparisonText, AFeatureThatNobodyKeepsIsNotListed) {
  const std::string text = text_report(example_comparison());
  EXPECT_LT(text.find("\nsecond"), text.find("\nfirst"));  // two methods keep it
  EXPECT_THAT(text, Not(HasSubstr("third")));
  EXPECT_THAT(text_report(example_comparison(), 1), HasSubstr("and 1 more"));
}

TEST(ComparisonText, HostileNamesCannotRepaintTheScreen) {
  Comparison comparison = example_comparison();
  comparison.features[1] = "evil\x1b[2J\nname";
  comparison.target = "\x1b]0;title\a";
  EXPECT_THAT(text_report(comparison), AllOf(Not(HasSubstr("\x1b")), HasSubstr("evil\\x1b[2J\\nname")));
}

TEST(ComparisonText, CancelledIsSaid) {
  Comparison comparison = example_comparison();
  comparison.cancelled = true;
  comparison.folds = 10;
  EXPECT_THAT(text_report(comparison), HasSubstr("Cancelled after 2 of 10 folds"));
}

TEST(ComparisonJson, HoldsScoresFoldsAndWhoKeepsWhat) {
  const Json json = Json::parse(to_json(example_comparison()));
  EXPECT_EQ(json["schema"], "tamis.comparison/1");
  EXPECT_EQ(json["best"], "vg");
  EXPECT_EQ(json["methods"][0]["error"]["mean"], 1.5);
  EXPECT_EQ(json["methods"][0]["folds"][0]["kept"], Json::array({"second"}));
  EXPECT_EQ(json["methods"][2]["failure"], "too many features");
  EXPECT_EQ(json["methods"][2]["error"], nullptr);
  EXPECT_EQ(json["agreement"]["lasso"]["vg"], 0.5);
  EXPECT_EQ(json["agreement"]["lasso"]["exact"], nullptr);
  ASSERT_EQ(json["selected"].size(), 2);
  EXPECT_EQ(json["selected"][0]["feature"], "first");
  EXPECT_EQ(json["selected"][0]["methods"]["lasso"]["kept"], true);
  EXPECT_EQ(json["selected"][0]["methods"]["vg"]["kept"], false);
  EXPECT_EQ(json["selected"][1]["methods"]["vg"]["folds"], 2);
  EXPECT_EQ(json["status"], "done");
}

}  // namespace
}  // namespace tamis
