// Layout of a CSV file: header, delimiter, and chunks of whole records that can be parsed in parallel. Two fast passes
// over the bytes; no cell is parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/source.hpp"

namespace tamis::io {

/// Whole records, from row `first_row` (counted from 0) on.
struct CsvChunk {
  const char* begin = nullptr;
  const char* end = nullptr;
  Index first_row = 0;
  Index rows = 0;
};

/// All pointers are into the Source, which must outlive the layout. Chunks are in file order, without gaps, and their
/// row ranges cover 0 to rows - 1.
struct CsvLayout {
  char delimiter = ',';
  std::vector<std::string> names;  ///< of all columns
  Index rows = 0;
  const char* end = nullptr;  ///< of the last record, without the empty lines that may follow
  std::vector<CsvChunk> chunks;

  Index fields() const { return std::ssize(names); }
};

/// Throws InvalidInput on what is not a table: no header, no rows, an open quote, NUL bytes, names that repeat.
/// Without `header` the first record is data and columns are named column1, column2, ...
CsvLayout find_csv_layout(const Source& source, bool header = true);

/// One field: `text` without its quotes (in `scratch` if doubled quotes had to be undone), or without the blanks around
/// it; `end` is the delimiter or line end after it. `valid` is false if a quote stands where none may be.
struct CsvField {
  std::string_view text;
  const char* end = nullptr;
  bool valid = true;
};
/// Reads the field at `begin`, which may be quoted and contain line ends. Never reads at or beyond `end`.
CsvField read_field(const char* begin, const char* end, char delimiter, std::string& scratch);

/// True at the end of the text and at \n or \r\n.
inline bool at_line_end(const char* p, const char* end) {
  return p == end || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

/// Skips one line end at `p`.
inline const char* after_line_end(const char* p, const char* end) {
  if (p != end && *p == '\r') ++p;
  return p != end ? p + 1 : p;
}

/// Fields of the record at `begin`.
Index count_fields(const char* begin, const char* end, char delimiter);

}  // namespace tamis::io
