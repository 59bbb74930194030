// Records of a CSV file into numbers: the hot loop of the reader.
//
// Algorithm  chunks in parallel. Each cell is first tried as a plain number followed by a delimiter (fast_float);
//            anything else goes through read_field() and classify(): missing, infinite, or text, which are counted per
//            column with their first position. Text columns are read in a second pass (csv_text.cpp), once it is known
//            which they are.
// Guarantee  the result does not depend on the number of threads: rows are numbered by the layout, tallies are sums and
//            minima by row, and of several faulty records the first in the file is reported.
// Memory     numbers go to column-major storage in tiles of 8 rows; bytes of the file are released after use, so that
//            reading a file takes the memory of its numbers, not of its text as well.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <string_view>

#include "io/message_text.hpp"
#include "io/parse_number.hpp"
#include "io/read_csv.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

// Rows gathered before they are copied out: 8 doubles are one cache line per column, instead of one number into each of
// thousands of columns, a TLB miss each.
constexpr Index tile_rows = 8;

class ChunkParser {
 public:
  ChunkParser(const Source& source, const CsvLayout& layout, const std::vector<Index>& slots, const DenseStorage& out,
              const CsvChunk& chunk)
      : source_(source),
        layout_(layout),
        slots_(slots),
        out_(out),
        chunk_(chunk),
        p_(chunk.begin),
        row_(chunk.first_row),
        tile_(out.cols * tile_rows),
        tallies_(out.cols) {}

  /// False if a record does not fit: see fault().
  bool run() {
    const Index last = chunk_.first_row + chunk_.rows;
    while (row_ < last) {
      const Index count = std::min(tile_rows, last - row_);
      for (Index r = 0; r < count; ++r, ++row_) {
        if (!parse_record(r)) return false;
      }
      copy_tile(row_ - count, count);
    }
    return true;
  }

  const std::vector<ColumnTally>& tallies() const { return tallies_; }
  const std::string& fault() const { return fault_; }

 private:
  // One record; fields beyond or short of the header are an error, never padded or dropped.
  bool parse_record(Index r) {
    const char* const record = p_;
    const char* const end = chunk_.end;
    const Index fields = layout_.fields();
    for (Index f = 0; f < fields; ++f) {
      const Index slot = slots_[f];
      if (slot < 0) {
        if (!skip_field()) return false;
      } else if (!parse_number(tile_[slot * tile_rows + r]) && !parse_other(slot, r)) {
        return false;
      }
      if (f + 1 < fields) {
        if (p_ == end || *p_ != layout_.delimiter) return ragged(record);
        ++p_;
      }
    }
    if (!at_line_end(p_, end)) return ragged(record);
    p_ = after_line_end(p_, end);
    return true;
  }

  // Fast path: blanks, a finite number, a delimiter. Leaves the position unchanged if the cell is anything else.
  bool parse_number(double& value) {
    const char* p = p_;
    while (p != chunk_.end && *p == ' ') ++p;
    p = scan_number(p, chunk_.end, value);
    if (p == nullptr || !(std::abs(value) <= std::numeric_limits<double>::max())) return false;
    if (p != chunk_.end && *p != layout_.delimiter && !at_line_end(p, chunk_.end)) return false;
    p_ = p;
    return true;
  }

  // Slow path: quoted, missing, infinite or text. The cell becomes NaN unless it is a number; the tally decides later
  // whether the column is text or has an error in it.
  bool parse_other(Index slot, Index r) {
    const char* const cell = p_;
    const CsvField field = read_field(p_, chunk_.end, layout_.delimiter, scratch_);
    if (!field.valid) return stray_quote();
    p_ = field.end;
    double& value = tile_[slot * tile_rows + r];
    ColumnTally& tally = tallies_[slot];
    const Cell kind = classify(field.text, value);
    if (kind == Cell::number) return true;
    value = std::numeric_limits<double>::quiet_NaN();
    if (kind == Cell::missing) ++tally.missing;
    if (kind == Cell::infinite && tally.infinite++ == 0) {
      tally.first_infinite = cell;
      tally.first_infinite_row = row_;
    }
    if (kind == Cell::text && tally.text++ == 0) {
      tally.first_text = cell;
      tally.first_text_row = row_;
    }
    return true;
  }

  bool skip_field() {
    const CsvField field = read_field(p_, chunk_.end, layout_.delimiter, scratch_);
    p_ = field.end;
    return field.valid || stray_quote();
  }

  bool stray_quote() {
    fault_ = fmt::format(
        "line {} (row {}): unexpected quote inside a field; quote the whole field and double the quote inside it",
        source_.line_of(p_), row_ + 1);
    return false;
  }

  // Error path for a record with too few or too many fields; distinguishes an empty line, which editors and shells
  // leave.
  bool ragged(const char* record) {
    const char* const after = static_cast<const char*>(std::memchr(record, '\n', record_bytes(record)));
    std::string_view line(record, (after != nullptr ? after : chunk_.end) - record);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const Index number = source_.line_of(record);
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      fault_ = fmt::format("line {} is empty; remove it: empty lines are allowed only at the end", number);
      return false;
    }
    const Index found = count_fields(record, chunk_.end, layout_.delimiter);
    const Index expected = layout_.fields();
    fault_ = fmt::format("line {} (row {}) has {}, but the header has {}; {}", number, row_ + 1, plural(found, "field"),
                         expected, remedy(found, line.back() == layout_.delimiter));
    return false;
  }

  Index record_bytes(const char* record) const { return chunk_.end - record; }

  // The usual causes: a missing value written as nothing, a trailing delimiter, row names without a header (R), an
  // unquoted comma.
  std::string remedy(Index found, bool ends_in_delimiter) const {
    const char* const separator = layout_.delimiter == ',' ? "comma" : layout_.delimiter == ';' ? "semicolon" : "tab";
    if (found < layout_.fields()) return "leave the field of a missing value empty, but keep its separator";
    if (ends_in_delimiter) return fmt::format("remove the trailing {}", separator);
    if (found == layout_.fields() + 1 && row_ == 0)
      return "if the first column contains row names, name it in the header";
    return fmt::format("quote fields that contain a {}", separator);
  }

  void copy_tile(Index first_row, Index count) {
    for (Index j = 0; j < out_.cols; ++j) {
      std::memcpy(out_.col(j) + first_row, tile_.data() + j * tile_rows, count * sizeof(double));
    }
  }

  const Source& source_;
  const CsvLayout& layout_;
  const std::vector<Index>& slots_;
  const DenseStorage& out_;
  const CsvChunk& chunk_;
  const char* p_;
  Index row_;
  std::vector<double> tile_;
  std::vector<ColumnTally> tallies_;
  std::string scratch_;
  std::string fault_;
};

// Sum of tallies with first positions by row: independent of the order in which chunks finish.
void add(ColumnTally& total, const ColumnTally& part) {
  total.text += part.text;
  total.missing += part.missing;
  total.infinite += part.infinite;
  if (part.text > 0 && (total.first_text == nullptr || part.first_text_row < total.first_text_row)) {
    total.first_text = part.first_text;
    total.first_text_row = part.first_text_row;
  }
  if (part.infinite > 0 && (total.first_infinite == nullptr || part.first_infinite_row < total.first_infinite_row)) {
    total.first_infinite = part.first_infinite;
    total.first_infinite_row = part.first_infinite_row;
  }
}

}  // namespace

std::vector<ColumnTally> parse_csv_numbers(const Source& source, const CsvLayout& layout,
                                           const std::vector<Index>& slots, const DenseStorage& out) {
  std::vector<ColumnTally> total(out.cols);
  std::mutex mutex;
  Index first_faulty = std::ssize(layout.chunks);
  std::string fault;
  parallel_for(std::ssize(layout.chunks), 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const CsvChunk& chunk = layout.chunks[k];
      ChunkParser parser(source, layout, slots, out, chunk);
      const bool valid = parser.run();
      source.release(chunk.begin, chunk.end);
      // One lock per chunk of about 1 MB: contention is negligible. After a fault the other chunks are still parsed,
      // since an earlier one may have a fault too.
      const std::lock_guard lock(mutex);
      if (!valid && k < first_faulty) {
        first_faulty = k;
        fault = parser.fault();
      }
      for (Index j = 0; j < std::ssize(total); ++j) add(total[j], parser.tallies()[j]);
    }
  });
  if (first_faulty < std::ssize(layout.chunks)) source.refuse(fault);
  return total;
}

}  // namespace tamis::io
