// Data of a panel as SVG: lines, markers, error bars, bands, bars, stems, cells of a heat map.
#pragma once

#include <string>

#include "report/scale.hpp"
#include "report/svg.hpp"
#include "tamis/report/picture.hpp"

namespace tamis {

/// The palette of Okabe & Ito (2008), without its yellow, which is too pale on white.
const std::string& color_of(Index place);
std::string dashes_of(Dash dash);

/// A marker whose shape goes with the color's place, so that color is not the only difference.
void draw_marker(Svg& svg, Point at, Index color, double size = 3.4);
/// Values that a scale cannot show are gaps. The series has been checked: equal lengths of all its vectors.
void draw_series(Svg& svg, const Series& series, const Scale& x, const Scale& y);
/// Fills the rectangle between the scales' ends.
void draw_heat_map(Svg& svg, const HeatMap& map, const Scale& x, const Scale& y);

}  // namespace tamis
