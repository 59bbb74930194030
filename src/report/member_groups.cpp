// Groups of members as HTML without script: the same on the screen and on paper.
// Strip      one segment per member, as wide as its share on one scale for all groups; SVG, for the page's policy
//            allows no style attributes. Five depths of color show how close a member is to the first.
// Names      the first members are listed, the others behind a disclosure element.
// Untrusted  names are made visible text and escaped.
#include "report/member_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/phrases.hpp"
#include "report/svg.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr Index most_open = 10;  // members that are listed at once

void check(const MemberGroup& group) {
  const std::size_t members = group.names.size();
  if (group.shares.size() == members && (group.closeness.empty() || group.closeness.size() == members)) return;
  throw InvalidInput(fmt::format("page: a group has {} names, {} shares and {} values of closeness; expected as many",
                                 members, group.shares.size(), group.closeness.size()));
}

double closeness_of(const MemberGroup& group, Index k) { return group.closeness.empty() ? 1 : group.closeness[k]; }

// 1 from 0.5, ..., 5 from 0.9.
int depth_of(double closeness) { return std::clamp(static_cast<int>(std::floor(closeness * 10 + 1e-9)) - 4, 1, 5); }

std::string details_of(const MemberGroup& group, Index k) {
  std::string words = share_words(group.shares[k]);
  if (k > 0 && !group.closeness.empty()) words += fmt::format(", r {:.2f}", group.closeness[k]);
  return words;
}

std::string strip(const MemberGroup& group, double scale) {
  constexpr double width = 1000;
  std::string html = "<svg class=\"strip\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">";
  double from = 0;
  for (Index k = 0; k < std::ssize(group.names); ++k) {
    const double wide = width * group.shares[k] / scale;
    html += fmt::format("<rect class=\"depth-{}\" x=\"{:.2f}\" width=\"{:.2f}\" height=\"10\"><title>{}</title></rect>",
                        depth_of(closeness_of(group, k)), from, wide,
                        xml_escaped(short_name(group.names[k]) + ": " + details_of(group, k)));
    from += wide;
  }
  return html + "</svg>\n";
}

std::string names_from(const MemberGroup& group, Index first, Index last) {
  std::string html = "<ul class=\"members\">";
  for (Index k = first; k < last; ++k) {
    html += fmt::format("<li><strong>{}</strong> <span>{}</span></li>\n", xml_escaped(short_name(group.names[k])),
                        details_of(group, k));
  }
  return html + "</ul>\n";
}

std::string group_html(const MemberGroup& group, double scale) {
  const Index count = std::ssize(group.names);
  const Index open = count <= most_open + 1 ? count : most_open;
  std::string html =
      fmt::format("<li><p>{}</p>\n{}{}", xml_escaped(group.words), strip(group, scale), names_from(group, 0, open));
  if (count > open) {
    html +=
        fmt::format("<details><summary>{} more</summary>{}</details>\n", count - open, names_from(group, open, count));
  }
  return html + "</li>\n";
}

}  // namespace

std::string member_groups_html(const MemberGroups& groups) {
  double scale = 1;
  for (const MemberGroup& group : groups.groups) {
    check(group);
    scale = std::max(scale, std::accumulate(group.shares.begin(), group.shares.end(), 0.0));
  }
  std::string html = "<div class=\"groups\">\n";
  if (!groups.title.empty()) html += fmt::format("<h3>{}</h3>\n", xml_escaped(groups.title));
  if (!groups.caption.empty()) html += fmt::format("<p class=\"caption\">{}</p>\n", xml_escaped(groups.caption));
  html += "<ol>\n";
  for (const MemberGroup& group : groups.groups) html += group_html(group, scale);
  return html + "</ol></div>\n";
}

}  // namespace tamis
