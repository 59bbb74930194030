// svmlight / LIBSVM files.
//
// Format     "label index:value index:value ... # comment", one sample per line; "qid:" pairs are ignored. Indices
//            increase within a line; they start at 1, or at 0 if any line has index 0.
// Names      columns are named by the indices of the file (x1, x2, ...), so that training and test files of different
//            widths agree; the width is the largest index, and columns beyond it are zero in other files.
// Untrusted  the width: an index of 2,000,000,000 is a typing error far more often than a feature. check_dimension()
//            requires a stored value per 64 columns beyond 4 million.
// Example    +1 1:0.5 7:2 # three samples, columns x1 to x9
//            -1 9:1
//            +1 2:0.25
#include "io/read_svmlight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/message_text.hpp"
#include "io/sparse_builder.hpp"
#include "io/text_lines.hpp"

namespace tamis::io {
namespace {

struct Samples {
  std::vector<double> labels;
  std::vector<SparseEntry> entries;  // columns by the file's index
  Index largest = -1;
  bool has_zero = false;
};

[[noreturn]] void refuse(const Source& source, const TextLines& lines, const std::string& sentence) {
  source.refuse(fmt::format("line {}: {}", lines.number(), sentence));
}

// `last` enforces increasing indices, so that a line cannot give a feature twice.
void read_pair(const Source& source, const TextLines& lines, std::string_view word, Index& last, Samples& samples) {
  const auto colon = word.find(':');
  Index index = 0;
  SparseEntry entry;
  const bool valid = colon != std::string_view::npos && parse_index(word.substr(0, colon), index);
  if (!valid) refuse(source, lines, fmt::format("{} is not an index:value pair", shown(word)));
  if (!parse_finite(word.substr(colon + 1), entry.value)) {
    refuse(source, lines, fmt::format("the value of {} is not a finite number", shown(word)));
  }
  if (index >= std::numeric_limits<std::int32_t>::max() - 1) {
    refuse(source, lines, fmt::format("index {} is too large; expected at most 2147483645", index));
  }
  if (index <= last) {
    refuse(source, lines, fmt::format("index {} follows {}; indices must increase within a line", index, last));
  }
  last = index;
  samples.largest = std::max(samples.largest, index);
  samples.has_zero = samples.has_zero || index == 0;
  entry.row = static_cast<std::int32_t>(samples.labels.size() - 1);
  entry.col = static_cast<std::int32_t>(index);
  samples.entries.push_back(entry);
}

Samples read_samples(const Source& source) {
  Samples samples;
  TextLines lines(source.bytes());
  while (lines.next('#')) {
    std::string_view line = lines.line();
    line = line.substr(0, line.find('#'));
    const std::string_view label = take_word(line);
    double value = 0;
    if (!parse_finite(label, value)) {
      refuse(source, lines, fmt::format("label {} is not a finite number", shown(label)));
    }
    samples.labels.push_back(value);
    Index last = -1;
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
      if (!word.starts_with("qid:")) read_pair(source, lines, word, last, samples);
    }
  }
  return samples;
}

}  // namespace

// First line with content: a number, then index:value or qid:. A line with a label only is no evidence.
bool sniff_svmlight(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 1 << 16));
  if (!lines.next('#')) return false;
  std::string_view line = lines.line();
  double label = 0;
  if (!parse_finite(take_word(line), label)) return false;
  const std::string_view word = take_word(line);
  const auto colon = word.find(':');
  Index index = 0;
  return word.starts_with("qid:") || (colon != std::string_view::npos && parse_index(word.substr(0, colon), index));
}

Table read_svmlight(const Source& source, const ColumnFilter&) {
  Samples samples = read_samples(source);
  if (samples.labels.empty()) source.refuse("the file is empty; expected lines of the form: label index:value ...");
  if (samples.entries.empty()) source.refuse("no line has an index:value pair; expected at least one feature");
  const Index first = samples.has_zero ? 0 : 1;
  const Index cols = samples.largest - first + 1;
  check_dimension(source, "columns", cols, std::ssize(samples.entries));
  for (auto& entry : samples.entries) entry.col = static_cast<std::int32_t>(entry.col - first);
  Table table;
  table.format = "svmlight";
  table.rows = std::ssize(samples.labels);
  table.names = numbered_names(cols, first);
  table.sparse = to_columns(table.rows, cols, samples.entries);
  table.response.emplace();
  table.response->values = std::move(samples.labels);
  table.response->may_be_signs = true;
  // Columns beyond the largest index of this file are zero, not missing.
  table.absent_columns_are_zero = true;
  return table;
}

}  // namespace tamis::io
