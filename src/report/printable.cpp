// Text from files made safe and aligned for terminals and pages.
//
// Untrusted  feature names, levels and file names may hold escape sequences, line breaks, direction marks (which
//            reorder the text around them) and invalid UTF-8. All of these are replaced by visible escapes: \n, \x1b,
//            \u202e.
// Width      columns are aligned by display width, not bytes: East Asian wide characters take two columns, combining
//            marks none. The tables are coarse; a wrong width shifts a column by one and nothing else.
// Locale     not used: wcwidth() and isprint() depend on it, and output should be the same everywhere.
// Escapes    newline \n, carriage return \r, tab \t; other characters below U+0100 and invalid bytes \x1b, others
//            \u202e.
#include "tamis/report/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tamis {
namespace {

struct Character {
  char32_t code = 0;
  Index bytes = 1;
  bool valid = false;
};

// First character of the text: strict UTF-8 (RFC 3629), no overlong forms, no surrogates. An invalid byte is a
// character of its own, so that the next one is decoded again.
Character decode(std::string_view text) {
  const auto byte = [&](Index k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const Index bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || std::ssize(text) < bytes) return {lead, 1, false};
  char32_t code = lead & (0xFF >> (bytes + 1));
  for (Index k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {lead, 1, false};
    code = (code << 6) | (byte(k) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {lead, 1, false};
  return {code, bytes, true};
}

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t size>
bool is_in(char32_t code, const std::array<Range, size>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](Range r) { return code >= r.first && code <= r.last; });
}

// Invisible characters: controls, line separators, zero-width and direction marks, tags.
bool is_invisible(char32_t code) {
  constexpr std::array<Range, 10> ranges{{{0x00, 0x1F},
                                          {0x7F, 0x9F},
                                          {0xAD, 0xAD},
                                          {0x61C, 0x61C},
                                          {0x180E, 0x180E},
                                          {0x200B, 0x200F},
                                          {0x2028, 0x202E},
                                          {0x2060, 0x206F},
                                          {0xFEFF, 0xFEFF},
                                          {0xE0000, 0xE0FFF}}};
  return is_in(code, ranges);
}

// Unicode's East Asian Width W and F and combining marks, coarsened to blocks that occur in data.
Index width_of(char32_t code) {
  constexpr std::array<Range, 6> combining{
      {{0x300, 0x36F}, {0x483, 0x489}, {0x591, 0x5BD}, {0x64B, 0x65F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
  constexpr std::array<Range, 10> wide{{{0x1100, 0x115F},
                                        {0x2E80, 0x303E},
                                        {0x3041, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0xFFE0, 0xFFE6},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};
  if (is_in(code, combining)) return 0;
  return is_in(code, wide) ? 2 : 1;
}

std::string spelled_out(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  const auto number = static_cast<std::uint32_t>(code);
  return number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = decode(text);
    if (c.valid && !is_invisible(c.code)) {
      result += text.substr(0, c.bytes);
    } else {
      result += spelled_out(c.code);
    }
    text.remove_prefix(c.bytes);
  }
  return result;
}

// Sum over characters; `text` should be printable() already, for escapes are wider than what they replace.
Index display_width(std::string_view text) {
  Index width = 0;
  while (!text.empty()) {
    const Character c = decode(text);
    width += width_of(c.code);
    text.remove_prefix(c.bytes);
  }
  return width;
}

// Cut from the end at a character boundary and padded to `width`; "..." shows the cut, shorter in columns narrower than
// 3.
std::string fitted(std::string_view text, Index width) {
  constexpr std::string_view mark = "...";
  std::string shown = printable(text);
  Index used = display_width(shown);
  if (used > width) {
    const Index room = std::max<Index>(0, width - std::ssize(mark));
    std::size_t kept = 0;
    used = 0;
    while (kept < shown.size()) {
      const Character c = decode(std::string_view(shown).substr(kept));
      if (used + width_of(c.code) > room) break;
      used += width_of(c.code);
      kept += c.bytes;
    }
    const std::string_view end = mark.substr(0, std::min<Index>(width, 3));
    shown = shown.substr(0, kept).append(end);
    used += std::ssize(end);
  }
  return shown.append(width - used, ' ');
}

}  // namespace tamis
