// Columns of text aligned by display width, two blanks apart; trailing blanks are removed, so that lines do not wrap in
// narrow terminals and outputs compare equal.
#include "tamis/report/table.hpp"

#include <algorithm>

#include "tamis/report/printable.hpp"

namespace tamis {

std::string text_table(std::span<const TableColumn> columns) {
  std::vector<Index> widths;
  for (const TableColumn& column : columns) {
    Index width = display_width(column.title);
    for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
    widths.push_back(width);
  }
  const Index rows = columns.empty() ? 0 : std::ssize(columns[0].cells);
  std::string text;
  // Numbers right-aligned, so that equal decimals are below each other; words left-aligned.
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (Index c = 0; c < std::ssize(columns); ++c) {
      const std::string& cell = cell_of(columns[c]);
      const std::string gap(widths[c] - display_width(cell), ' ');
      line += (c > 0 ? "  " : "") + (columns[c].left ? cell + gap : gap + cell);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([](const TableColumn& column) -> const std::string& { return column.title; });
  for (Index row = 0; row < rows; ++row) {
    add_line([row](const TableColumn& column) -> const std::string& { return column.cells[row]; });
  }
  return text;
}

}  // namespace tamis
