// Static SVG of a page's charts, for print and for readers without script.
// Size       series are reduced to about 1200 points by minimum and maximum in buckets of equal count, so that outliers
//            and peaks remain, which every k-th point would lose. Heat maps of more than 2500 cells have no SVG: the
//            page is printed with the bitmap of the screen instead.
#include "report/print_svg.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

// Points of a series and cells of a heat map beyond which an SVG of separate shapes is too large to load and print.
constexpr std::size_t most_points = 1200;
constexpr Index most_cells = 2500;
constexpr double paper_width = 440;

template <typename Value>
std::vector<Value> picked(const std::vector<Value>& values, const std::vector<std::size_t>& places) {
  std::vector<Value> result;
  if (values.empty()) return result;
  for (const std::size_t k : places) result.push_back(values[k]);
  return result;
}

// Whether the names of the axis fit in two alternating lines; SVG text is not rotated as it is on the screen.
bool names_fit(const Axis& axis) {
  Index widest = 0;
  for (const std::string& name : axis.names) widest = std::max(widest, display_width(printable(name)));
  constexpr double letter_width = 6.5, lines = 2;
  return letter_width * static_cast<double>(widest * std::ssize(axis.names)) < lines * paper_width;
}

}  // namespace

// Two points per bucket, in their original order, so that a line still runs from left to right.
Series downsampled(const Series& series, Index most) {
  const Index n = std::ssize(series.x);
  if (n <= most || most < 2) return series;
  // Buckets of equal count along x, not of equal length: crowded regions keep their shape.
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return series.x[a] < series.x[b]; });
  const Index buckets = most / 2;
  std::vector<std::size_t> kept;
  for (Index s = 0; s < buckets; ++s) {
    const auto first = order.begin() + s * n / buckets;
    const auto last = order.begin() + (s + 1) * n / buckets;
    const auto [low, high] =
        std::minmax_element(first, last, [&](std::size_t a, std::size_t b) { return series.y[a] < series.y[b]; });
    kept.push_back(*low);
    if (*high != *low) kept.push_back(*high);
  }
  std::sort(kept.begin(), kept.end());
  Series result = series;
  result.x = picked(series.x, kept);
  result.y = picked(series.y, kept);
  result.lower = picked(series.lower, kept);
  result.upper = picked(series.upper, kept);
  return result;
}

std::string print_svg(const Chart& chart) {
  if (!names_fit(chart.panel.x)) return "";
  if (chart.panel.heat_map && chart.panel.heat_map->values.rows() * chart.panel.heat_map->values.cols() > most_cells) {
    return "";
  }
  Panel panel = chart.panel;
  panel.title.clear();  // the page has it as a heading
  for (Series& series : panel.series) series = downsampled(series, most_points);
  return to_svg({.panels = {panel}, .columns = 1, .panel_width = paper_width, .panel_height = chart.height});
}

// Six images in a row, each panel a heat map on the scale that all images share.
std::string print_svg(const Images& images) {
  Index cells = 0;
  Picture picture{.columns = 6, .panel_width = 90, .panel_height = 90};
  for (Index k = 0; k < std::ssize(images.images); ++k) {
    cells += images.images[k].rows() * images.images[k].cols();
    picture.panels.push_back(
        {.title = k < std::ssize(images.names) ? images.names[k] : "",
         .heat_map = HeatMap{.values = images.images[k], .least = -images.most, .most = images.most}});
  }
  return cells > most_cells ? "" : to_svg(picture);
}

}  // namespace tamis
