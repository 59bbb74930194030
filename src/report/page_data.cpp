// Data of a page as JSON for its script.
// Size       numbers have five significant digits, integers no ".0", consecutive positions are two numbers, as a page
//            may list 100,000 features.
// Missing    NaN and infinities become null, which the script leaves out.
// Untrusted  strings are made printable; script_safe() escapes what could end the script element or a line of script.
// Contract   keys are those that web/ reads; both change together.
// Keys       chart     label, height, x, y, namesFrom, series, rules, remarks, heat
//              axis      label, log, min, max, names
//              series    name, mark, dash, color (place in the palette), x, y, lower, upper, band
//              heat      rows, cols, values (row-major), least, most
//            listing   id, label, columns, order, marked, markedLabel
//              column    title, meaning, share, words or numbers, lower, upper, drawn
//            images    images (as heat, without ends), names, most
#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tamis/base/error.hpp"
#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double shown = page_number(value);
  // 1, not 1.0: half the size of a long list of counts and zeros.
  constexpr double exact_below = 1e15;
  if (shown == std::floor(shown) && std::abs(shown) < exact_below) return static_cast<std::int64_t>(shown);
  return shown;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json words(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(printable(text));
  return list;
}

// Consecutive positions as start and count.
Json positions(const std::vector<double>& x) {
  for (Index k = 1; k < std::ssize(x); ++k) {
    if (x[k] != x[k - 1] + 1) return numbers(x);
  }
  if (x.size() < 2) return numbers(x);
  return {{"from", number(x.front())}, {"count", x.size()}};
}

std::string_view word_of(Mark mark) {
  switch (mark) {
    case Mark::line:
      return "line";
    case Mark::points:
      return "points";
    case Mark::line_and_points:
      return "line+points";
    case Mark::bars:
      return "bars";
    case Mark::stems:
      break;
  }
  return "stems";
}

std::vector<int> dashes_of_screen(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return {};
    case Dash::dashed:
      return {7, 4};
    case Dash::dotted:
      return {2, 3};
    case Dash::dash_dotted:
      break;
  }
  return {7, 3, 2, 3};
}

Json axis_data(const Axis& axis) {
  Json data = {{"label", printable(axis.label)}, {"log", axis.logarithmic}};
  if (axis.minimum) data["min"] = number(*axis.minimum);
  if (axis.maximum) data["max"] = number(*axis.maximum);
  if (!axis.names.empty()) data["names"] = words(axis.names);
  return data;
}

// Colors by place in the palette, so that the style sheet can give other colors in the dark theme.
Json series_data(const Series& series) {
  Json data = {
      {"name", printable(series.name)},      {"mark", word_of(series.mark)}, {"dash", dashes_of_screen(series.dash)},
      {"color", series.palette_place() % 8}, {"x", positions(series.x)},     {"y", numbers(series.y)}};
  if (!series.lower.empty()) {
    data["lower"] = numbers(series.lower);
    data["upper"] = numbers(series.upper);
    data["band"] = series.band;
  }
  return data;
}

// Row-major, as images and heat maps are drawn.
Json matrix_data(const Matrix& matrix) {
  Json values = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) values.push_back(number(matrix(i, j)));
  }
  return {{"rows", matrix.rows()}, {"cols", matrix.cols()}, {"values", std::move(values)}};
}

std::size_t rows_of(const ListingColumn& column) { return std::max(column.words.size(), column.numbers.size()); }

// Columns of one table must have equal lengths: the script indexes them by row.
void check(const Listing& listing) {
  for (const ListingColumn& column : listing.columns) {
    const std::size_t rows = rows_of(listing.columns.front());
    const bool interval_fits = column.lower.size() == column.upper.size() &&
                               (column.lower.empty() || column.lower.size() == column.numbers.size());
    if (rows_of(column) == rows && interval_fits && (column.words.empty() || column.numbers.empty())) continue;
    throw InvalidInput(
        fmt::format("page: column '{}' of table '{}' has {} words, {} numbers, {} lower and {} upper bounds; expected "
                    "{} of one kind",
                    column.title, listing.title, column.words.size(), column.numbers.size(), column.lower.size(),
                    column.upper.size(), rows));
  }
}

}  // namespace

// Through text: rounding by multiplication would not give the shortest decimal.
double page_number(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr) : value;
}

Json page_data(const Chart& chart) {
  Json data = {{"kind", "chart"},
               {"label", printable(chart.panel.title)},
               {"height", chart.height},
               {"x", axis_data(chart.panel.x)},
               {"y", axis_data(chart.panel.y)},
               {"namesFrom", chart.names_from}};
  Json all = Json::array();
  for (const Series& series : chart.panel.series) all.push_back(series_data(series));
  data["series"] = std::move(all);
  data["rules"] = numbers(chart.panel.rules);
  Json remarks = Json::array();
  for (const Remark& remark : chart.panel.remarks) {
    remarks.push_back({{"x", number(remark.x)}, {"y", number(remark.y)}, {"words", printable(remark.words)}});
  }
  data["remarks"] = std::move(remarks);
  if (chart.panel.heat_map) {
    data["heat"] = matrix_data(chart.panel.heat_map->values);
    data["heat"]["least"] = number(chart.panel.heat_map->least);
    data["heat"]["most"] = number(chart.panel.heat_map->most);
  }
  return data;
}

Json page_data(const Listing& listing) {
  check(listing);
  Json columns = Json::array();
  for (const ListingColumn& column : listing.columns) {
    Json data = {{"title", printable(column.title)}, {"meaning", printable(column.meaning)}, {"share", column.share}};
    if (column.numbers.empty()) {
      data["words"] = words(column.words);
    } else {
      data["numbers"] = numbers(column.numbers);
    }
    if (!column.lower.empty()) {
      data["lower"] = numbers(column.lower);
      data["upper"] = numbers(column.upper);
    }
    if (column.drawn) data["drawn"] = true;
    columns.push_back(std::move(data));
  }
  return {{"kind", "listing"},
          {"id", listing.id},
          {"label", listing.title},
          {"columns", std::move(columns)},
          {"order", listing.order},
          {"marked", listing.marked},
          {"markedLabel", printable(listing.marked_label)}};
}

Json page_data(const Images& images) {
  Json list = Json::array();
  for (const Matrix& image : images.images) list.push_back(matrix_data(image));
  return {{"kind", "images"}, {"images", std::move(list)}, {"names", words(images.names)}, {"most", images.most}};
}

std::string script_safe(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  // Characters outside strings are never '<', '>' or '&' in JSON, so replacing them everywhere by \u escapes is safe.
  // U+2028 and U+2029 are E2 80 A8 and E2 80 A9 in UTF-8.
  for (Index k = 0; k < std::ssize(json); ++k) {
    const char c = json[k];
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (json.compare(k, 3, "\xE2\x80\xA8") == 0 || json.compare(k, 3, "\xE2\x80\xA9") == 0) {
      out += json[k + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      k += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace tamis
