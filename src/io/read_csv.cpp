// CSV and TSV files: which columns are text, and responses in a file of their own.
//
// Types      a column is text if more than one tenth of its non-missing cells are not numbers, or if a model knows it
// as
//            text. With fewer, the first such cell is an error: a numeric column with a typing error must not become a
//            thousand indicators, and a silent NaN would drop its row.
// Errors     by row and column of the first cell, with its content; decimal commas are recognized in
//            semicolon-separated files.
// Names      a header is required, as columns are referred to by name; only a response file of one column may lack it.
// Cells      number: as fast_float reads it, blanks around it allowed. Missing: empty, NA, NaN, null, ".", "?" and the
//            like.
//            infinite or out of the range of double: an error with its row, since no method can use it. Anything else
//            is text.
#include "io/read_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/message_text.hpp"
#include "io/parse_number.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

// Memory is allocated for rows x columns only if the file can hold as many cells (at least one byte each). Otherwise
// rows are too short, and the parser is run without output to report the first of them.
void refuse_impossible_size(const Source& source, const CsvLayout& layout) {
  const Index bytes = layout.end - layout.chunks.front().begin + 1;
  if (layout.rows <= bytes / layout.fields()) return;
  const std::vector<Index> none(layout.fields(), -1);
  parse_csv_numbers(source, layout, none, DenseStorage(layout.rows, 0));
}

std::string cell_at(const CsvLayout& layout, const char* cell) {
  std::string scratch;
  return shown(read_field(cell, layout.end, layout.delimiter, scratch).text);
}

// Decimal comma, "1,5", in a semicolon-separated file.
void refuse_decimal_comma(const Source& source, const CsvLayout& layout, const ColumnTally& tally,
                          const std::string& name) {
  if (tally.text == 0 || layout.delimiter != ';') return;
  std::string scratch;
  std::string cell(read_field(tally.first_text, layout.end, layout.delimiter, scratch).text);
  double value = 0;
  std::replace(cell.begin(), cell.end(), ',', '.');
  if (classify(cell, value) != Cell::number) return;
  source.refuse(fmt::format("row {}, column {}: {} is written with a decimal comma; expected a decimal point",
                            tally.first_text_row + 1, shown(name), cell_at(layout, tally.first_text)));
}

// Type of a column with cells that are not numbers: text, or numeric with an error; the threshold is one tenth.
bool is_text_column(const Source& source, const CsvLayout& layout, const ColumnTally& tally, const std::string& name) {
  refuse_decimal_comma(source, layout, tally, name);
  const Index filled = layout.rows - tally.missing;
  if (tally.text > 0 && tally.text * 10 > filled) return true;
  if (tally.text > 0) {
    source.refuse(fmt::format(
        "row {}, column {}: {} is not a number, but {} of {} cells of this column are; correct the cell or leave it "
        "empty",
        tally.first_text_row + 1, shown(name), cell_at(layout, tally.first_text), filled - tally.text, filled));
  }
  if (tally.infinite > 0) {
    source.refuse(fmt::format("row {}, column {}: {} is infinite or out of range; correct the cell or leave it empty",
                              tally.first_infinite_row + 1, shown(name), cell_at(layout, tally.first_infinite)));
  }
  return false;
}

// For text columns that have numbers as well: where, for the note on standard error; "" for others.
std::string mixture_in(const CsvLayout& layout, const ColumnTally& tally) {
  const Index numbers = layout.rows - tally.missing - tally.text - tally.infinite;
  if (tally.text == 0 || numbers == 0) return "";
  return fmt::format("has text in row {} ({}) and numbers in {}", tally.first_text_row + 1,
                     cell_at(layout, tally.first_text), plural(numbers, "row"));
}

bool all_numbers(const std::vector<std::string>& names) {
  double value = 0;
  return std::all_of(names.begin(), names.end(), [&](const auto& n) { return classify(n, value) == Cell::number; });
}

// First pass numbers, second pass text. slots[f] is the column of the table that holds field f, -1 for fields that the
// filter excludes: they are skipped without being parsed.
Table parse_table(const Source& source, const CsvLayout& layout, const ColumnFilter& filter) {
  Table table;
  table.format = layout.delimiter == '\t' ? "tsv" : "csv";
  table.rows = layout.rows;
  table.names_are_numbers = all_numbers(layout.names);
  std::vector<Index> slots(layout.fields(), -1);
  for (Index f = 0; f < std::ssize(slots); ++f) {
    if (!filter.wants(layout.names[f])) {
      table.left_out.push_back(layout.names[f]);
      continue;
    }
    slots[f] = table.cols();
    table.names.push_back(layout.names[f]);
  }
  refuse_impossible_size(source, layout);
  table.dense = DenseStorage(layout.rows, table.cols());
  const auto tallies = parse_csv_numbers(source, layout, slots, table.dense);
  std::vector<Index> text_fields;
  for (Index f = 0; f < std::ssize(slots); ++f) {
    if (slots[f] < 0) continue;
    const ColumnTally& tally = tallies[slots[f]];
    const bool known_as_text = filter.is_text(layout.names[f]);
    if (!known_as_text && !is_text_column(source, layout, tally, layout.names[f])) continue;
    text_fields.push_back(f);
    std::string mixture = known_as_text ? "" : mixture_in(layout, tally);
    if (!mixture.empty()) table.mixtures.emplace(slots[f], std::move(mixture));
  }
  if (text_fields.empty()) return table;
  auto levels = encode_csv_text(source, layout, text_fields, slots, table.dense);
  for (Index t = 0; t < std::ssize(text_fields); ++t) {
    table.levels.emplace(slots[text_fields[t]], std::move(levels[t]));
  }
  return table;
}

// Whether a response file lacks a header.
bool starts_with_a_number(const Source& source) {
  const std::string_view text = source.bytes();
  std::string scratch;
  double value = 0;
  const auto field = read_field(text.data(), text.data() + text.size(), ',', scratch);
  return classify(field.text, value) == Cell::number;
}

}  // namespace

Table read_csv(const Source& source, const ColumnFilter& filter) {
  return parse_table(source, find_csv_layout(source), filter);
}

Response read_response_csv(const Source& source, const std::string& target) {
  const bool header = !starts_with_a_number(source);
  const CsvLayout layout = find_csv_layout(source, header);
  Table table = parse_table(source, layout, ColumnFilter());
  Index column = 0;
  if (table.cols() > 1) {
    const auto found = std::find(table.names.begin(), table.names.end(), target);
    if (found == table.names.end()) {
      source.refuse(fmt::format("the response file has {} columns; specify the response with --target: {}",
                                table.cols(), suggestion(target, table.names)));
    }
    column = found - table.names.begin();
  }
  Response response;
  response.is_named = header || table.cols() > 1;
  if (response.is_named) response.name = table.names[column];
  const auto values = table.dense.column(column);
  response.values.assign(values.begin(), values.end());
  if (const auto text = table.levels.find(column); text != table.levels.end()) response.levels = text->second;
  if (const auto mixed = table.mixtures.find(column); mixed != table.mixtures.end()) response.mixture = mixed->second;
  return response;
}

}  // namespace tamis::io
