// What is said of how certain a selection is: in the terminal, on the page of a model, and side by side.
#include <gmock/gmock.h>

#include <algorithm>

#include "example_comparison.hpp"
#include "example_models.hpp"
#include "report/certainty_words.hpp"
#include "report/fit_sentences.hpp"
#include "report/member_groups.hpp"
#include "report/set_groups.hpp"
#include "tamis/base/error.hpp"
#include "tamis/report/comparison_page.hpp"
#include "tamis/report/report.hpp"
#include "tamis/report/text.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string all_words(const std::vector<Sentence>& sentences) {
  std::string words;
  for (const Sentence& sentence : sentences) words += sentence.words + "\n";
  return words;
}

Fit fit_with_sets() {
  Fit fit = example_fit();
  fit.credible_sets = {{.features = {0}, .inclusion = {1}, .correlation = {1}, .probability = 1, .purity = 1},
                       {.features = {1, 2, 3},
                        .inclusion = {0.9, 0.2, 0.05},
                        .correlation = {1, 0.97, 0.96},
                        .probability = 0.972,
                        .purity = 0.96}};
  return fit;
}

Fit approximate_fit() {
  Fit fit = example_fit();
  fit.inclusion_kind = InclusionKind::approximate;
  return fit;
}

Fit without_inclusion() {
  Fit fit = example_fit();
  fit.method = "net";
  fit.inclusion.clear();
  fit.inclusion_kind = InclusionKind::none;
  return fit;
}

TEST(SetWords, SayWhatTheDataCannotTell) {
  const Fit fit = fit_with_sets();
  EXPECT_EQ(set_words(fit.credible_sets[0]), "This feature matters (probability 1.00).");
  EXPECT_EQ(
      set_words(fit.credible_sets[1]),
      "One of these 3 features matters (probability 0.97); the data cannot tell which: they are correlated at 0.96 "
      "or above.");
  EXPECT_EQ(
      text_of(fit, fit.credible_sets[1], 1),
      "One of these 3 features matters (probability 0.97); the data cannot tell which: they are correlated at 0.96 "
      "or above: b (0.900) and 2 others.");
  EXPECT_EQ(text_of(fit, fit.credible_sets[0]), "a matters (probability 1.00).");
}

TEST(SetWords, NeverRoundUpToCertainty) {
  CredibleSet set{
      .features = {0, 1}, .inclusion = {0.5, 0.5}, .correlation = {1, 1}, .probability = 0.998, .purity = 1};
  EXPECT_EQ(set_words(set),
            "One of these 2 features matters (probability above 0.99); the data cannot tell which: "
            "their columns are equal.");
  set.purity = 0.9999;
  EXPECT_THAT(set_words(set), HasSubstr("they are correlated at above 0.99."));
}

TEST(CredibleSetReport, IsInTheTextAndOnThePage) {
  EXPECT_THAT(text_report(fit_with_sets()),
              AllOf(HasSubstr("Credible sets"), HasSubstr("  a matters (probability"),
                    HasSubstr("  One of these 3 features matters (probability 0.97)"), HasSubstr("    b (0.900), c")));
  EXPECT_THAT(text_report(example_fit()), Not(HasSubstr("Credible")));
  const Sheet sheet = report_sheet(ReportedFit{.source = "m.json", .fit = fit_with_sets()});
  const auto section = std::ranges::find(sheet.sections, "Credible sets", &Section::title);
  ASSERT_NE(section, sheet.sections.end());
  const auto& block = std::get<MemberGroups>(section->blocks[0]);
  ASSERT_EQ(block.groups.size(), 2u);
  EXPECT_THAT(block.groups[1].names, ElementsAre("b", "c", "d"));
  EXPECT_THAT(all_words(sentences_of(fit_with_sets())), HasSubstr("One of these 3 features matters"));
}

TEST(CredibleSetReport, IsNamedWhereNoSingleFeatureIsSelected) {
  Fit fit = fit_with_sets();
  fit.credible_sets.erase(fit.credible_sets.begin());
  fit.inclusion = {0, 0.4, 0.3, 0.3, 0};
  EXPECT_EQ(headline_of(fit), "No single feature selected for y, but 1 set of features of which one matters");
  EXPECT_THAT(all_words(sentences_of(fit)), AllOf(HasSubstr("No single feature was selected; see the sets."),
                                                  HasSubstr("One of these 3 features matters")));
}

TEST(MemberGroups, AreDrawnToOneScaleAndEscaped) {
  MemberGroups groups{.groups = {{.words = "<b>", .names = {"x<1", "y"}, .shares = {0.5, 0.25}, .closeness = {1, 0.5}},
                                 {.words = "more", .names = {"z", "u"}, .shares = {1, 1}}}};
  const std::string html = member_groups_html(groups);
  EXPECT_THAT(html, AllOf(HasSubstr("&lt;b&gt;"), HasSubstr("x&lt;1: 0.500"), Not(HasSubstr("x<1")),
                          HasSubstr("class=\"depth-5\" x=\"0.00\" width=\"250.00\""),
                          HasSubstr("class=\"depth-1\" x=\"250.00\" width=\"125.00\""), HasSubstr("0.250, r 0.50")));
  EXPECT_THAT(html, HasSubstr("x=\"500.00\" width=\"500.00\""));
  groups.groups[0].shares.pop_back();
  EXPECT_THROW(member_groups_html(groups), InvalidInput);
}

TEST(MemberGroups, OfManyMembersHideMostOfThemUntilTheyAreAskedFor) {
  MemberGroup group{.words = "many"};
  for (Index k = 0; k < 50; ++k) {
    group.names.push_back("f" + std::to_string(k));
    group.shares.push_back(0.02);
  }
  const std::string html = member_groups_html({.groups = {group}});
  EXPECT_THAT(html, HasSubstr("<summary>40 more</summary>"));
  EXPECT_LT(html.find("<strong>f9</strong>"), html.find("<details>"));
  EXPECT_GT(html.find("<strong>f10</strong>"), html.find("<details>"));
}

TEST(AlternativeWords, NameWhatMayStandInForEachSelectedFeature) {
  Fit fit = example_fit();
  fit.alternatives = {{.feature = 2, .with = 0, .correlation = 0.984},
                      {.feature = 3, .with = 0, .correlation = -0.9},
                      {.feature = 4, .with = 1, .correlation = 0.999}};
  EXPECT_THAT(alternative_words(fit), ElementsAre("a: c (0.98), d (-0.90) may stand in", "b: e (0.99) may stand in"));
  EXPECT_THAT(text_report(fit), HasSubstr("  a: c (0.98), d (-0.90) may stand in"));
  EXPECT_THAT(all_words(sentences_of(fit)), HasSubstr("not selected: a: c (0.98), d (-0.90) may stand in; b: e"));
}

TEST(AlternativeWords, NameTheStrongestThree) {
  Fit fit = example_fit();
  fit.coefficients[1] = 0, fit.inclusion[1] = 0;
  for (Index j = 1; j < 5; ++j) fit.alternatives.push_back({.feature = j, .with = 0, .correlation = 0.9});
  EXPECT_THAT(alternative_words(fit), ElementsAre("a: b (0.90), c (0.90), d (0.90) and 1 more may stand in"));
}

TEST(AlternativeWords, LeaveOutWhatACredibleSetSays) {
  Fit fit = fit_with_sets();
  fit.alternatives = {{.feature = 2, .with = 1, .correlation = 0.97}, {.feature = 4, .with = 1, .correlation = 0.85}};
  EXPECT_THAT(alternative_words(fit), ElementsAre("b: e (0.85) may stand in"));
  fit.alternatives.pop_back();
  EXPECT_THAT(alternative_words(fit), IsEmpty());
}

TEST(ApproximateInclusion, IsCalledSoEverywhere) {
  const Fit fit = approximate_fit();
  EXPECT_THAT(text_report(fit), AllOf(HasSubstr("approx. inclusion"), HasSubstr("are approximate")));
  EXPECT_THAT(text_report(example_fit()), AllOf(Not(HasSubstr("approx")), HasSubstr("inclusion")));
  EXPECT_THAT(all_words(sentences_of(fit)), HasSubstr("Their approximate inclusion probabilities are 0.900 or above."));
  const Sheet sheet = report_sheet(ReportedFit{.source = "m.json", .fit = fit});
  const auto section = std::ranges::find(sheet.sections, "Features", &Section::title);
  ASSERT_NE(section, sheet.sections.end());
  EXPECT_EQ(std::get<Chart>(section->blocks[0]).panel.title, "Approximate inclusion probabilities");
  EXPECT_EQ(std::get<Listing>(section->blocks[1]).columns[1].title, "approx. inclusion");
}

TEST(ApproximateInclusion, ExplainsNothingAndExpectsNoNumberOfMistakes) {
  const Fit fit = approximate_fit();
  EXPECT_EQ(headline_of(fit), "2 of 5 features selected for y");
  EXPECT_THAT(all_words(sentences_of(fit)), Not(HasSubstr("expected number")));
  const Sheet sheet = report_sheet(ReportedFit{.source = "m.json", .fit = fit});
  for (const Fact& fact : std::get<Figures>(sheet.sections[0].blocks[1]).facts)
    EXPECT_THAT(fact.name, Not(HasSubstr("expected")));
  Fit unfinished = example_fit();
  unfinished.status = Status::iteration_limit;
  EXPECT_EQ(headline_of(unfinished), "2 of 5 features selected for y") << "a posterior that was not reached";
}

TEST(ApproximateInclusion, ComesWithAFigureWhereFeaturesCorrelate) {
  Fit fit = approximate_fit();
  EXPECT_THAT(approximate_words(fit), AllOf(HasSubstr("in simulations"), Not(HasSubstr("here"))));
  fit.alternatives = {{.feature = 2, .with = 0, .correlation = 0.9}};
  EXPECT_THAT(approximate_words(fit),
              AllOf(HasSubstr("features are correlated here: in simulations"), HasSubstr("% of those")));
}

// Held-out errors: 2 (the example), 1 and none.
std::vector<ReportedFit> three_models() {
  Fit better = approximate_fit(), unranked = without_inclusion();
  better.method = "mean-field";
  better.path[1].validation_error = 1;
  unranked.path.clear();
  return {{.source = "1.json", .fit = example_fit()},
          {.source = "2.json", .fit = unranked},
          {.source = "3.json", .fit = better}};
}

TEST(SideBySide, RanksModelsByHeldOutErrorWithItsUnit) {
  const Sheet sheet = side_by_side(three_models());
  const auto& summary = std::get<Summary>(sheet.sections[0].blocks[0]);
  EXPECT_THAT(
      all_words(summary.sentences),
      AllOf(HasSubstr("By held-out error (mean squared error, in squared units of y), best first: mean-field (1, "
                      "standard error 0.5), sieve (2, standard error 0.5)."),
            HasSubstr("Without a held-out error, and not ranked: net")));
  const auto& models = std::get<Listing>(sheet.sections[0].blocks[1]);
  EXPECT_THAT(models.order, ElementsAre(2, 0, 1));
  EXPECT_EQ(models.caption, "Errors: mean squared error, in squared units of y.");
}

TEST(SideBySide, RanksAllModelsByTheErrorOnDataThatWereGiven) {
  std::vector<ReportedFit> models = three_models();
  models[0].data_error = 3, models[1].data_error = 2, models[2].data_error = 4;
  const Sheet sheet = side_by_side(models);
  EXPECT_THAT(std::get<Listing>(sheet.sections[0].blocks[1]).order, ElementsAre(1, 0, 2));
  EXPECT_THAT(all_words(std::get<Summary>(sheet.sections[0].blocks[0]).sentences),
              AllOf(HasSubstr("By error on the data"), HasSubstr("best first: net (2), sieve (3), mean-field (4)"),
                    Not(HasSubstr("not ranked"))));
}

TEST(SideBySide, DoesNotRankModelsOfDifferentResponses) {
  std::vector<ReportedFit> models = three_models();
  models[0].fit.target = "z";
  const Sheet sheet = side_by_side(models);
  EXPECT_THAT(all_words(std::get<Summary>(sheet.sections[0].blocks[0]).sentences), HasSubstr("are not ranked"));
  EXPECT_THAT(std::get<Listing>(sheet.sections[0].blocks[1]).order, ElementsAre(0, 1, 2));
}

TEST(SideBySide, CarriesTheCautionsOfThePagesEachOnce) {
  std::vector<ReportedFit> models = three_models();
  for (ReportedFit& model : models) model.fit.samples = 2;  // two features are selected: interpolation
  const auto sheet = side_by_side(models);
  const auto& sentences = std::get<Summary>(sheet.sections[0].blocks[0]).sentences;
  const std::string words = all_words(sentences);
  EXPECT_THAT(words, HasSubstr("sieve, mean-field: With 2 features selected and 2 rows"));
  EXPECT_THAT(words, HasSubstr("mean-field: The inclusion probabilities of mean-field are approximate"));
  EXPECT_TRUE(std::ranges::is_partitioned(sentences, [](const Sentence& one) { return one.tone != Tone::caution; }));
}

TEST(ComparisonPage, CarriesTheCautionsOfTheFits) {
  Comparison comparison = example_comparison();
  Fit& second = *comparison.methods[1].fit;
  second.inclusion = {0.6, 1, 0, 0};
  second.inclusion_kind = InclusionKind::approximate;
  second.alternatives = {{.feature = 2, .with = 1, .correlation = 0.9}};
  for (Index m : {0, 1}) comparison.methods[m].fit->noise_variance = 0;
  const Page page = comparison_page(comparison);
  const auto& sentences = std::get<Summary>(page.sheets[0].sections[0].blocks[1]).sentences;
  EXPECT_THAT(
      all_words(sentences),
      AllOf(HasSubstr("vg: The inclusion probabilities of vg are approximate, and features are correlated here"),
            HasSubstr("vg: Correlated features that were not selected: second: third (0.90) may stand in."),
            HasSubstr("lasso, vg: The noise variance is zero")));
  EXPECT_TRUE(std::ranges::is_partitioned(sentences, [](const Sentence& one) { return one.tone != Tone::caution; }));
}

TEST(SideBySide, ShowsCoefficientsOfMethodsWithoutInclusionAndNoBars) {
  const Sheet sheet = side_by_side(three_models());
  const auto& features = std::get<Listing>(sheet.sections[1].blocks[0]);
  ASSERT_EQ(features.columns.size(), 5u);
  EXPECT_EQ(features.columns[0].words[0], "a");
  EXPECT_TRUE(features.columns[2].share);
  EXPECT_EQ(features.columns[3].title, "net, coefficient");
  EXPECT_FALSE(features.columns[3].share);
  EXPECT_EQ(features.columns[3].numbers[0], 2);
  EXPECT_EQ(features.columns[4].title, "mean-field, approx.");
}

}  // namespace
}  // namespace tamis
