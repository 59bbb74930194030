// Self-contained HTML page: head, sheets as tabs, data, script.
//
// Security   text of a page comes from data files. All of it is escaped (xml_escaped, script_safe), and a content
//            security policy allows only the one style sheet and the one script whose SHA-256 it names: no network, no
//            inline handlers, no other script, so that a missed escape would still not run.
// Offline    no external resources: a page opened years later, without network, looks the same.
// Script     progressive: text, tables and SVG are in the HTML; the script replaces them by interactive charts.
// Structure  <head>    policy, title, style sheet
//            <body>    banner, tabs (more than one sheet), <main> with one <article> per sheet, footer
//                      <script type="application/json" id="page-data">   data of all charts and tables, by id
//                      <script>                                          web/dist, as built
#include "tamis/report/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/page_assets.hpp"
#include "report/page_blocks.hpp"
#include "report/page_data.hpp"
#include "report/svg.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

// Hexadecimal to base64, the form in which a content security policy names hashes.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const char c : hex) {
    bits = bits << 4U | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += letters[bits >> static_cast<unsigned>(held) & 63U];
  }
  if (held > 0) out += letters[bits << static_cast<unsigned>(6 - held) & 63U];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

std::string head(const Page& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; "
      "style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"tamis {}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      base64_of_hex(page_script_sha256), base64_of_hex(page_style_sha256), version, xml_escaped(page.title),
      page_style);
}

// Logo, and the button for the color theme, hidden until the script enables it.
std::string banner() {
  return "<header class=\"banner\"><span class=\"brand\"><svg viewBox=\"0 0 24 24\" width=\"22\" height=\"22\" "
         "aria-hidden=\"true\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\"><circle cx=\"12\" cy=\"12\" "
         "r=\"10\"/><path d=\"M8 3v18M12 2v20M16 3v18M3 8h18M2 12h20M3 16h18\" stroke-width=\".7\"/></svg>tamis</span>"
         "<button type=\"button\" class=\"theme\" hidden></button></header>\n";
}

// ARIA roles of the tab pattern; a single sheet has no tabs.
std::string tabs(const Page& page) {
  if (page.sheets.size() < 2) return "";
  std::string html = "<nav><div class=\"tabs\" role=\"tablist\" aria-label=\"Sheets\">\n";
  for (Index k = 0; k < std::ssize(page.sheets); ++k) {
    html += fmt::format(
        "<button type=\"button\" role=\"tab\" id=\"tab-{0}\" aria-controls=\"sheet-{0}\" aria-selected=\"{1}\" "
        "tabindex=\"{2}\">{3}</button>\n",
        k + 1, k == 0, k == 0 ? 0 : -1, xml_escaped(page.sheets[k].name));
  }
  return html + "</div></nav>\n";
}

std::string sheet_html(const Sheet& sheet, std::size_t number, bool tabbed, Json& data) {
  std::string html = fmt::format("<article id=\"sheet-{}\"", number);
  if (tabbed) html += fmt::format(" role=\"tabpanel\" aria-labelledby=\"tab-{}\"", number);
  html += fmt::format(">\n<h1>{}</h1>\n", xml_escaped(sheet.title));
  if (!sheet.note.empty()) html += fmt::format("<p class=\"note\">{}</p>\n", xml_escaped(sheet.note));
  for (const Section& section : sheet.sections) html += section_html(section, data);
  return html + "</article>\n";
}

}  // namespace

std::string to_html(const Page& page) {
  Json data = Json::object();
  std::string body = "<body>\n" + banner() + tabs(page) + "<main>\n";
  for (Index k = 0; k < std::ssize(page.sheets); ++k) {
    body += sheet_html(page.sheets[k], k + 1, page.sheets.size() > 1, data);
  }
  body +=
      fmt::format("</main>\n<footer>Created by tamis {}. This page loads no external resources.</footer>\n", version);
  body += "<script type=\"application/json\" id=\"page-data\">" + script_safe(data.dump()) + "</script>\n";
  body += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script);
  return head(page) + body;
}

}  // namespace tamis
