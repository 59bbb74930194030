// Charts for print and for readers without script: SVG of moderate size.
#pragma once

#include <string>

#include "tamis/report/page.hpp"

namespace tamis {

/// "" where a drawing by shapes would be too large; the screen's own picture is printed then.
std::string print_svg(const Chart& chart);
std::string print_svg(const Images& images);

/// `series` with at most about `most` points: of each stretch of x the lowest and the highest stay, in their order.
Series downsampled(const Series& series, Index most);

}  // namespace tamis
