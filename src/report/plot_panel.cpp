// One panel of a picture as SVG: range of the axes, grid, ticks, labels, then the data clipped to the plot.
// Ranges     of all data and error bars plus a margin of 3 % (x) and 6 % (y), unless the axis fixes its ends; zero is
//            included for bars, and for data that start near it.
// Names      categorical axes have one tick per name; names that do not fit side by side alternate in two lines, and
//            names on the y axis are cut at 27 columns.
// Widths     of text are estimated (svg.cpp), since fonts are those of the viewer.
#include "report/plot_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/plot_marks.hpp"
#include "report/scale.hpp"
#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

const Paint grid{.stroke = "#e8e8e8"};
const Paint frame{.stroke = "#888888"};

// Range of the values of one axis; ignores what its scale cannot show.
class DataRange {
 public:
  explicit DataRange(bool logarithmic) : logarithmic_(logarithmic) {}
  void include(double value) {
    if (!std::isfinite(value) || (logarithmic_ && value <= 0)) return;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  void include(const std::vector<double>& values) {
    for (const double value : values) include(value);
  }

  // Range plus a relative margin, unless the axis fixes its ends. On a logarithmic axis the margin is a factor, at
  // least 1.05, so that a single value has a range too. Without values: 0 to 1, or 0.1 to 10.
  Extent padded(const Axis& axis, double margin) const {
    Extent extent{least_, most_};
    if (!(least_ <= most_)) extent = logarithmic_ ? Extent{0.1, 10} : Extent{0, 1};
    if (logarithmic_) {
      const double factor = std::pow(extent.most / extent.least, margin);
      extent = {extent.least / std::max(factor, 1.05), extent.most * std::max(factor, 1.05)};
    } else {
      const double span = extent.most > extent.least ? extent.most - extent.least : std::max(1.0, std::abs(least_));
      const bool stands_on_zero = extent.least >= 0 && extent.least < 0.25 * span;
      // Data that reach zero get 2 % below it: a line at exactly zero would coincide with the frame.
      const double below = !stands_on_zero ? extent.least - margin * span : extent.least == 0 ? -0.02 * span : 0;
      extent = {below, extent.most + margin * span};
    }
    return {axis.minimum.value_or(extent.least), axis.maximum.value_or(extent.most)};
  }

 private:
  bool logarithmic_;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -least_;
};

bool has_bars(const Panel& panel) {
  return std::any_of(panel.series.begin(), panel.series.end(),
                     [](const Series& s) { return s.mark == Mark::bars || s.mark == Mark::stems; });
}

Extent x_extent(const Panel& panel) {
  if (panel.heat_map) return {0.5, static_cast<double>(panel.heat_map->values.cols()) + 0.5};
  DataRange range(panel.x.logarithmic);
  for (const Series& series : panel.series) range.include(series.x);
  range.include(panel.rules);
  if (!panel.x.names.empty()) return {0.4, static_cast<double>(panel.x.names.size()) + 0.6};
  return range.padded(panel.x, 0.03);
}

Extent y_extent(const Panel& panel) {
  // First row at the top: the scale runs from the bottom, so the range is reversed.
  if (panel.heat_map) return {static_cast<double>(panel.heat_map->values.rows()) + 0.5, 0.5};
  DataRange range(panel.y.logarithmic);
  for (const Series& series : panel.series) {
    range.include(series.y);
    range.include(series.lower);
    range.include(series.upper);
  }
  if (has_bars(panel)) range.include(0.0);
  return range.padded(panel.y, 0.06);
}

// Categorical axes have ticks at 1, 2, ...; reversed ranges (heat maps) are sorted for the search of ticks.
std::vector<Tick> ticks_of(const Axis& axis, Extent extent, Index wanted) {
  if (!axis.names.empty()) {
    std::vector<Tick> ticks;
    for (Index k = 0; k < std::ssize(axis.names); ++k) ticks.push_back({static_cast<double>(k) + 1, axis.names[k]});
    return ticks;
  }
  if (extent.least > extent.most) std::swap(extent.least, extent.most);
  return axis.logarithmic ? logarithmic_ticks(extent, wanted) : linear_ticks(extent, wanted);
}

constexpr double tick_size = 11;
constexpr Index widest_name = 27;  // columns of text

// Names that are too long end in "...".
std::string cut_name(const std::string& name) {
  return fitted(name, std::min(widest_name, display_width(printable(name))));
}

// Whether names side by side would run into each other.
// Estimated: the widest name against 95 % of the room per name.
bool crowded(const std::vector<std::string>& names, double width) {
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, tick_size));
  return widest > 0.95 * width / static_cast<double>(std::max<std::size_t>(1, names.size()));
}

void draw_grid(Svg& svg, const Panel& panel, const Box& plot, const Scale& x, const Scale& y) {
  const double right = plot.left + plot.width, bottom = plot.top + plot.height;
  // About one tick per 60 pixels horizontally, where labels are wide, and per 42 vertically.
  const Index across = std::max<Index>(2, static_cast<Index>(plot.width / 60.0));
  const Index upwards = std::max<Index>(2, static_cast<Index>(plot.height / 42.0));
  const Lettering small{.size = tick_size, .anchor = Anchor::middle, .fill = "#555555"};
  const bool in_two_lines = crowded(panel.x.names, plot.width);
  int line = 0;
  for (const Tick& tick : ticks_of(panel.x, x.extent(), across)) {
    const double at = x(tick.value);
    const double lower = in_two_lines && line++ % 2 == 1 ? 12 : 0;
    if (panel.x.names.empty() && !panel.heat_map) svg.line({at, plot.top}, {at, bottom}, grid);
    svg.line({at, bottom}, {at, bottom + 4}, frame);
    svg.text({at, bottom + 17 + lower}, tick.label, small);
  }
  Lettering beside = small;
  beside.anchor = Anchor::end;
  for (const Tick& tick : ticks_of(panel.y, y.extent(), upwards)) {
    const double at = y(tick.value);
    if (!panel.heat_map) svg.line({plot.left, at}, {right, at}, grid);
    svg.line({plot.left - 4, at}, {plot.left, at}, frame);
    svg.text({plot.left - 7, at + 4}, cut_name(tick.label), beside);
  }
}

// Axis labels keep clear of tick labels: lower where names take two lines, further left where names are wide.
void draw_labels(Svg& svg, const Panel& panel, const Box& plot) {
  const double middle = plot.left + plot.width / 2, bottom = plot.top + plot.height;
  const double lower = crowded(panel.x.names, plot.width) ? 8 : 0;
  svg.text({middle, bottom + 36 + lower}, panel.x.label, {.size = 12.5, .anchor = Anchor::middle});
  const double left = plot.left - std::max(48.0, room_for_names(panel) - 14);
  svg.text({left, plot.top + plot.height / 2}, panel.y.label,
           {.size = 12.5, .anchor = Anchor::middle, .upright = false});
}

}  // namespace

double room_for_names(const Panel& panel) {
  double widest = 0;
  for (const std::string& name : panel.y.names) widest = std::max(widest, text_width(cut_name(name), tick_size));
  return panel.y.names.empty() ? 0 : widest + 30;
}

// Frame after the data, so that clipped markers do not cover it.
void draw_panel(Svg& svg, const Panel& panel, const Box& plot) {
  const double bottom = plot.top + plot.height;
  const Scale x(x_extent(panel), panel.x.logarithmic, plot.left, plot.left + plot.width);
  const Scale y(y_extent(panel), panel.y.logarithmic, bottom, plot.top);
  draw_grid(svg, panel, plot, x, y);
  svg.begin_clipped({plot.left, plot.top}, plot.width, plot.height);
  if (panel.heat_map) draw_heat_map(svg, *panel.heat_map, x, y);
  for (const double rule : panel.rules) {
    svg.line({x(rule), plot.top}, {x(rule), bottom}, {.stroke = "#555555", .width = 1, .dashes = "3 3"});
  }
  for (const Series& series : panel.series) draw_series(svg, series, x, y);
  for (const Remark& remark : panel.remarks) {
    svg.text({x(remark.x), y(remark.y)}, remark.words, {.size = 11.5, .anchor = Anchor::middle});
  }
  svg.end_clipped();
  svg.rectangle({plot.left, plot.top}, plot.width, plot.height, frame);
  draw_labels(svg, panel, plot);
}

}  // namespace tamis
