// Layout of a CSV file: encoding, delimiter, header, and chunks of whole records for parallel parsing.
//
// Format     RFC 4180 with the usual extensions: delimiter comma, semicolon or tab; \n or \r\n; a byte order mark;
//            blanks around fields; empty lines at the end. A quoted field may contain delimiters and line ends.
// Algorithm  1 cut the file into segments of about 1 MB regardless of records; count newlines, quotes and NULs in each,
//            in parallel
//            2 prefix sum of the quotes: a segment starts inside a quoted field iff the number of quotes before it is
//              odd (a doubled quote counts twice and changes nothing)
//            3 in each segment find the first newline outside quotes and count such newlines, in parallel
//            4 chunk k is from there to the same place of the next segment; its first row is the count before it
// Guarantee  every chunk holds whole records and knows the number of its first row, so that errors name the row
//            whatever thread finds them. A file whose quotes are not balanced is refused before any chunk is parsed.
// Untrusted  all bytes. NUL bytes are refused (binary files, UTF-16), UTF-16 and UTF-32 by their marks.
// Example    a,"x      segment 1: one quote, so segment 2 starts inside quotes and its first newline is content;
//            y",b      the second quote ends the field, and the newline after b ends the record.
#include "io/csv_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "io/message_text.hpp"
#include "io/parse_number.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::io {
namespace {

struct Counts {
  Index newlines = 0;
  Index quotes = 0;
  Index zeros = 0;
};

// Byte-wide counters in 64 lanes: compilers turn the inner loop into vector compares and subtracts; at most 255 blocks,
// so that no counter overflows.
Counts count_bytes(const char* p, const char* end) {
  constexpr Index lanes = 64;
  Counts total;
  while (p != end) {
    std::array<std::uint8_t, lanes> newlines{};
    std::array<std::uint8_t, lanes> quotes{};
    std::array<std::uint8_t, lanes> zeros{};
    const Index blocks = std::min<Index>(255, (end - p) / lanes);
    for (Index b = 0; b < blocks; ++b, p += lanes) {
      for (Index k = 0; k < lanes; ++k) {
        newlines[k] = static_cast<std::uint8_t>(newlines[k] + (p[k] == '\n'));
        quotes[k] = static_cast<std::uint8_t>(quotes[k] + (p[k] == '"'));
        zeros[k] = static_cast<std::uint8_t>(zeros[k] + (p[k] == '\0'));
      }
    }
    for (Index k = 0; k < lanes; ++k) {
      total.newlines += newlines[k];
      total.quotes += quotes[k];
      total.zeros += zeros[k];
    }
    if (blocks == 0) {
      for (; p != end; ++p) {
        total.newlines += *p == '\n';
        total.quotes += *p == '"';
        total.zeros += *p == '\0';
      }
    }
  }
  return total;
}

// Segment of the file, cut regardless of records.
struct Segment {
  const char* begin;
  const char* end;
  Counts counts = {};
  const char* first_newline = nullptr;  // outside quotes
};

// The usual segment has no quotes, and its newlines have been counted already: only the first one is searched for.
void find_newlines(Segment& s, bool inside_quotes) {
  if (s.counts.quotes == 0 && !inside_quotes) {
    s.first_newline = static_cast<const char*>(std::memchr(s.begin, '\n', s.end - s.begin));
    return;
  }
  s.counts.newlines = 0;
  for (const char* p = s.begin; p != s.end; ++p) {
    if (*p == '"') inside_quotes = !inside_quotes;
    if (*p != '\n' || inside_quotes) continue;
    if (s.first_newline == nullptr) s.first_newline = p;
    ++s.counts.newlines;
  }
}

void refuse_nul(const Source& source, const char* begin, const char* end) {
  const char* at = std::find(begin, end, '\0');
  if (at == end) return;
  source.refuse(fmt::format(
      "line {} contains a NUL byte; expected text (is this a binary file or UTF-16?); save it as CSV in UTF-8",
      source.line_of(at)));
}

// Error path: scans again for the last quote that opened a field.
void refuse_open_quote(const Source& source, const char* begin, const char* end) {
  const char* opening = begin;
  bool inside = false;
  for (const char* p = begin; p != end; ++p) {
    if (*p != '"') continue;
    if (!inside) opening = p;
    inside = !inside;
  }
  source.refuse(fmt::format("line {} opens a quote that is never closed; double every quote inside a quoted field",
                            source.line_of(opening)));
}

// Steps 1 to 3. Segments grow with the number of columns, since every chunk has a tally per column.
std::vector<Segment> scan_segments(const Source& source, const char* begin, const char* end, std::size_t fields) {
  // A tally takes tens of bytes per column and chunk: wide tables get larger segments.
  constexpr std::size_t many_fields = 8192;
  const Index chunk_bytes = source.limits().chunk_bytes * (1 + fields / many_fields);
  std::vector<Segment> segments;
  for (const char* p = begin; p != end;) {
    const char* next = end - p > chunk_bytes ? p + chunk_bytes : end;
    segments.push_back({p, next});
    p = next;
  }
  const Index count = segments.size();
  parallel_for(count, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      auto& s = segments[k];
      s.counts = count_bytes(s.begin, s.end);
      source.release(s.begin, s.end);
    }
  });
  std::vector<char> starts_inside(segments.size());
  Index quotes = 0;
  for (Index k = 0; k < std::ssize(segments); ++k) {
    if (segments[k].counts.zeros > 0) refuse_nul(source, segments[k].begin, segments[k].end);
    starts_inside[k] = quotes % 2 == 1 ? 1 : 0;
    quotes += segments[k].counts.quotes;
  }
  if (quotes % 2 == 1) refuse_open_quote(source, begin, end);
  parallel_for(count, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      auto& s = segments[k];
      find_newlines(s, starts_inside[k] != 0);
      source.release(s.begin, s.end);
    }
  });
  return segments;
}

// Chunk k begins after the first record end in segment k; a segment inside one long record begins none.
void cut_into_chunks(const std::vector<Segment>& segments, CsvLayout& layout) {
  Index newlines = 0;
  for (const auto& s : segments) {
    if (layout.chunks.empty()) {
      layout.chunks.push_back({s.begin, nullptr, 0, 0});
    } else if (s.first_newline != nullptr) {
      layout.chunks.push_back({s.first_newline + 1, nullptr, newlines + 1, 0});
    }
    newlines += s.counts.newlines;
  }
  layout.rows = newlines + 1;  // the last record has no line end: trailing ones were cut off
  for (Index k = 0; k < std::ssize(layout.chunks); ++k) {
    const bool last = k + 1 == std::ssize(layout.chunks);
    auto& chunk = layout.chunks[k];
    chunk.end = last ? layout.end : layout.chunks[k + 1].begin;
    chunk.rows = (last ? layout.rows : layout.chunks[k + 1].first_row) - chunk.first_row;
  }
}

// Tab for .tsv files; otherwise the candidate that occurs most in the header outside quotes; comma in a tie (and for a
// single column). Only the header counts: data may contain decimal commas.
char sniff_delimiter(const Source& source, const char* begin, const char* end) {
  if (source.extension() == ".tsv") return '\t';
  constexpr std::array candidates = {',', ';', '\t'};
  std::array<Index, 3> found{};
  bool inside = false;
  for (const char* p = begin; p != end && (inside || *p != '\n'); ++p) {
    if (*p == '"') inside = !inside;
    for (Index k = 0; k < std::ssize(candidates) && !inside; ++k) found[k] += *p == candidates[k];
  }
  return candidates[std::max_element(found.begin(), found.end()) - found.begin()];
}

// Names identify columns everywhere, in options and in models: duplicates would be ambiguous.
void refuse_repeats(const Source& source, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (Index j = 0; j < std::ssize(names); ++j) {
    const auto [at, fresh] = first.emplace(names[j], j);
    if (!fresh) {
      source.refuse(fmt::format("columns {} and {} have the same name {}; rename one of them", at->second + 1, j + 1,
                                shown(names[j])));
    }
  }
}

// Single names may be empty (R writes row names so), but a blank first line is no header.
void refuse_empty_line(const Source& source, const char* begin, const char* end) {
  const char* p = begin;
  while (p != end && *p == ' ') ++p;
  if (!at_line_end(p, end)) return;
  source.refuse("line 1 is empty; expected the column names: remove empty lines above the header");
}

// Column names; returns the beginning of the data. An empty name becomes "column<k>".
const char* read_header(const Source& source, const char* begin, const char* end, CsvLayout& layout) {
  std::string scratch;
  const char* p = begin;
  for (;;) {
    const CsvField field = read_field(p, end, layout.delimiter, scratch);
    if (!field.valid) {
      if (std::count(begin, end, '"') % 2 == 1) refuse_open_quote(source, begin, end);
      source.refuse(fmt::format(
          "line {}: unexpected quote inside a column name; quote the whole name and double the quote inside it",
          source.line_of(p)));
    }
    const std::string_view name = field.text;
    if (!is_utf8(name)) {
      source.refuse(
          fmt::format("the name of column {} is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8",
                      layout.names.size() + 1));
    }
    layout.names.push_back(name.empty() ? fmt::format("column{}", layout.names.size() + 1) : std::string(name));
    p = field.end;
    if (p == end || *p != layout.delimiter) break;
    ++p;
  }
  refuse_nul(source, begin, p);
  refuse_repeats(source, layout.names);
  return after_line_end(p, end);
}

std::string_view without_mark_and_trailing_newlines(const Source& source) {
  std::string_view text = source.bytes();
  using namespace std::string_view_literals;
  // UTF-32 first: the mark of UTF-16 is a prefix of its mark.
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) {
    source.refuse("the file is encoded in UTF-32; save it as CSV in UTF-8");
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    source.refuse("the file is encoded in UTF-16; save it as CSV in UTF-8");
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

// State machine for one field. Doubled quotes are undone in `scratch`, all other fields are views of the file. A quote
// inside an unquoted field and text after a closing quote are errors: guessing there shifts columns silently.
CsvField read_field(const char* begin, const char* end, char delimiter, std::string& scratch) {
  const auto blank = [&](const char* c) { return c != end && (*c == ' ' || *c == '\t') && *c != delimiter; };
  const char* p = begin;
  while (blank(p)) ++p;
  if (p == end || *p != '"') {
    while (p != end && *p != delimiter && *p != '\n' && *p != '"') ++p;
    const bool valid = p == end || *p != '"';
    if ((p == end || *p == '\n') && p != begin && p[-1] == '\r') --p;
    return {trimmed(std::string_view(begin, p)), p, valid};
  }
  const char* start = ++p;
  scratch.clear();
  bool doubled = false;
  for (;;) {
    while (p != end && *p != '"') ++p;
    if (p == end) return {{}, end, false};
    const bool again = p + 1 != end && p[1] == '"';
    if (again || doubled) scratch.append(start, again ? p + 1 : p);
    if (!again) break;
    doubled = true;
    p += 2;
    start = p;
  }
  const std::string_view text = doubled ? std::string_view(scratch) : std::string_view(start, p - start);
  ++p;
  while (blank(p)) ++p;
  return {text, p, at_line_end(p, end) || *p == delimiter};
}

Index count_fields(const char* begin, const char* end, char delimiter) {
  Index fields = 1;
  bool inside = false;
  for (const char* p = begin; p != end && (inside || *p != '\n'); ++p) {
    if (*p == '"') inside = !inside;
    if (*p == delimiter && !inside) ++fields;
  }
  return fields;
}

CsvLayout find_csv_layout(const Source& source, bool header) {
  const std::string_view text = without_mark_and_trailing_newlines(source);
  if (text.empty()) source.refuse("the file is empty; expected a header with column names and at least one row");
  const char* begin = text.data();
  CsvLayout layout;
  layout.end = begin + text.size();
  layout.delimiter = sniff_delimiter(source, begin, layout.end);
  if (header) {
    refuse_empty_line(source, begin, layout.end);
    begin = read_header(source, begin, layout.end, layout);
  } else {
    const Index fields = count_fields(begin, layout.end, layout.delimiter);
    for (Index j = 0; j < fields; ++j) layout.names.push_back(fmt::format("column{}", j + 1));
  }
  if (begin == layout.end) {
    const bool old_line_ends = text.find('\r') != std::string_view::npos && text.find('\n') == std::string_view::npos;
    source.refuse(old_line_ends
                      ? "lines end in a bare carriage return; convert the line endings, for example with tr '\\r' '\\n'"
                      : "the file has a header but no rows; expected at least one row of data");
  }
  cut_into_chunks(scan_segments(source, begin, layout.end, layout.names.size()), layout);
  return layout;
}

}  // namespace tamis::io
