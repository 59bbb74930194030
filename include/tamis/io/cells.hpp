// Reading data for factor models: a table in which any cell may be missing, and lists of single cells.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

/// A numeric table with missing cells. Formats that store all cells are dense, with NaN for missing ones (empty or NA
/// in a file).
struct CellTable {
  Index rows = 0;
  std::vector<std::string> names;       ///< of the columns
  std::vector<double> values;           ///< column by column, unless sparse
  std::optional<SparseColumns> sparse;  ///< entries that are not stored are zero
  std::string format;

  Index cols() const { return std::ssize(names); }
  ConstMatrixView dense() const { return {values.data(), rows, cols()}; }
};

/// All columns except those in `exclude`. Text columns are refused, since factor models need numbers. A response
/// contained in the file (svmlight, NPZ) is ignored. Throws as read_dataset() does.
CellTable read_cells(const std::string& path, const std::vector<std::string>& exclude = {});

/// A cell of a list: row and column counted from 0.
struct ListedCell {
  Index row = 0;
  Index column = 0;
  double value = 0;
};

/// CSV with the columns row (counted from 1), column (a name of `names`) and value. Throws InvalidInput for a row
/// outside 1..rows, an unknown column, or a value that is missing.
std::vector<ListedCell> read_cell_list(const std::string& path, std::span<const std::string> names, Index rows);

}  // namespace tamis
