#include "tamis/report/comparison_text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Two methods, two folds; a third that failed.
Comparison example() {
  Comparison comparison;
  comparison.family = "gaussian";
  comparison.error_name = "RMSE";
  comparison.target = "y";
  comparison.samples = 20;
  comparison.features = {"first", "second", "third", "fourth"};
  comparison.folds = comparison.finished_folds = 2;
  comparison.fold_of_row.assign(20, 0);
  comparison.baseline_error = FoldMean{3, 0.1};
  for (const char* name : {"lasso", "vg", "exact"}) comparison.methods.emplace_back().method = name;
  for (std::size_t m = 0; m < 2; ++m) {
    ComparedMethod& method = comparison.methods[m];
    method.fit.emplace();
    method.fit->features = comparison.features;
    method.fit->coefficients = {1, -2, 0, 0};
    method.kept = m == 0 ? std::vector<Index>{0, 1} : std::vector<Index>{1};
    method.folds.resize(2);
    for (FoldResult& fold : method.folds) fold.kept = {1};
    method.judged = 2;
    method.error = FoldMean{m == 0 ? 1.5 : 1.25, 0.1};
    method.excess = FoldMean{m == 0 ? 0.25 : 0, m == 0 ? 0.05 : 0};
    method.log_score = FoldMean{-1.75, 0.02};
    method.coverage = FoldMean{0.9, 0.02};
    method.kept_count = FoldMean{1, 0};
    method.stability = 1.0;
  }
  comparison.methods[0].folds[0].status = Status::iteration_limit;
  comparison.methods[2].failure = "too many features";
  comparison.methods[2].folds.resize(2);
  for (FoldResult& fold : comparison.methods[2].folds) fold.failure = "too many features";
  comparison.best = 1;
  comparison.agreement = Matrix(3, 3);
  comparison.agreement(0, 0) = comparison.agreement(1, 1) = 1;
  comparison.agreement(0, 1) = comparison.agreement(1, 0) = 0.5;
  for (Index k = 0; k < 3; ++k) comparison.agreement(k, 2) = comparison.agreement(2, k) = std::nan("");
  comparison.left_out = {{"gibbs", "it is slow"}};
  return comparison;
}

TEST(ComparisonText, TheBestMethodIsFirstAndSaid) {
  const std::string text = text_report(example());
  EXPECT_LT(text.find("\nvg"), text.find("\nlasso"));
  EXPECT_LT(text.find("\nlasso"), text.find("\nexact"));
  EXPECT_THAT(text, HasSubstr("vg has the least RMSE: 1.25 +- 0.1, clearly less than every other."));
  EXPECT_THAT(text, HasSubstr("Without any feature it is 3."));
}

TEST(ComparisonText, AMethodWithinTwoStandardErrorsIsNotCalledWorse) {
  Comparison comparison = example();
  comparison.methods[0].excess = FoldMean{0.25, 0.2};
  EXPECT_THAT(text_report(comparison), HasSubstr("not clearly worse"));
}

TEST(ComparisonText, WarnsWhenNobodyBeatsTheModelWithoutFeatures) {
  Comparison comparison = example();
  comparison.baseline_error = FoldMean{1, 0.1};
  EXPECT_THAT(text_report(comparison), HasSubstr("no method predicts better than that"));
}

TEST(ComparisonText, SaysWhatFailedDidNotConvergeAndWasLeftOut) {
  EXPECT_THAT(text_report(example()), AllOf(HasSubstr("exact failed: too many features."),
                                            HasSubstr("lasso did not converge: iteration_limit in 1 of 3 fits."),
                                            HasSubstr("gibbs was left out: it is slow.")));
}

TEST(ComparisonText, AFeatureThatNobodyKeepsIsNotListed) {
  const std::string text = text_report(example());
  EXPECT_LT(text.find("\nsecond"), text.find("\nfirst"));  // two methods keep it
  EXPECT_THAT(text, Not(HasSubstr("third")));
  EXPECT_THAT(text_report(example(), 1), HasSubstr("and 1 more"));
}

TEST(ComparisonText, HostileNamesCannotRepaintTheScreen) {
  Comparison comparison = example();
  comparison.features[1] = "evil\x1b[2J\nname";
  comparison.target = "\x1b]0;title\a";
  EXPECT_THAT(text_report(comparison), AllOf(Not(HasSubstr("\x1b")), HasSubstr("evil\\x1b[2J\\nname")));
}

TEST(ComparisonText, CancelledIsSaid) {
  Comparison comparison = example();
  comparison.cancelled = true;
  comparison.folds = 10;
  EXPECT_THAT(text_report(comparison), HasSubstr("Cancelled after 2 of 10 folds"));
}

TEST(ComparisonJson, HoldsScoresFoldsAndWhoKeepsWhat) {
  const Json json = Json::parse(to_json(example()));
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
