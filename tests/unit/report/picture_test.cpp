#include "tamis/report/picture.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "report/plot_marks.hpp"
#include "report/svg.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

int count(std::string_view text, std::string_view words) {
  int found = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

// Every element that opens closes, in order, and no attribute or text has a bare < or &: well-formed for what
// our writer can produce. Returns what is wrong, or "".
std::string xml_trouble(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string entity = end == std::string::npos ? "" : text.substr(at, end - at + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "bare &";
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "tag without end";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "tag in a tag: " + tag;
    if (count(tag, "\"") % 2 != 0) return "odd quotes: " + tag;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

Picture everything() {
  Panel lines{.title = "lines & <bands>", .x = {.label = "n", .logarithmic = true}, .y = {.label = "\"error\""}};
  lines.series = {
      {.name = "a",
       .x = {1, 10, 100},
       .y = {3, 2, 1},
       .lower = {2, 1, 0},
       .upper = {4, 3, 2},
       .mark = Mark::line_and_points},
      {.name = "b", .x = {1, 10, 100}, .y = {1, nan, 2}, .dash = Dash::dashed, .color = 1},
      {.name = "c", .x = {1, 100}, .y = {1, 2}, .lower = {0, 1}, .upper = {2, 3}, .band = true, .color = 2}};
  lines.rules = {5};
  lines.remarks = {{10, 2, "here > there"}};
  Panel bars{.title = "bars", .x = {.names = {"one", "two"}}};
  bars.series = {{.name = "d", .x = {1, 2}, .y = {-1, 2}, .mark = Mark::bars},
                 {.name = "e", .x = {1, 2}, .y = {1, 2}, .mark = Mark::stems, .color = 3}};
  Panel heat{.title = "heat"};
  heat.heat_map = HeatMap{.values = Matrix(3, 3)};
  return {.title = "all of it", .panels = {lines, bars, heat}};
}

TEST(Picture, IsWellFormedXml) { EXPECT_EQ(xml_trouble(to_svg(everything())), ""); }

TEST(Picture, IsWellFormedWithoutAnyData) {
  EXPECT_EQ(xml_trouble(to_svg({})), "");
  EXPECT_EQ(xml_trouble(to_svg({.panels = {Panel{}, Panel{.y = {.logarithmic = true}}}})), "");
}

TEST(Picture, EscapesWords) {
  const std::string svg = to_svg(everything());
  EXPECT_THAT(svg, HasSubstr("lines &amp; &lt;bands&gt;"));
  EXPECT_THAT(svg, HasSubstr("&quot;error&quot;"));
}

TEST(Picture, NamesNoElementSoThatTwoCanStandOnOnePage) { EXPECT_THAT(to_svg(everything()), Not(HasSubstr(" id="))); }

std::string width_of(const std::string& svg) {
  const std::size_t from = svg.find("width=\"") + 7;
  return svg.substr(from, svg.find('"', from) - from);
}

TEST(Picture, LongNamesOfRowsHaveRoomAndAreCutInTheEnd) {
  Picture picture{.panels = {{.y = {.names = {"a", "b"}}, .heat_map = HeatMap{.values = Matrix(2, 2)}}}};
  const double narrow = std::stod(width_of(to_svg(picture)));
  picture.panels[0].y.names = {"a name of some length", std::string(1000, 'x')};
  const std::string svg = to_svg(picture);
  EXPECT_GT(std::stod(width_of(svg)), narrow + 50);
  EXPECT_LT(std::stod(width_of(svg)), narrow + 200);
  EXPECT_THAT(svg, HasSubstr("xxx...<"));
}

TEST(Picture, NamesThatWouldTouchStandInTwoLines) {
  Picture picture{.panels = {{.x = {.names = {"first", "second"}}, .heat_map = HeatMap{.values = Matrix(1, 2)}}},
                  .panel_width = 300};
  const auto height_of = [&](const std::string& word) {
    const std::string svg = to_svg(picture);
    const std::size_t from = svg.rfind("y=\"", svg.find(">" + word + "<")) + 3;
    return svg.substr(from, svg.find('"', from) - from);
  };
  EXPECT_EQ(height_of("first"), height_of("second"));
  picture.panel_width = 60;
  EXPECT_NE(height_of("first"), height_of("second"));
}

TEST(Picture, WritesOnlyFiniteNumbers) {
  Picture picture = everything();
  picture.panels[0].series[0].y[1] = std::numeric_limits<double>::infinity();
  picture.panels[0].series[0].x[2] = -1;  // on a logarithmic axis
  const std::string svg = to_svg(picture);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Picture, BreaksALineAtAMissingPoint) {
  Panel panel{.series = {{.x = {1, 2, 3, 4, 5}, .y = {1, 2, nan, 2, 1}}}};
  EXPECT_EQ(count(to_svg({.panels = {panel}}), "<polyline"), 2);
}

TEST(Picture, SharesALegendThatAllPanelsHave) {
  const Panel panel{.series = {{.name = "ridge", .x = {1, 2}, .y = {1, 2}}}};
  EXPECT_EQ(count(to_svg({.panels = {panel, panel, panel}}), ">ridge</text>"), 1);
  EXPECT_EQ(count(to_svg({.panels = {panel, Panel{}, panel}}), ">ridge</text>"), 1) << "one has nothing to name";
}

TEST(Picture, GivesEachPanelItsOwnLegendWhenTheyDiffer) {
  const Panel one{.series = {{.name = "ridge", .x = {1, 2}, .y = {1, 2}}}};
  const Panel two{.series = {{.name = "lasso", .x = {1, 2}, .y = {1, 2}}}};
  const std::string svg = to_svg({.panels = {one, two, one}});
  EXPECT_EQ(count(svg, ">ridge</text>"), 2);
  EXPECT_EQ(count(svg, ">lasso</text>"), 1);
}

TEST(Picture, DrawsEveryPointOnce) {
  const Panel panel{.series = {{.x = {1, 2, 3}, .y = {1, 2, 3}, .mark = Mark::points}}};
  EXPECT_EQ(count(to_svg({.panels = {panel}}), "<circle"), 3);
}

TEST(Picture, JoinsCellsOfOneColor) {
  Panel panel;
  panel.heat_map = HeatMap{.values = Matrix(2, 50)};
  EXPECT_EQ(count(to_svg({.panels = {panel}}), "<path"), 1) << "all zero: one color";
  panel.heat_map->values(0, 7) = 1;
  EXPECT_EQ(count(to_svg({.panels = {panel}}), "<path"), 2);
}

TEST(Picture, RefusesASeriesWhoseLengthsDiffer) {
  const Panel panel{.series = {{.name = "odd", .x = {1, 2}, .y = {1}}}};
  EXPECT_THROW(to_svg({.panels = {panel}}), InvalidInput);
  const Panel spread{.series = {{.name = "odd", .x = {1, 2}, .y = {1, 2}, .lower = {0, 0}}}};
  EXPECT_THROW(to_svg({.panels = {spread}}), InvalidInput);
}

TEST(Palette, HasEightDifferentColorsAndRepeats) {
  for (Index a = 0; a < 8; ++a) {
    for (Index b = 0; b < a; ++b) EXPECT_NE(color_of(a), color_of(b));
    EXPECT_EQ(color_of(a), color_of(a + 8));
  }
}

TEST(SvgNumber, IsShortAndNeverMinusZero) {
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(12.345678), "12.35");
  EXPECT_EQ(svg_number(-0.001), "0");
}

}  // namespace
}  // namespace tamis
