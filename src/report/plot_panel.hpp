// One panel of a picture: frame, grid, ticks, labels, and the data inside.
#pragma once

#include "report/svg.hpp"
#include "tamis/report/picture.hpp"

namespace tamis {

/// In pixels, y downwards.
struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

/// Draws into `plot` (the rectangle of the data); title, ticks and labels go around it.
void draw_panel(Svg& svg, const Panel& panel, const Box& plot);

/// Room that the names on the y axis need left of the plot, its label included; 0 if it has none.
double room_for_names(const Panel& panel);

/// Room that the ticks and labels of a panel need around its plot.
struct Margins {
  double left = 64;
  double right = 16;
  double top = 26;
  double bottom = 48;
};

}  // namespace tamis
