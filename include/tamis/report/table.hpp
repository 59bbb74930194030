// Plain text in columns, for terminals.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tamis {

/// Cells are printable() text; all columns of a table have the same number of them.
struct TableColumn {
  std::string title;
  std::vector<std::string> cells;
  bool left = false;  ///< numbers stand to the right, words to the left
};

/// The titles and one line per row, each column as wide as its widest cell (see display_width), without trailing
/// spaces.
std::string text_table(std::span<const TableColumn> columns);

}  // namespace tamis
