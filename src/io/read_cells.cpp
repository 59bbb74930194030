// Tables for factor models: all cells are data, so there are no roles, missing cells stay NaN, and text is refused.
// Also lists of cells (row, column, value), the held-out cells of a factor model; rows are numbered from 1 and columns
// are named, and an entry outside the table is refused with its line.
// Sparse     an entry that is not stored is a zero, as in the matrix formats, and not a missing cell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/formats.hpp"
#include "io/message_text.hpp"
#include "io/read_csv.hpp"
#include "tamis/io/cells.hpp"

namespace tamis {
namespace io {
namespace {

void refuse_text(const Source& source, const Table& table) {
  for (Index j = 0; j < table.cols(); ++j) {
    if (!table.levels.contains(j)) continue;
    const std::string& name = table.names[j];
    source.refuse(fmt::format("column {} is text, but a factor model needs numbers; exclude it with {}", shown(name),
                              exclude_option(name)));
  }
}

// Excluded columns: only the CSV reader applies the filter while reading, other formats read all columns.
void leave_out(Table& table, const ColumnFilter& filter) {
  const bool any =
      std::any_of(table.names.begin(), table.names.end(), [&](const auto& name) { return filter.excludes(name); });
  if (!any) return;
  std::vector<Index> kept;
  for (Index j = 0; j < table.cols(); ++j) {
    if (!filter.excludes(table.names[j])) kept.push_back(j);
  }
  std::vector<std::string> names;
  DenseStorage dense(table.sparse ? 0 : table.rows, table.sparse ? 0 : std::ssize(kept));
  SparseColumns sparse{table.rows, std::ssize(kept), {0}, {}, {}};
  for (const Index j : kept) {
    if (table.sparse) {
      const auto first = table.sparse->starts[j], last = table.sparse->starts[j + 1];
      sparse.indices.insert(sparse.indices.end(), table.sparse->indices.begin() + first,
                            table.sparse->indices.begin() + last);
      sparse.values.insert(sparse.values.end(), table.sparse->values.begin() + first,
                           table.sparse->values.begin() + last);
      sparse.starts.push_back(std::ssize(sparse.values));
    } else {
      std::copy_n(table.dense.col(j), table.rows, dense.col(std::ssize(names)));
    }
    names.push_back(std::move(table.names[j]));
  }
  table.names = std::move(names);
  if (table.sparse) {
    table.sparse = std::move(sparse);
  } else {
    table.dense = std::move(dense);
  }
}

// "column=" marks a text column: names are text even if they look like numbers.
ColumnFilter three_columns() {
  ReadOptions options;
  options.features = {"row", "column=", "value"};
  return ColumnFilter(options);
}

}  // namespace

CellTable cells_of(const Source& source, const std::vector<std::string>& exclude) {
  ReadOptions options;
  options.exclude = exclude;
  const ColumnFilter filter(options);
  Table table = detect(source).read(source, filter);
  source.refuse_if_changed();
  for (const std::string& name : exclude) {
    const auto& left_out = table.left_out;
    const bool known = std::find(left_out.begin(), left_out.end(), name) != left_out.end() ||
                       std::find(table.names.begin(), table.names.end(), name) != table.names.end();
    if (!known)
      source.refuse(fmt::format("excluded column {} not found; {}", shown(name), suggestion(name, table.names)));
  }
  leave_out(table, filter);
  refuse_text(source, table);
  CellTable cells;
  cells.rows = table.rows;
  cells.names = std::move(table.names);
  cells.format = table.format;
  if (table.sparse) {
    cells.sparse = std::move(table.sparse);
  } else {
    cells.values.assign(table.dense.col(0), table.dense.col(0) + table.rows * cells.cols());
  }
  return cells;
}

std::vector<ListedCell> listed_cells(const Source& source, std::span<const std::string> names, Index rows) {
  const Table table = read_csv(source, three_columns());
  source.refuse_if_changed();
  const auto place_of = [&](const char* name) {
    const auto at = std::find(table.names.begin(), table.names.end(), name);
    if (at == table.names.end()) source.refuse("expected the columns row, column and value");
    const Index place = at - table.names.begin();
    if (std::string_view(name) != "column" && table.levels.contains(place)) {
      source.refuse(fmt::format("column {} is text; expected numbers", name));
    }
    return place;
  };
  const auto row = table.dense.column(place_of("row")), value = table.dense.column(place_of("value"));
  const Index column = place_of("column");
  const auto code = table.dense.column(column);
  const std::vector<std::string>& levels = table.levels.at(column);
  std::unordered_map<std::string_view, Index> place;
  for (Index d = 0; d < std::ssize(names); ++d) place.emplace(names[d], d);

  std::vector<ListedCell> cells;
  for (Index i = 0; i < std::ssize(row); ++i) {
    if (!(row[i] >= 1 && row[i] <= static_cast<double>(rows)) || row[i] != std::floor(row[i])) {
      source.refuse(fmt::format("row {}: there is no row {} in the data; expected 1 to {}", i + 1, row[i], rows));
    }
    if (std::isnan(code[i]) || std::isnan(value[i])) source.refuse(fmt::format("row {} has an empty cell", i + 1));
    const std::string& name = levels[static_cast<std::int64_t>(code[i])];
    const auto found = place.find(name);
    if (found == place.end()) {
      source.refuse(
          fmt::format("row {}: {} is not a column of the data; {}", i + 1, shown(name), suggestion(name, names)));
    }
    cells.push_back({static_cast<Index>(row[i] - 1.0), found->second, value[i]});
  }
  return cells;
}

}  // namespace io

CellTable read_cells(const std::string& path, const std::vector<std::string>& exclude) {
  return io::cells_of(io::Source::open(path), exclude);
}

std::vector<ListedCell> read_cell_list(const std::string& path, std::span<const std::string> names, Index rows) {
  return io::listed_cells(io::Source::open(path), names, rows);
}

}  // namespace tamis
