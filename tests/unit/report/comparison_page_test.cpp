#include "tamis/report/comparison_page.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "unit/report/example_comparison.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

template <class Kind>
std::vector<const Kind*> blocks_of(const Page& page) {
  std::vector<const Kind*> found;
  for (const Section& section : page.sheets.at(0).sections) {
    for (const Block& block : section.blocks) {
      if (const Kind* one = std::get_if<Kind>(&block)) found.push_back(one);
    }
  }
  return found;
}

const Chart& chart(const Page& page, const std::string& title) {
  for (const Chart* one : blocks_of<Chart>(page)) {
    if (one->panel.title == title) return *one;
  }
  throw std::runtime_error("no chart " + title);
}

TEST(ComparisonPage, ScoresAreATableWithTheBestMethodFirst) {
  const Page page = comparison_page(example_comparison());
  const Listing& scores = *blocks_of<Listing>(page).at(0);
  EXPECT_THAT(scores.columns.at(0).words, ElementsAre("vg", "lasso", "exact"));
  EXPECT_EQ(scores.columns.at(1).title, "RMSE");
  EXPECT_EQ(scores.columns.at(1).numbers.at(0), 1.25);
  EXPECT_EQ(scores.columns.at(2).numbers.at(0), 0.1);           // its standard error
  EXPECT_TRUE(std::isnan(scores.columns.at(1).numbers.at(2)));  // failed
}

TEST(ComparisonPage, EveryJudgedFoldIsADotAboveItsMethod) {
  const Page page = comparison_page(example_comparison());
  const Panel& panel = chart(page, "RMSE by fold").panel;
  EXPECT_THAT(panel.x.names, ElementsAre("vg", "lasso", "exact"));
  EXPECT_THAT(panel.series.at(0).x, ElementsAre(1, 1, 2, 2));
  EXPECT_EQ(panel.series.at(2).name, "null model");
}

TEST(ComparisonPage, AgreementIsInTheOrderOfTheTable) {
  const Page page = comparison_page(example_comparison());
  const Matrix& common = chart(page, "Agreement of methods").panel.heat_map->values;
  EXPECT_EQ(common(0, 1), 0.5);
  EXPECT_TRUE(std::isnan(common(0, 2)));
}

TEST(ComparisonPage, WhoKeepsWhatMarksWhatTheBestMethodKeeps) {
  const Page page = comparison_page(example_comparison());
  const Listing& votes = *blocks_of<Listing>(page).at(1);
  EXPECT_THAT(votes.columns.at(0).words, ElementsAre("second", "first"));
  EXPECT_THAT(votes.columns.at(1).numbers, ElementsAre(2, 1));
  EXPECT_THAT(votes.marked, ElementsAre(0));
}

TEST(ComparisonPage, FailuresAreCautions) {
  const Page page = comparison_page(example_comparison());
  const std::vector<Sentence>& sentences = blocks_of<Summary>(page).at(0)->sentences;
  EXPECT_THAT(sentences, testing::Contains(AllOf(testing::Field(&Sentence::tone, Tone::caution),
                                                 testing::Field(&Sentence::words, HasSubstr("exact failed")))));
}

TEST(ComparisonPage, IsMadeOfWhatThereIs) {
  Comparison comparison = example_comparison();
  for (ComparedMethod& method : comparison.methods) {
    ComparedMethod bare;
    bare.method = method.method;
    bare.failure = "no";
    method = bare;
  }
  comparison.best.reset();
  comparison.baseline_error.reset();
  comparison.finished_folds = 0;
  EXPECT_THAT(to_html(comparison_page(comparison)), HasSubstr("exact failed on all rows: no."));
}

TEST(ComparisonPage, HostileNamesStayText) {
  Comparison comparison = example_comparison();
  comparison.features[1] = "</script><script>alert(1)</script>";
  comparison.target = "<img src=x onerror=alert(2)>";
  const std::string html = to_html(comparison_page(comparison));
  EXPECT_THAT(html, AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img src=x")), HasSubstr("&lt;img src=x")));
}

}  // namespace
}  // namespace tamis
