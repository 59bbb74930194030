// SVG, element by element: numbers in few digits, text escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tamis {

struct Point {
  double x = 0;
  double y = 0;
};

/// How a shape is drawn; "" leaves an attribute out.
struct Paint {
  std::string fill = "none";
  std::string stroke = {};
  double width = 1;
  std::string dashes = {};
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct Lettering {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string fill = "#333333";
  bool bold = false;
  bool upright = true;  ///< false: read from below, turned by 90 degrees
};

/// Coordinates in pixels, y downwards. Elements are drawn in the order of the calls, later ones above. Text is escaped
/// here; colors and dashes are taken as given and must not come from data.
class Svg {
 public:
  Svg(double width, double height);

  void line(Point a, Point b, const Paint& paint);
  void polyline(const std::vector<Point>& points, const Paint& paint);
  void polygon(const std::vector<Point>& points, const Paint& paint);
  void rectangle(Point corner, double width, double height, const Paint& paint);
  void circle(Point center, double radius, const Paint& paint);
  void path(std::string_view commands, const Paint& paint);
  void text(Point at, std::string_view words, const Lettering& lettering);
  /// What is drawn until end_clipped() is cut off outside the rectangle.
  void begin_clipped(Point corner, double width, double height);
  void end_clipped();
  /// The whole document.
  std::string finish() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

/// In the fewest digits of hundredths: "12", "12.5", "-0.25".
std::string svg_number(double value);
/// printable() text as XML allows it: &, <, > and quotes are spelled out.
std::string xml_escaped(std::string_view text);
/// About how wide the words are; no fonts are measured, so a little generous.
double text_width(std::string_view words, double size);

}  // namespace tamis
