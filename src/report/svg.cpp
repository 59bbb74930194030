// SVG elements as text.
// Numbers    rounded to hundredths of a pixel, without trailing zeros: smaller files, and the same bytes on every
//            machine.
// Text       escaped and printable; characters that XML 1.0 forbids (controls) cannot occur after printable().
// Fonts      those of the viewer; no metrics, so text_width() is an estimate: 0.57 em per column fits Helvetica's wide
//            letters.
#include "report/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

std::string attributes(const Paint& paint) {
  std::string text = fmt::format(" fill=\"{}\"", paint.fill);
  if (!paint.stroke.empty()) {
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, svg_number(paint.width));
    if (!paint.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", paint.dashes);
  }
  if (paint.opacity < 1) text += fmt::format(" opacity=\"{}\"", svg_number(paint.opacity));
  return text;
}

std::string coordinates(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", svg_number(point.x), svg_number(point.y));
  }
  return text;
}

std::string_view word_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      break;
  }
  return "end";
}

}  // namespace

// Hundredths of a pixel are below what a screen or printer resolves.
std::string svg_number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);  // never "-0"
}

// Text and attribute values; apostrophes need no escape, since all attributes are in double quotes.
std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double text_width(std::string_view words, double size) {
  return 0.57 * size * static_cast<double>(display_width(printable(words)));
}

Svg::Svg(double width, double height)
    : body_(
          fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
                      svg_number(width), svg_number(height))) {}

void Svg::line(Point a, Point b, const Paint& paint) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", svg_number(a.x), svg_number(a.y),
                       svg_number(b.x), svg_number(b.y), attributes(paint));
}

void Svg::polyline(const std::vector<Point>& points, const Paint& paint) {
  body_ +=
      fmt::format("<polyline points=\"{}\" stroke-linejoin=\"round\"{}/>\n", coordinates(points), attributes(paint));
}

void Svg::polygon(const std::vector<Point>& points, const Paint& paint) {
  body_ += fmt::format("<polygon points=\"{}\"{}/>\n", coordinates(points), attributes(paint));
}

void Svg::rectangle(Point corner, double width, double height, const Paint& paint) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", svg_number(corner.x),
                       svg_number(corner.y), svg_number(width), svg_number(height), attributes(paint));
}

void Svg::circle(Point center, double radius, const Paint& paint) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", svg_number(center.x), svg_number(center.y),
                       svg_number(radius), attributes(paint));
}

void Svg::path(std::string_view commands, const Paint& paint) {
  body_ += fmt::format("<path d=\"{}\"{}/>\n", commands, attributes(paint));
}

void Svg::text(Point at, std::string_view words, const Lettering& lettering) {
  const std::string turned =
      lettering.upright ? "" : fmt::format(" transform=\"rotate(-90 {} {})\"", svg_number(at.x), svg_number(at.y));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
                       svg_number(at.x), svg_number(at.y), svg_number(lettering.size), word_of(lettering.anchor),
                       lettering.fill, lettering.bold ? " font-weight=\"bold\"" : "", turned, xml_escaped(words));
}

// A nested svg cuts off by itself. A clipPath would need an id, and two pictures on one page would share it.
void Svg::begin_clipped(Point corner, double width, double height) {
  const std::string x = svg_number(corner.x), y = svg_number(corner.y);
  const std::string w = svg_number(width), h = svg_number(height);
  body_ +=
      fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n", x, y, w, h);
}

void Svg::end_clipped() { body_ += "</svg>\n"; }

}  // namespace tamis
