#include "io/read_npy.hpp"

#include "io/npy_array.hpp"

namespace tamis::io {

bool sniff_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

Table read_npy(const Source& source, const ColumnFilter&) {
  Table table;
  table.format = "npy";
  table.dense = NpyArray(source, "", source.bytes()).to_matrix();
  table.rows = table.dense.rows;
  table.names = numbered_names(table.dense.cols);
  return table;
}

}  // namespace tamis::io
