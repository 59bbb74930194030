// Response from a file of its own, for formats whose matrices carry none: `y` of an NPZ archive, a response that the
// format has (svmlight), or the only column of a table. CSV files may have several columns, of which --target picks
// one.
#include "io/read_response.hpp"

#include <fmt/format.h>

#include "io/formats.hpp"
#include "io/read_csv.hpp"
#include "io/read_npz.hpp"

namespace tamis::io {
namespace {

std::vector<double> only_column(const Table& table) {
  std::vector<double> out(table.rows, 0.0);
  if (!table.sparse) {
    const auto column = table.dense.column(0);
    out.assign(column.begin(), column.end());
    return out;
  }
  for (Index k = 0; k < std::ssize(table.sparse->values); ++k) {
    out[table.sparse->indices[k]] = table.sparse->values[k];
  }
  return out;
}

Response response_in(const Source& source, const std::string& target) {
  const Format& format = detect(source);
  if (format.name == "csv") return read_response_csv(source, target);
  if (format.name == "npz") {
    if (auto y = read_npz_response(source)) return std::move(*y);
  }
  Table table = format.read(source, ColumnFilter());
  if (table.response) return std::move(*table.response);
  if (table.cols() != 1) {
    source.refuse(fmt::format("the response file has {} columns; expected one", table.cols()));
  }
  Response response;
  response.values = only_column(table);
  return response;
}

}  // namespace

Response read_response(const std::string& path, const std::string& target) {
  const Source source = Source::open(path);
  Response response = response_in(source, target);
  source.refuse_if_changed();
  return response;
}

}  // namespace tamis::io
