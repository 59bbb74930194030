#include "tamis/report/page.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/page_data.hpp"
#include "report/print_svg.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::ThrowsMessage;

const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

Page page_of(Block block) { return {"A page", {{"one", "A sheet", "", {{"A section", "", {std::move(block)}}}}}}; }

Chart chart_of(std::vector<double> x, std::vector<double> y) {
  Chart chart;
  chart.panel.title = "A chart";
  chart.panel.series = {{.name = "values", .x = std::move(x), .y = std::move(y)}};
  return chart;
}

Listing listing_of(std::vector<std::string> names, std::vector<double> values) {
  Listing listing{.id = "features", .title = "Features"};
  listing.columns = {{.title = "name", .words = std::move(names)}, {.title = "value", .numbers = std::move(values)}};
  return listing;
}

// What stands between the tags of the data.
Json data_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"page-data\">";
  const std::size_t from = html.find(begin) + begin.size();
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Page, IsOneWholeDocument) {
  const std::string html = to_html(page_of(Summary{{{Tone::finding, "Two features were found."}}}));
  EXPECT_THAT(html, AllOf(StartsWith("<!DOCTYPE html>"), EndsWith("</html>\n"), HasSubstr("<title>A page</title>"),
                          HasSubstr("<h1>A sheet</h1>"), HasSubstr("Two features were found.")));
}

TEST(Page, IsTheSameBytesEachTime) {
  const Page page = page_of(chart_of({1, 2}, {3, 4}));
  EXPECT_EQ(to_html(page), to_html(page));
}

TEST(Page, LoadsNothingAndAllowsOnlyItsOwnScriptAndStyle) {
  const std::string html = to_html(page_of(Summary{}));
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(html, AllOf(Not(HasSubstr(" src=\"")), Not(HasSubstr("unsafe-inline")), Not(HasSubstr("<link"))));
}

TEST(Page, IsSmallWithoutData) {
  constexpr std::size_t promised = 150'000;  // a tenth of the 1.5 MB that a page may have
  EXPECT_LT(to_html(page_of(Summary{})).size(), promised);
}

TEST(Page, HasTabsOnlyForSeveralSheets) {
  Page page = page_of(Summary{});
  EXPECT_THAT(to_html(page), Not(HasSubstr("role=\"tablist\"")));
  page.sheets.push_back({.name = "two", .title = "Another"});
  EXPECT_THAT(to_html(page), AllOf(HasSubstr("role=\"tablist\""), HasSubstr("aria-controls=\"sheet-2\"")));
}

TEST(Page, ShowsHostileWordsAsTextEverywhere) {
  Chart chart = chart_of({1}, {2});
  chart.panel.title = chart.caption = chart.panel.x.label = chart.panel.series[0].name = hostile;
  chart.panel.remarks = {{1, 2, hostile}};
  Listing listing = listing_of({hostile}, {1});
  listing.title = listing.caption = listing.marked_label = listing.columns[0].meaning = hostile;
  const Section section{
      hostile,
      hostile,
      {Summary{{{Tone::caution, hostile}}}, Figures{{{hostile, hostile}}}, FactList{hostile, {{hostile, hostile}}},
       chart, listing, Images{hostile, hostile, {Matrix(1, 1)}, {hostile}, 1}}};
  const std::string html = to_html({hostile, {{hostile, hostile, hostile, {section}}, {hostile, hostile, "", {}}}});
  EXPECT_EQ(count_of(html, "<script"), 2U) << "the data and the one script";
  EXPECT_EQ(count_of(html, "</script"), 2U);
  EXPECT_EQ(count_of(html, "<img"), 0U);
  EXPECT_EQ(data_of(html)["block-2"]["columns"][0]["words"][0], hostile);
}

TEST(Page, RefusesAListingWithColumnsOfDifferentLengths) {
  EXPECT_THAT(
      [] {
        to_html(page_of(listing_of({"a", "b"}, {1})));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("column 'value' of table 'Features' has 0 words, 1 numbers")));
}

TEST(ScriptSafe, KeepsTheMeaningAndEndsNoScript) {
  const Json json = {{"name", "</script><!-- & \xE2\x80\xA8 \xE2\x80\xA9"}};
  const std::string safe = script_safe(json.dump());
  EXPECT_THAT(safe, AllOf(Not(HasSubstr("<")), Not(HasSubstr(">")), Not(HasSubstr("&")), Not(HasSubstr("\xE2\x80\xA8")),
                          Not(HasSubstr("\xE2\x80\xA9"))));
  EXPECT_EQ(Json::parse(safe), json);
}

TEST(PageData, WritesFiveDigitsWholeNumbersAndGaps) {
  const Json data = page_data(listing_of({"a", "b", "c"}, {0.123456789, 3, std::nan("")}));
  EXPECT_EQ(data["columns"][1]["numbers"].dump(), "[0.12346,3,null]");
}

TEST(PageData, SaysConsecutivePositionsInTwoNumbers) {
  EXPECT_EQ(page_data(chart_of({3, 4, 5}, {1, 1, 1}))["series"][0]["x"].dump(), R"({"from":3,"count":3})");
  EXPECT_EQ(page_data(chart_of({3, 5}, {1, 1}))["series"][0]["x"].dump(), "[3,5]");
}

TEST(PageData, SpellsOutWhatWouldTurnTheWritingDirection) {
  const Json data = page_data(listing_of({"a\xE2\x80\xAE"
                                          "b"},
                                         {1}));
  EXPECT_EQ(data["columns"][0]["words"][0], "a\\u202eb");
}

TEST(PagePaper, DrawsAChartForPrint) { EXPECT_THAT(print_svg(chart_of({1, 2}, {3, 4})), StartsWith("<svg")); }

TEST(PagePaper, LeavesLargeHeatMapsToTheScreen) {
  Chart chart;
  chart.panel.heat_map = HeatMap{.values = Matrix(100, 100)};
  EXPECT_EQ(print_svg(chart), "");
  EXPECT_THAT(to_html(page_of(chart)), HasSubstr("class=\"chart no-paper\""));
}

TEST(Thinned, KeepsTheHighestAndTheLowestOfEachStretch) {
  Series series;
  for (int k = 0; k < 100; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 30 ? 9 : (k == 70 ? -9 : 0));
  }
  const Series few = downsampled(series, 4);
  EXPECT_THAT(few.x, ElementsAre(0, 30, 70, 99));
  EXPECT_THAT(few.y, ElementsAre(0, 9, -9, 0));
  EXPECT_THAT(downsampled(series, 100).x, SizeIs(100));
}

}  // namespace
}  // namespace tamis
