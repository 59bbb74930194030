// A toy format: a line "toy-table ROWS COLUMNS", a line "NAME: NUMBER NUMBER ..." for each column (NA: missing), and a
// line "end".
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "io/formats.hpp"

namespace tamis::io {
namespace {

constexpr std::string_view mark = "toy-table ";

class Lines {
 public:
  explicit Lines(const Source& source) : source_(source), rest_(source.bytes()) {}

  std::string_view next() {
    if (rest_.empty()) source_.refuse(fmt::format("line {}: the file ends before its line 'end'", number_ + 1));
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    ++number_;
    return line;
  }
  [[noreturn]] void refuse(std::string_view sentence) const {
    source_.refuse(fmt::format("line {}: {}", number_, sentence));
  }
  bool at_end() const { return rest_.empty(); }

 private:
  const Source& source_;
  std::string_view rest_;
  Index number_ = 0;
};

std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  return word;
}

template <class Number>
bool parse(std::string_view word, Number& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc() && end == word.data() + word.size();
}

void read_column(const Lines& lines, std::string_view line, std::span<double> out) {
  for (double& cell : out) {
    const std::string_view word = take_word(line);
    if (word == "NA") {
      cell = std::numeric_limits<double>::quiet_NaN();
    } else if (!parse(word, cell) || !std::isfinite(cell)) {
      lines.refuse(fmt::format("expected {} finite numbers or NA", out.size()));
    }
  }
  if (!line.empty()) lines.refuse(fmt::format("there are more than {} numbers", out.size()));
}

bool sniff_toy_table(std::string_view bytes) { return bytes.starts_with(mark); }

Table read_toy_table(const Source& source, const ColumnFilter&) {
  Lines lines(source);
  std::string_view head = lines.next();
  if (!head.starts_with(mark)) lines.refuse("expected: toy-table ROWS COLUMNS");
  head.remove_prefix(mark.size());
  Index rows = 0, cols = 0;
  const bool valid = parse(take_word(head), rows) && parse(take_word(head), cols) && head.empty();
  if (!valid || rows < 1 || cols < 1) lines.refuse("expected two integers >= 1 after toy-table");
  // A number takes two bytes at least: what the head claims is not believed beyond that.
  const auto most = static_cast<Index>(source.bytes().size() / 2);
  if (rows > most || cols > most / rows) lines.refuse(fmt::format("{} x {} is more than the file holds", rows, cols));

  Table table;
  table.format = "toy-table";
  table.rows = rows;
  table.dense = DenseStorage(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    std::string_view line = lines.next();
    const std::size_t colon = line.find(": ");
    if (colon == 0 || colon == line.npos) lines.refuse("expected: NAME: NUMBER NUMBER ...");
    table.names.emplace_back(line.substr(0, colon));
    read_column(lines, line.substr(colon + 2), table.dense.column(j));
  }
  if (lines.next() != "end" || !lines.at_end()) lines.refuse("expected the line 'end' and nothing after it");
  return table;
}

[[maybe_unused]] const Format& added = add_format({"toy-table", {".toy", ".toys"}, sniff_toy_table, read_toy_table});

}  // namespace
}  // namespace tamis::io
