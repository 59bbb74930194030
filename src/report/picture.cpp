// Layout of a picture: title, legend, panels in rows.
// Legend     one for all panels if they have the same series in the same style, else one above each panel.
// Layout     all panels have the same plot size and margins (the largest that any needs), so that axes align.
// Untrusted  series of different lengths are refused before anything is drawn; text is escaped by svg.cpp.
// Sketch     edge | margin left | panel_width | margin right | margin left | panel_width | ... | edge
//            from top to bottom: edge, title, common legend, then per row of panels
//              margin top (panel title), panel legend, panel_height, margin bottom (ticks and label)
#include "tamis/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/plot_marks.hpp"
#include "report/plot_panel.hpp"
#include "report/svg.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Pixels: border of the picture, height of a legend line, width of a legend swatch, font size of the legend.
constexpr double edge = 12;
constexpr double legend_line = 19;
constexpr double swatch = 30;
constexpr double legend_size = 12;

// Vectors of one series are indexed together by plot_marks.cpp.
void check(const Series& series) {
  const Index n = std::ssize(series.x);
  const bool spread_fits = (series.lower.empty() && series.upper.empty()) ||
                           (std::ssize(series.lower) == n && std::ssize(series.upper) == n);
  if (std::ssize(series.y) == n && spread_fits) return;
  throw InvalidInput(
      fmt::format("picture: series '{}' has {} x, {} y, {} lower and {} upper values; expected equal numbers, or no "
                  "lower and upper values",
                  series.name, n, series.y.size(), series.lower.size(), series.upper.size()));
}

std::vector<const Series*> named_series(const Panel& panel) {
  std::vector<const Series*> named;
  for (const Series& series : panel.series) {
    if (!series.name.empty()) named.push_back(&series);
  }
  return named;
}

// A legend entry stands for name, color, dashes and mark.
bool same_style(const Series* a, const Series* b) {
  return a->name == b->name && a->palette_place() == b->palette_place() && a->dash == b->dash && a->mark == b->mark;
}

// Legend common to all panels that have one; empty if they differ.
std::vector<const Series*> shared_legend(const Picture& picture) {
  std::vector<const Series*> shared;
  for (const Panel& panel : picture.panels) {
    const std::vector<const Series*> own = named_series(panel);
    if (own.empty()) continue;
    if (shared.empty()) shared = own;
    if (!std::equal(own.begin(), own.end(), shared.begin(), shared.end(), same_style)) return {};
  }
  return shared;
}

double entry_width(const Series& series) { return swatch + text_width(series.name, legend_size) + 22; }

// The same breaking rule as draw_legend(), so that the room reserved is the room used.
int lines_needed(const std::vector<const Series*>& entries, double width) {
  int lines = entries.empty() ? 0 : 1;
  double used = 0;
  for (const Series* entry : entries) {
    if (used > 0 && used + entry_width(*entry) > width) {
      ++lines;
      used = 0;
    }
    used += entry_width(*entry);
  }
  return lines;
}

// The swatch shows the mark of the series: bar, line, marker or line with marker.
void draw_swatch(Svg& svg, Point at, const Series& series) {
  const Paint paint{.stroke = color_of(series.palette_place()), .width = 2, .dashes = dashes_of(series.dash)};
  const Point middle{at.x + swatch / 2 - 3, at.y - 4};
  if (series.mark == Mark::bars) {
    svg.rectangle({middle.x - 6, middle.y - 5}, 12, 10, {.fill = color_of(series.palette_place()), .opacity = 0.8});
    return;
  }
  if (series.mark != Mark::points) svg.line({at.x, middle.y}, {at.x + swatch - 6, middle.y}, paint);
  if (series.mark != Mark::line) draw_marker(svg, middle, series.palette_place());
}

// Entries from left to right, wrapped to the next line when full.
void draw_legend(Svg& svg, const std::vector<const Series*>& entries, Point at, double width) {
  double used = 0;
  for (const Series* entry : entries) {
    if (used > 0 && used + entry_width(*entry) > width) {
      at.y += legend_line;
      used = 0;
    }
    draw_swatch(svg, {at.x + used, at.y}, *entry);
    svg.text({at.x + used + swatch, at.y}, entry->name, {.size = legend_size});
    used += entry_width(*entry);
  }
}

// Sizes in pixels, computed once before anything is drawn.
struct Layout {
  std::vector<const Series*> shared;
  double head = 0;          // title and shared legend
  double panel_legend = 0;  // room above each panel for its own
  double cell_width = 0;
  double cell_height = 0;
  Index columns = 1;
  Index rows = 0;
  Margins margins;

  explicit Layout(const Picture& picture) : shared(shared_legend(picture)) {
    const Index count = picture.panels.size();
    for (const Panel& panel : picture.panels) margins.left = std::max(margins.left, room_for_names(panel));
    columns = std::clamp<Index>(picture.columns, 1, std::max<Index>(1, count));
    rows = (count + columns - 1) / columns;
    head = (picture.title.empty() ? 0 : 30) + legend_line * lines_needed(shared, width_of_line(picture));
    if (shared.empty()) {
      for (const Panel& panel : picture.panels) {
        panel_legend = std::max(panel_legend, legend_line * lines_needed(named_series(panel), picture.panel_width));
      }
    }
    cell_width = margins.left + picture.panel_width + margins.right;
    cell_height = margins.top + panel_legend + picture.panel_height + margins.bottom;
  }

  double width_of_line(const Picture& picture) const {
    return static_cast<double>(columns) * (margins.left + picture.panel_width + margins.right) - margins.left;
  }
};

void draw_cell(Svg& svg, const Panel& panel, const Layout& layout, Index place, const Picture& picture) {
  const Index row = place / layout.columns, column = place % layout.columns;
  const Point corner{edge + static_cast<double>(column) * layout.cell_width,
                     edge + layout.head + static_cast<double>(row) * layout.cell_height};
  const Box plot{corner.x + layout.margins.left, corner.y + layout.margins.top + layout.panel_legend,
                 picture.panel_width, picture.panel_height};
  svg.text({plot.left, corner.y + 16}, panel.title, {.size = 13, .bold = true});
  if (layout.shared.empty()) {
    draw_legend(svg, named_series(panel), {plot.left, corner.y + layout.margins.top + 10}, plot.width);
  }
  draw_panel(svg, panel, plot);
}

}  // namespace

std::string to_svg(const Picture& picture) {
  for (const Panel& panel : picture.panels) std::for_each(panel.series.begin(), panel.series.end(), check);
  const Layout layout(picture);
  const double width = 2 * edge + static_cast<double>(layout.columns) * layout.cell_width;
  Svg svg(width, 2 * edge + layout.head + static_cast<double>(layout.rows) * layout.cell_height);
  if (!picture.title.empty())
    svg.text({edge + layout.margins.left, edge + 16}, picture.title, {.size = 15, .bold = true});
  const double legend_top = edge + (picture.title.empty() ? 14 : 44);
  draw_legend(svg, layout.shared, {edge + layout.margins.left, legend_top}, layout.width_of_line(picture));
  for (Index k = 0; k < std::ssize(picture.panels); ++k) {
    draw_cell(svg, picture.panels[k], layout, k, picture);
  }
  return svg.finish();
}

}  // namespace tamis
