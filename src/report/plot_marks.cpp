// Data of a panel as SVG shapes: lines, markers, error bars, bands, bars, stems, heat maps.
// Missing    values that the scale cannot show (NaN, infinite, nonpositive on a logarithmic axis) are gaps; error bars
//            that reach below a logarithmic axis end at its bottom.
// Colors     Okabe & Ito (2008), safe for the common color vision deficiencies; marker shapes vary with the color, so
//            that gray prints stay readable.
// Heat maps  diverging blue-white-red in 41 steps; all cells of one color share one path and adjacent cells one
//            rectangle, instead of an element per cell.
#include "report/plot_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tamis {
namespace {

Paint stroke(const Series& series, double width = 1.7) {
  return {.stroke = color_of(series.palette_place()), .width = width, .dashes = dashes_of(series.dash)};
}

bool visible(const Series& series, std::size_t k, const Scale& x, const Scale& y) {
  return x.shows(series.x[k]) && y.shows(series.y[k]);
}

// One polyline per run of visible points; what lies between two runs is a gap.
void draw_line(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  std::vector<Point> run;
  for (Index k = 0; k <= std::ssize(series.x); ++k) {
    if (k < std::ssize(series.x) && visible(series, k, x, y)) {
      run.push_back({x(series.x[k]), y(series.y[k])});
      continue;
    }
    if (run.size() > 1) svg.polyline(run, stroke(series));
    run.clear();
  }
}

// Error bars that go below zero on a logarithmic scale end at the bottom of the plot.
double clamped_end(double value, const Scale& y) { return y(y.shows(value) ? value : y.extent().least); }

// Upper ends forward, lower ends backward: one closed polygon.
void draw_band(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  std::vector<Point> outline, back;
  for (Index k = 0; k < std::ssize(series.x); ++k) {
    if (!visible(series, k, x, y)) continue;
    outline.push_back({x(series.x[k]), clamped_end(series.upper[k], y)});
    back.push_back({x(series.x[k]), clamped_end(series.lower[k], y)});
  }
  outline.insert(outline.end(), back.rbegin(), back.rend());
  if (outline.size() > 2) svg.polygon(outline, {.fill = color_of(series.palette_place()), .opacity = 0.18});
}

// Caps of 3 pixels; bars with an infinite end are left out, a band would run off the plot.
void draw_error_bars(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  const Paint paint{.stroke = color_of(series.palette_place()), .width = 1.1};
  constexpr double cap = 3;
  for (Index k = 0; k < std::ssize(series.x); ++k) {
    if (!visible(series, k, x, y) || !std::isfinite(series.lower[k]) || !std::isfinite(series.upper[k])) continue;
    const double at = x(series.x[k]), low = clamped_end(series.lower[k], y), high = clamped_end(series.upper[k], y);
    svg.line({at, low}, {at, high}, paint);
    svg.line({at - cap, low}, {at + cap, low}, paint);
    svg.line({at - cap, high}, {at + cap, high}, paint);
  }
}

// Bars and stems start at zero, or at the bottom where the scale does not show it.
double baseline(const Scale& y) {
  return y(y.logarithmic() ? y.extent().least : std::clamp(0.0, y.extent().least, y.extent().most));
}

void draw_bars(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  // Width by the smallest distance of neighboring bars.
  double gap = x.extent().most - x.extent().least;
  for (Index k = 1; k < std::ssize(series.x); ++k) gap = std::min(gap, std::abs(series.x[k] - series.x[k - 1]));
  const double width = 0.7 * std::abs(x(x.extent().least + gap) - x(x.extent().least));
  for (Index k = 0; k < std::ssize(series.x); ++k) {
    if (!visible(series, k, x, y)) continue;
    const double top = std::min(y(series.y[k]), baseline(y)), bottom = std::max(y(series.y[k]), baseline(y));
    svg.rectangle({x(series.x[k]) - width / 2, top}, width, bottom - top,
                  {.fill = color_of(series.palette_place()), .opacity = 0.8});
  }
}

void draw_stems(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  for (Index k = 0; k < std::ssize(series.x); ++k) {
    if (!visible(series, k, x, y)) continue;
    svg.line({x(series.x[k]), baseline(y)}, {x(series.x[k]), y(series.y[k])}, stroke(series, 1.3));
  }
}

void draw_points(Svg& svg, const Series& series, const Scale& x, const Scale& y, double size) {
  for (Index k = 0; k < std::ssize(series.x); ++k) {
    if (visible(series, k, x, y)) draw_marker(svg, {x(series.x[k]), y(series.y[k])}, series.palette_place(), size);
  }
}

// Number of color steps on either side together: few, so that cells of one color share a path.
constexpr int steps = 40;
// NaN has the middle color, which is also that of zero on a symmetric scale.
int step_of(double value, const HeatMap& map) {
  const double share = (value - map.least) / (map.most - map.least);
  return std::isfinite(share) ? static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * steps)) : steps / 2;
}

std::string heat_color(int step) {
  constexpr std::array<double, 3> cold = {33, 102, 172}, warm = {178, 24, 43};
  // Linear in RGB from white to the end color; -1 is cold, 0 white, 1 warm.
  const double share = 2.0 * step / steps - 1;
  const std::array<double, 3>& end = share < 0 ? cold : warm;
  const auto blend = [&](std::size_t k) {
    return static_cast<int>(std::lround(255 + std::abs(share) * (end[k] - 255)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", blend(0), blend(1), blend(2));
}

}  // namespace

const std::string& color_of(Index place) {
  static const std::array<std::string, 8> palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#333333", "#999999"};
  return palette[place % palette.size()];
}

std::string dashes_of(Dash dash) {
  switch (dash) {
    case Dash::dashed:
      return "7 4";
    case Dash::dotted:
      return "2 3";
    case Dash::dash_dotted:
      return "8 3 2 3";
    case Dash::solid:
      break;
  }
  return "";
}

// Sizes are adjusted so that the four shapes look about equally large.
void draw_marker(Svg& svg, Point at, Index color, double size) {
  const Paint paint{.fill = color_of(color), .stroke = "white", .width = 0.6};
  const double s = size;
  switch (color % 4) {
    case 0:
      return svg.circle(at, s, paint);
    case 1:
      return svg.rectangle({at.x - 0.9 * s, at.y - 0.9 * s}, 1.8 * s, 1.8 * s, paint);
    case 2:
      return svg.polygon({{at.x, at.y - 1.2 * s}, {at.x + 1.1 * s, at.y + 0.8 * s}, {at.x - 1.1 * s, at.y + 0.8 * s}},
                         paint);
    default:
      return svg.polygon(
          {{at.x, at.y - 1.3 * s}, {at.x + 1.3 * s, at.y}, {at.x, at.y + 1.3 * s}, {at.x - 1.3 * s, at.y}}, paint);
  }
}

// Painter's order: bands below lines, lines below error bars, markers on top.
void draw_series(Svg& svg, const Series& series, const Scale& x, const Scale& y) {
  const bool spread = !series.lower.empty();
  if (spread && series.band) draw_band(svg, series, x, y);
  if (series.mark == Mark::line || series.mark == Mark::line_and_points) draw_line(svg, series, x, y);
  if (series.mark == Mark::bars) draw_bars(svg, series, x, y);
  if (series.mark == Mark::stems) draw_stems(svg, series, x, y);
  if (spread && !series.band) draw_error_bars(svg, series, x, y);
  if (series.mark == Mark::points || series.mark == Mark::line_and_points) draw_points(svg, series, x, y, 3.4);
  if (series.mark == Mark::stems) draw_points(svg, series, x, y, 2.2);
}

void draw_heat_map(Svg& svg, const HeatMap& map, const Scale& x, const Scale& y) {
  std::array<std::string, steps + 1> cells;
  for (Index i = 0; i < map.values.rows(); ++i) {
    const double top = y(static_cast<double>(i) + 0.5), bottom = y(static_cast<double>(i) + 1.5);
    for (Index j = 0, last = 0; j < map.values.cols(); j = last) {
      const int step = step_of(map.values(i, j), map);
      for (last = j + 1; last < map.values.cols() && step_of(map.values(i, last), map) == step;) ++last;
      const double left = x(static_cast<double>(j) + 0.5), right = x(static_cast<double>(last) + 0.5);
      cells[step] += fmt::format("M{} {}h{}v{}h{}z", svg_number(left), svg_number(top), svg_number(right - left),
                                 svg_number(bottom - top), svg_number(left - right));
    }
  }
  for (int step = 0; step <= steps; ++step) {
    const std::string& commands = cells[step];
    // A thin stroke of the same color hides the seams between neighbors.
    if (!commands.empty()) svg.path(commands, {.fill = heat_color(step), .stroke = heat_color(step), .width = 0.3});
  }
}

}  // namespace tamis
