// Pictures as self-contained SVG text: panels with lines, points, error bars, bands, bars, stems and heat maps.
// White ground, colors that color-blind readers can tell apart, and a marker of its own for each color.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

struct Axis {
  std::string label = {};
  bool logarithmic = false;            ///< base 10; what is not positive is left out
  std::optional<double> minimum = {};  ///< not given: from the data
  std::optional<double> maximum = {};
  std::vector<std::string> names = {};  ///< written at 1, 2, 3, ... instead of numbers
};

enum class Mark { line, points, line_and_points, bars, stems };
enum class Dash { solid, dashed, dotted, dash_dotted };

/// Points in one color. x and y have the same length; NaN leaves a point out and breaks the line.
struct Series {
  std::string name = {};  ///< in the legend; "": not there
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> lower = {};  ///< ends of the error bars, one for each point; empty: none
  std::vector<double> upper = {};
  Mark mark = Mark::line;
  Dash dash = Dash::solid;
  bool band = false;  ///< a shaded band from lower to upper instead of error bars
  Index color = 0;    ///< a place in the palette of eight, which repeats
  Index colour = 0;   ///< the former name, for one release: counts if `color` is 0
  Index palette_place() const { return color != 0 ? color : colour; }
};

/// Row 0 at the top. Values are colored from `least` (blue) over the middle (white) to `most` (red).
struct HeatMap {
  Matrix values;
  double least = -1;
  double most = 1;
};

/// Words at a point of the data.
struct Remark {
  double x = 0;
  double y = 0;
  std::string words;
};

struct Panel {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  std::vector<double> rules = {};  ///< thin vertical lines at these x
  std::vector<Remark> remarks = {};
  std::optional<HeatMap> heat_map = {};  ///< its axes count columns and rows from 1
};

struct Picture {
  std::string title = {};
  std::vector<Panel> panels = {};
  Index columns = 2;  ///< panels side by side
  double panel_width = 400;
  double panel_height = 270;
};

/// Legends are above the panels: one for all of them if they show the same series, else one for each.
/// Throws InvalidInput if the lengths of a series do not match.
std::string to_svg(const Picture& picture);

}  // namespace tamis
