#include <gmock/gmock.h>

#include "report/factor_charts.hpp"
#include "report/factor_sizes.hpp"
#include "report/fit_charts.hpp"
#include "report/phrases.hpp"
#include "tamis/base/error.hpp"
#include "tamis/report/factor_text.hpp"
#include "tamis/report/report.hpp"
#include "unit/report/example_models.hpp"

namespace tamis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

std::vector<std::string> titles_of(const Sheet& sheet) {
  std::vector<std::string> titles;
  for (const Section& section : sheet.sections) titles.push_back(section.title);
  return titles;
}

std::vector<std::string> titles_of(const Listing& listing) {
  std::vector<std::string> titles;
  for (const ListingColumn& column : listing.columns) titles.push_back(column.title);
  return titles;
}

Fit wide_fit(Index p) {
  Fit fit = example_fit();
  fit.features.clear();
  for (Index j = 0; j < p; ++j) fit.features.push_back("f" + std::to_string(j));
  fit.coefficients.assign(p, 0);
  fit.inclusion.assign(p, 0.01);
  fit.standard_deviations.clear();
  fit.feature_spreads.clear();
  fit.inclusion[3] = 0.99;
  fit.coefficients[3] = 1;
  return fit;
}

TEST(FitSheet, HasASectionForWhatTheModelHas) {
  EXPECT_THAT(titles_of(report_sheet(ReportedFit{.source = "m.json", .fit = example_fit()})),
              ElementsAre("Summary", "Features", "Tuning path", "Fit trace", "Model details"));
  Fit fit = example_fit();
  fit.path.clear();
  fit.trace.clear();
  EXPECT_THAT(titles_of(report_sheet(ReportedFit{.source = "m.json", .fit = fit})),
              ElementsAre("Summary", "Features", "Model details"));
}

TEST(FitSheet, ShowsCoefficientsAsAnImageOfTheirNumber) {
  const ReportedFit model{.source = "m.json", .fit = example_fit()};
  EXPECT_THAT(titles_of(report_sheet(model, {1, 5})), Contains("Coefficients as an image"));
  EXPECT_THAT(titles_of(report_sheet(model, {2, 5})), Not(Contains("Coefficients as an image")));
}

TEST(FitSheet, GivesCautionsLast) {
  Fit fit = example_fit();
  fit.status = Status::stalled;
  const Sheet sheet = report_sheet(ReportedFit{.source = "m.json", .fit = fit});
  EXPECT_EQ(std::get<Summary>(sheet.sections[0].blocks[0]).sentences.back().tone, Tone::caution);
}

TEST(FeatureListing, HasOnlyColumnsThatTheModelHas) {
  Fit fit = example_fit();
  EXPECT_THAT(titles_of(feature_listing(fit, listed_features(fit), "id")),
              ElementsAre("feature", "inclusion", "coefficient", "effect"));
  fit.inclusion.clear();
  fit.feature_spreads.clear();
  EXPECT_THAT(titles_of(feature_listing(fit, listed_features(fit), "id")), ElementsAre("feature", "coefficient"));
}

TEST(FeatureListing, PutsTheStrongestFirstAndMarksTheSelected) {
  const Fit fit = example_fit();
  const Listing listing = feature_listing(fit, listed_features(fit), "id");
  EXPECT_THAT(listing.order, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(listing.marked, ElementsAre(0, 1));
}

TEST(FeatureListing, SpansIntervalsOfTwoDeviationsOnEachSide) {
  const Fit fit = example_fit();
  const ListingColumn coefficient = feature_listing(fit, listed_features(fit), "id").columns[2];
  constexpr double digits = 1e-6;  // 1.96 as it is quoted
  EXPECT_NEAR(coefficient.lower[0], 2 - 0.1959964, digits);
  EXPECT_NEAR(coefficient.upper[1], -1 + 2 * 0.1959964, digits);
}

TEST(ListedFeatures, AreTheStrongestWhereThereAreTooMany) {
  Fit fit = wide_fit(most_listed + 10);
  EXPECT_THAT(listed_features(fit), SizeIs(most_listed));
  EXPECT_THAT(listed_features(fit), Contains(3));
  fit.inclusion.assign(fit.inclusion.size(), 0);
  fit.inclusion[3] = 1;
  EXPECT_THAT(listed_features(fit), ElementsAre(3)) << "the others are not in the model";
}

TEST(FeatureChart, NamesFewFeaturesOnTheAxisAndTheSelectedAmongMany) {
  const Fit few = example_fit();
  EXPECT_THAT(feature_chart(few, listed_features(few), "id").panel.x.names, SizeIs(5));
  const Fit many = wide_fit(1000);
  const Chart chart = feature_chart(many, listed_features(many), "id");
  EXPECT_THAT(chart.panel.x.names, IsEmpty());
  ASSERT_THAT(chart.panel.remarks, SizeIs(1));
  EXPECT_EQ(chart.panel.remarks[0].words, "f3");
  EXPECT_EQ(chart.panel.series[0].x.size(), 999U);
  EXPECT_THAT(chart.panel.series[1].x, ElementsAre(4));
}

TEST(PathCharts, MarkTheChosenValue) {
  const std::vector<Chart> charts = path_charts(example_fit());
  ASSERT_THAT(charts, SizeIs(2));
  EXPECT_THAT(charts[0].panel.rules, ElementsAre(0.1));
  EXPECT_EQ(charts[0].panel.x.label, "penalty");
  EXPECT_TRUE(charts[0].panel.x.logarithmic);
  EXPECT_THAT(charts[0].panel.series[0].upper, ElementsAre(10, 2.5, 3.5));
}

TEST(SideBySide, SaysWhatAllModelsSelect) {
  Fit other = example_fit();
  other.inclusion = {1, 0, 0, 0, 1};
  const std::vector<ReportedFit> models = {{.source = "1.json", .fit = example_fit()},
                                           {.source = "2.json", .fit = other}};
  const Sheet sheet = side_by_side(models);
  EXPECT_EQ(std::get<Summary>(sheet.sections[0].blocks[0]).sentences[0].words,
            "All models select a; 3 features are selected by at least one.");
  const auto& overlap = std::get<Chart>(sheet.sections[1].blocks[1]).panel.heat_map->values;
  EXPECT_DOUBLE_EQ(overlap(0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(overlap(1, 1), 1);
}

TEST(FactorSheet, CountsTheFactorsThatAreUsed) {
  const Sheet sheet = report_sheet(example_factor_fit(), "f.json");
  EXPECT_EQ(sheet.title, "1 of 2 factors used for 6 rows × 4 columns");
  EXPECT_EQ(sentences_of(example_factor_fit())[1].words,
            "4 held-out cells are predicted with a root mean squared error of 0.3 and a negative log predictive "
            "probability of 0.5 bits per cell (random guessing: 1).");
}

// A mean field shrinks a factor that it does not need for ever, and ends before it is exactly zero.
TEST(FactorSheet, CallsAFactorOfCrumbsUnused) {
  FactorFit fit = example_factor_fit();
  for (double& score : fit.scores.column(0)) score *= 1e-12;
  EXPECT_THAT(factor_sizes(fit), ElementsAre(0, testing::DoubleNear(0.01, 1e-12)));
  EXPECT_THAT(text_report(fit), HasSubstr("(not used)"));
}

TEST(FactorSheet, ShowsLoadingsAsImagesOfTheirSize) {
  const Images images = loading_images(example_factor_fit(), {2, 2});
  ASSERT_THAT(images.images, SizeIs(2));
  EXPECT_EQ(images.images[0](0, 1), 0);
  EXPECT_EQ(images.images[0](1, 1), 2);
  EXPECT_EQ(images.most, 2);
  EXPECT_THAT(
      [] {
        report_sheet(example_factor_fit(), "f.json", {3, 3});
      },
      ThrowsMessage<InvalidOption>(HasSubstr("9 pixels do not match the 4 columns of f.json")));
}

TEST(FactorSheet, WarnsWhereNothingWasHeldOut) {
  FactorFit fit = example_factor_fit();
  fit.rmse.reset();
  EXPECT_THAT(sentences_of(fit)[1].words, HasSubstr("No cells were held out"));
}

TEST(Phrases, AreAsPeopleReadThem) {
  EXPECT_EQ(quantity(1, "row", "rows"), "1 row");
  EXPECT_EQ(quantity(1234567, "row", "rows"), "1,234,567 rows");
  EXPECT_EQ(with_commas(-1000), "-1,000");
  EXPECT_EQ(with_commas(-100), "-100");
  EXPECT_EQ(rounded(223.4, 2), "220");
  EXPECT_EQ(rounded(0.012345, 3), "0.0123");
  EXPECT_EQ(rounded(1e-7, 3), "1e-07");
  EXPECT_EQ(rounded(0), "0");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(7500), "2 h 5 min");
  EXPECT_EQ(share_words(0.99999), "more than 0.999");
  EXPECT_EQ(listed({"a", "b", "c"}, 5), "a, b and c");
  EXPECT_EQ(listed({"a", "b", "c", "d"}, 2), "a, b and 2 others");
}

}  // namespace
}  // namespace tamis
