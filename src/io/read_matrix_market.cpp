// Matrix Market files.
//
// Format     "%%MatrixMarket matrix {coordinate|array} {real|integer|pattern} {general|symmetric|skew-symmetric}",
//            comment lines, sizes, one entry per line; indices start at 1. Arrays are column-major, and symmetric ones
//            list the lower triangle only. Complex and Hermitian matrices are refused.
// Untrusted  sizes: the number of declared entries is bounded by the bytes of the file before anything is allocated,
//            and dimensions of sparse matrices by the stored entries. Every index is checked.
// Guarantee  as many entries as declared, none twice (SciPy would add them up).
// Example    %%MatrixMarket matrix coordinate real general
//            % a comment
//            3 4 2
//            1 1 0.5
//            3 4 -2
#include "io/read_matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/message_text.hpp"
#include "io/sparse_builder.hpp"
#include "io/text_lines.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

constexpr std::string_view banner = "%%matrixmarket";

struct Header {
  bool sparse = false;
  bool pattern = false;
  bool symmetric = false;  // only the lower triangle is written
  bool skew = false;
  Index rows = 0;
  Index cols = 0;
  Index entries = 0;  // lines that follow
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

[[noreturn]] void refuse(const Source& source, const TextLines& lines, const std::string& sentence) {
  source.refuse(fmt::format("line {}: {}", lines.number(), sentence));
}

// A keyword of the banner, case-insensitive as the standard asks.
std::string one_of(const Source& source, std::string_view& line, const char* what,
                   std::initializer_list<std::string_view> known) {
  std::string word = lower(take_word(line));
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  source.refuse(fmt::format("line 1: {} {} is not supported; expected {}{}", what, shown(word),
                            known.size() > 1 ? "one of " : "", fmt::join(known, ", ")));
}

void read_banner(const Source& source, std::string_view line, Header& header) {
  take_word(line);
  one_of(source, line, "object", {"matrix"});
  header.sparse = one_of(source, line, "format", {"coordinate", "array"}) == "coordinate";
  header.pattern = one_of(source, line, "field", {"real", "integer", "pattern", "double"}) == "pattern";
  const std::string symmetry = one_of(source, line, "symmetry", {"general", "symmetric", "skew-symmetric"});
  header.symmetric = symmetry != "general";
  header.skew = symmetry == "skew-symmetric";
  if (header.pattern && !header.sparse)
    source.refuse("line 1: an array cannot have field pattern; expected real or integer");
}

// Entries of an array, by its shape and symmetry; -1 if they exceed the bytes of the file (checked before multiplying).
Index array_entries(const Header& h, Index bytes) {
  if (h.cols > 0 && h.rows > bytes / h.cols + 1) return -1;
  if (!h.symmetric) return h.rows * h.cols;
  return h.skew ? h.rows * (h.rows - 1) / 2 : h.rows * (h.rows + 1) / 2;
}

void read_sizes(const Source& source, TextLines& lines, Header& header) {
  if (!lines.next('%')) source.refuse("the file ends before the size line");
  std::string_view line = lines.line();
  bool valid = parse_index(take_word(line), header.rows) && parse_index(take_word(line), header.cols);
  if (header.sparse) valid = valid && parse_index(take_word(line), header.entries);
  if (!valid || !trimmed(line).empty()) {
    refuse(source, lines,
           fmt::format("{} is not a size line; expected {}", shown(lines.line()),
                       header.sparse ? "rows, columns and stored values" : "rows and columns"));
  }
  if (header.rows == 0 || header.cols == 0)
    refuse(source, lines, "the matrix is empty; expected at least one row and one column");
  if (header.symmetric && header.rows != header.cols) {
    refuse(source, lines,
           fmt::format("the matrix is {} x {}; expected a square matrix, because it is declared symmetric", header.rows,
                       header.cols));
  }
  const Index bytes = source.bytes().size();
  if (!header.sparse) header.entries = array_entries(header, bytes);
  // Least bytes of a line: "1 1\n" is 4, "1\n" is 2.
  const Index least = header.sparse ? 4 : 2;
  if (header.entries < 0 || header.entries > bytes / least) {
    refuse(source, lines,
           fmt::format(
               "a {} x {} matrix with the declared number of values does not fit in {} bytes; is the file truncated?",
               header.rows, header.cols, bytes));
  }
}

// Indices to 32 bits are safe: check_dimension() has bounded both dimensions.
SparseEntry read_entry(const Source& source, const TextLines& lines, const Header& header) {
  std::string_view line = lines.line();
  Index row = 0;
  Index col = 0;
  SparseEntry entry{.value = 1};
  bool valid = parse_index(take_word(line), row) && parse_index(take_word(line), col);
  if (!header.pattern) valid = valid && parse_finite(take_word(line), entry.value);
  if (!valid || !trimmed(line).empty()) {
    refuse(source, lines,
           fmt::format("{} is not {}", shown(lines.line()),
                       header.pattern ? "a row and a column" : "a row, a column and a finite number"));
  }
  if (row < 1 || row > header.rows || col < 1 || col > header.cols) {
    refuse(source, lines,
           fmt::format("row {}, column {} is outside the {} x {} matrix (indices start at 1)", row, col, header.rows,
                       header.cols));
  }
  entry.row = static_cast<std::int32_t>(row - 1);
  entry.col = static_cast<std::int32_t>(col - 1);
  return entry;
}

// Exactly header.entries lines; fewer or more are an error, with the number of the line.
template <class Visit>
void each_line(const Source& source, TextLines lines, const Header& header, Visit visit) {
  for (Index k = 0; k < header.entries; ++k) {
    if (!lines.next('%')) {
      source.refuse(
          fmt::format("expected {}, but the file ends after {}; is it truncated?", plural(header.entries, "value"), k));
    }
    visit(lines, k);
  }
  if (lines.next('%')) refuse(source, lines, fmt::format("there are more values than the {} declared", header.entries));
}

// Error path: reads the entries again to find the line of the duplicate; lines are not stored.
[[noreturn]] void refuse_repeat(const Source& source, const TextLines& lines, const Header& header, Index row,
                                Index col) {
  Index first = 0;
  Index second = 0;
  each_line(source, lines, header, [&](const TextLines& at, Index) {
    const SparseEntry e = read_entry(source, at, header);
    const bool here = (e.row == row && e.col == col) || (header.symmetric && e.row == col && e.col == row);
    if (here && first > 0 && second == 0) second = at.number();
    if (here && first == 0) first = at.number();
  });
  source.refuse(fmt::format("line {}: row {}, column {} was already given on line {}; expected each entry once", second,
                            row + 1, col + 1, first));
}

SparseColumns read_coordinates(const Source& source, const TextLines& lines, const Header& header) {
  check_dimension(source, "rows", header.rows, header.entries);
  check_dimension(source, "columns", header.cols, header.entries);
  std::vector<SparseEntry> entries;
  entries.reserve(header.entries);
  each_line(source, lines, header, [&](const TextLines& at, Index) {
    const SparseEntry entry = read_entry(source, at, header);
    if (header.skew && entry.row == entry.col)
      refuse(source, at, "the diagonal of a skew-symmetric matrix is zero; remove this entry");
    entries.push_back(entry);
    if (header.symmetric && entry.row != entry.col) {
      entries.push_back({entry.col, entry.row, header.skew ? -entry.value : entry.value});
    }
  });
  SparseColumns columns = to_columns(header.rows, header.cols, entries);
  if (const Index k = find_repeat(columns); k >= 0) {
    const auto after = std::upper_bound(columns.starts.begin(), columns.starts.end(), k);
    refuse_repeat(source, lines, header, columns.indices[k], after - columns.starts.begin() - 1);
  }
  return columns;
}

// Column-major order of the entries that are listed: all rows, rows from the diagonal (symmetric), or below it (skew).
DenseStorage read_array(const Source& source, const TextLines& lines, const Header& header) {
  DenseStorage out(header.rows, header.cols);
  Index i = header.skew ? 1 : 0;
  Index j = 0;
  if (header.skew) {
    for (Index d = 0; d < header.rows; ++d) out.col(d)[d] = 0;
  }
  each_line(source, lines, header, [&](const TextLines& at, Index) {
    double value = 0;
    if (!parse_finite(at.line(), value)) refuse(source, at, fmt::format("{} is not a finite number", shown(at.line())));
    out.col(j)[i] = value;
    if (header.symmetric) out.col(i)[j] = header.skew ? -value : value;
    if (++i == header.rows) {
      ++j;
      i = header.skew ? j + 1 : header.symmetric ? j : 0;
    }
  });
  return out;
}

}  // namespace

bool sniff_matrix_market(std::string_view bytes) { return lower(bytes.substr(0, banner.size())) == banner; }

Table read_matrix_market(const Source& source, const ColumnFilter&) {
  if (source.bytes().empty()) source.refuse("the file is empty; expected %%MatrixMarket matrix ... and its values");
  if (!sniff_matrix_market(source.bytes())) source.refuse("line 1: expected %%MatrixMarket matrix ...");
  const std::string_view text = source.bytes();
  Header header;
  const auto end = text.find('\n');
  std::string_view first = text.substr(0, end);
  if (first.ends_with('\r')) first.remove_suffix(1);
  read_banner(source, first, header);
  TextLines lines(text);
  read_sizes(source, lines, header);
  Table table;
  table.format = "matrix-market";
  table.rows = header.rows;
  if (header.sparse) {
    table.sparse = read_coordinates(source, lines, header);
  } else {
    table.dense = read_array(source, lines, header);
  }
  table.names = numbered_names(header.cols);
  return table;
}

}  // namespace tamis::io
