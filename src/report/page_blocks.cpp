// Blocks of a page as HTML.
// Two forms  every chart is an SVG for print and readers without script, and data under an id, from which the script
//            draws the interactive form; every table has its first 20 rows as plain HTML.
// Access     tones of sentences are marked by a sign and by hidden text, not by color alone; tables have column
//            headers.
// Untrusted  all text passes through xml_escaped(); ids are generated here, never taken from data.
// Kinds      Summary   <ul>, one item per sentence         Figures, FactList   <dl>
//            Chart     <figure> with screen and print form  Images              the same, for pixel images
//            Listing   <div> with a plain table, replaced by a sortable one
//            MemberGroups  <ol> of a sentence, a strip and names, without script (member_groups.cpp)
#include "report/page_blocks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/member_groups.hpp"
#include "report/page_data.hpp"
#include "report/print_svg.hpp"
#include "report/svg.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

std::string element(std::string_view name, std::string_view words) {
  return words.empty() ? "" : fmt::format("<{0}>{1}</{0}>\n", name, xml_escaped(words));
}

struct ToneWords {
  std::string_view name;
  std::string_view sign;
  std::string_view spoken;
};
ToneWords words_of(Tone tone) {
  switch (tone) {
    case Tone::finding:
      return {"finding", "&#9679;", "Finding: "};
    case Tone::certainty:
      return {"certainty", "&#9684;", "Certainty: "};
    case Tone::caution:
      break;
  }
  return {"caution", "&#9650;", "Caution: "};
}

std::string facts_html(std::string_view kind, const std::vector<Fact>& facts) {
  std::string html = fmt::format("<dl class=\"{}\">\n", kind);
  for (const Fact& fact : facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_escaped(fact.name), xml_escaped(fact.value));
  }
  return html + "</dl>\n";
}

// Four digits, as in the interactive table; intervals in brackets unless they are drawn.
std::string cell_html(const ListingColumn& column, std::size_t row) {
  if (column.numbers.empty()) return fmt::format("<td>{}</td>", xml_escaped(column.words[row]));
  if (!std::isfinite(column.numbers[row])) return "<td class=\"number\"></td>";
  std::string words = fmt::format("{:.4g}", column.numbers[row]);
  if (!column.lower.empty() && !column.drawn)
    words += fmt::format(" [{:.4g}, {:.4g}]", column.lower[row], column.upper[row]);
  return fmt::format("<td class=\"number\">{}</td>", words);
}

// The first 20 rows, for readers without script; the script replaces them.
std::string plain_table(const Listing& listing) {
  constexpr Index shown = 20;
  if (listing.columns.empty()) return "";
  const ListingColumn& first = listing.columns.front();
  const Index rows = std::max(std::ssize(first.words), std::ssize(first.numbers));
  std::string html = "<table class=\"plain\"><thead><tr>";
  for (const ListingColumn& column : listing.columns) {
    html += fmt::format("<th scope=\"col\">{}</th>", xml_escaped(column.title));
  }
  html += "</tr></thead><tbody>\n";
  for (Index k = 0; k < std::min(rows, shown); ++k) {
    const Index row = listing.order.empty() ? k : listing.order[k];
    html += "<tr>";
    for (const ListingColumn& column : listing.columns) html += cell_html(column, row);
    html += "</tr>\n";
  }
  html += "</tbody></table>\n";
  if (rows > shown) html += fmt::format("<p class=\"plain\">and {} more</p>\n", rows - shown);
  return html;
}

// Visitor over the kinds of blocks; the data of charts and tables are collected under generated ids.
class BlockToHtml {
 public:
  explicit BlockToHtml(Json& data) : data_(data) {}

  std::string operator()(const Summary& summary) const {
    std::string html = "<ul class=\"summary\">\n";
    for (const Sentence& sentence : summary.sentences) {
      const ToneWords tone = words_of(sentence.tone);
      html += fmt::format(
          "<li class=\"{}\"><span class=\"sign\" aria-hidden=\"true\">{}</span><span><span class=\"hidden\">{}</span>"
          "{}</span></li>\n",
          tone.name, tone.sign, tone.spoken, xml_escaped(sentence.words));
    }
    return html + "</ul>\n";
  }
  std::string operator()(const Figures& figures) const { return facts_html("figures", figures.facts); }
  std::string operator()(const FactList& list) const {
    return "<div class=\"fact-list\">" + element("h3", list.title) + facts_html("facts", list.facts) + "</div>\n";
  }
  std::string operator()(const Chart& chart) const {
    return figure("chart", chart.panel.title, chart.caption, print_svg(chart), page_data(chart));
  }
  std::string operator()(const Images& images) const {
    return figure("images", images.title, images.caption, print_svg(images), page_data(images));
  }
  std::string operator()(const MemberGroups& groups) const { return member_groups_html(groups); }
  std::string operator()(const Listing& listing) const {
    Json content = page_data(listing);  // first: it checks the shape
    return fmt::format("<div class=\"listing\" id=\"{}\">\n{}{}{}</div>\n", keep(std::move(content)),
                       element("h3", listing.title), element("p", listing.caption), plain_table(listing));
  }

 private:
  std::string keep(Json content) const {
    std::string id = fmt::format("block-{}", data_.size() + 1);
    data_[id] = std::move(content);
    return id;
  }
  std::string figure(std::string_view kind, std::string_view title, std::string_view caption, const std::string& svg,
                     Json content) const {
    const std::string paper = svg.empty() ? "" : fmt::format("<div class=\"paper\">{}</div>\n", svg);
    return fmt::format("<figure class=\"{}{}\" id=\"{}\">\n{}<div class=\"screen\"></div>\n{}{}</figure>\n", kind,
                       svg.empty() ? " no-paper" : "", keep(std::move(content)), element("h3", title), paper,
                       element("figcaption", caption));
  }

  Json& data_;
};

}  // namespace

std::string block_html(const Block& block, Json& data) { return std::visit(BlockToHtml(data), block); }

// Consecutive charts share a row that wraps on narrow screens.
std::string section_html(const Section& section, Json& data) {
  std::string html = "<section>\n" + element("h2", section.title) + element("p", section.note);
  bool in_row = false;
  for (const Block& block : section.blocks) {
    const bool is_chart = std::holds_alternative<Chart>(block);
    if (is_chart != in_row) html += is_chart ? "<div class=\"charts\">\n" : "</div>\n";
    in_row = is_chart;
    html += block_html(block, data);
  }
  return html + (in_row ? "</div>\n" : "") + "</section>\n";
}

}  // namespace tamis
