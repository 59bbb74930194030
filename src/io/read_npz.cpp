// NPZ archives of NumPy and SciPy.
//
// Format     members "X.npy", optionally "y.npy" and "feature_names.npy"; an archive of a single array is the matrix;
//            "indptr.npy" means a sparse matrix of scipy.sparse.save_npz (format, shape, indptr, indices, data).
// Untrusted  index arrays: indptr must start at 0, be sorted, end at the number of values and fit the shape; indices
//            must be inside it.
// Memory     one member is unpacked at a time.
// Sparse     format   "csr" or "csc" (text, often bytes)
//            shape    rows, columns
//            indptr   starts of the compressed rows or columns, one more than there are
//            indices  position of each value in the other direction
//            data     values, no NaN
#include "io/read_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/message_text.hpp"
#include "io/npy_array.hpp"
#include "io/sparse_builder.hpp"
#include "io/zip_archive.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

class NpzReader {
 public:
  explicit NpzReader(const Source& source) : source_(source), zip_(source) {}

  /// use(array) while its bytes are unpacked.
  template <class Use>
  auto with_array(const std::string& name, Use use) const {
    std::string unpacked;
    return use(NpyArray(source_, name, zip_.read(name + ".npy", unpacked)));
  }

  Table run() {
    Table table;
    table.format = "npz";
    if (has("indptr")) {
      table.sparse = read_scipy();
      table.rows = table.sparse->rows;
    } else {
      table.dense = with_array(name_of_matrix(), [](const NpyArray& array) { return array.to_matrix(); });
      table.rows = table.dense.rows;
    }
    const Index cols = table.sparse ? table.sparse->cols : table.dense.cols;
    table.names = has("feature_names") ? read_names(cols) : numbered_names(cols);
    table.response = response();
    return table;
  }

  std::optional<Response> response() const {
    if (!has("y")) return std::nullopt;
    return with_array("y", [](const NpyArray& array) { return response_of(array); });
  }

 private:
  bool has(const std::string& name) const { return zip_.has(name + ".npy"); }

  std::string name_of_matrix() const {
    if (has("X")) return "X";
    const auto members = zip_.names();
    if (members.size() == 1 && members[0].ends_with(".npy") && !has("y"))
      return members[0].substr(0, members[0].size() - 4);
    source_.refuse(fmt::format(
        "array X not found; the file contains {}; save the matrix as X, for example with numpy.savez(file, X=X, y=y)",
        members.empty() ? "nothing" : shown_list(members)));
  }

  // Text responses: levels sorted, values are positions, as for text columns of CSV.
  static Response response_of(const NpyArray& array) {
    Response response;
    response.is_named = true;
    if (!array.is_text()) {
      response.values = array.to_vector();
      return response;
    }
    const auto texts = array.to_texts();
    response.levels = texts;
    std::sort(response.levels.begin(), response.levels.end());
    response.levels.erase(std::unique(response.levels.begin(), response.levels.end()), response.levels.end());
    for (const auto& text : texts) {
      const auto at = std::lower_bound(response.levels.begin(), response.levels.end(), text);
      response.values.push_back(static_cast<double>(at - response.levels.begin()));
    }
    return response;
  }

  std::vector<std::string> read_names(Index cols) const {
    auto names = with_array("feature_names", [](const NpyArray& array) { return array.to_texts(); });
    if (std::ssize(names) != cols) {
      source_.refuse(fmt::format("feature_names has length {}, but X has {}; expected one name per column",
                                 names.size(), plural(cols, "column")));
    }
    auto sorted = names;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      source_.refuse(fmt::format("feature name {} occurs twice; expected unique names", shown(*twice)));
    return names;
  }

  std::vector<Index> indices(const std::string& name) const {
    return with_array(name, [](const NpyArray& array) { return array.to_indices(); });
  }

  // CSR or CSC to CSC. `outer` is the compressed direction, columns for CSC; entries need not be sorted within it.
  SparseColumns read_scipy() const {
    const auto kind = with_array("format", [](const NpyArray& array) { return array.to_texts(); });
    if (kind.size() != 1 || (kind[0] != "csr" && kind[0] != "csc")) {
      source_.refuse("the sparse matrix is neither CSR nor CSC; convert it with .tocsc() before saving");
    }
    const bool by_column = kind[0] == "csc";
    const auto shape = indices("shape");
    if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1) {
      source_.refuse("the sparse matrix has an invalid shape; expected rows and columns, at least one of each");
    }
    const auto starts = indices("indptr");
    const auto inner = indices("indices");
    const auto values = with_array("data", [](const NpyArray& array) { return array.to_vector(); });
    const Index stored = values.size();
    check_dimension(source_, "rows", shape[0], stored);
    check_dimension(source_, "columns", shape[1], stored);
    const Index outer = shape[by_column ? 1 : 0];
    const bool valid = std::ssize(starts) == outer + 1 && starts.front() == 0 && starts.back() == stored &&
                       inner.size() == values.size() && std::is_sorted(starts.begin(), starts.end()) &&
                       std::none_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    const Index limit = shape[by_column ? 0 : 1];
    if (!valid || std::any_of(inner.begin(), inner.end(), [&](Index i) { return i < 0 || i >= limit; })) {
      source_.refuse("the sparse matrix is invalid: indptr, indices and data are inconsistent, or a value is NaN");
    }
    std::vector<SparseEntry> entries;
    entries.reserve(values.size());
    for (Index o = 0; o < outer; ++o) {
      for (Index k = starts[o]; k < starts[o + 1]; ++k) {
        const Index at = k;
        const auto i = static_cast<std::int32_t>(inner[at]);
        const auto line = static_cast<std::int32_t>(o);
        entries.push_back(by_column ? SparseEntry{i, line, values[at]} : SparseEntry{line, i, values[at]});
      }
    }
    SparseColumns columns = to_columns(shape[0], shape[1], entries);
    if (find_repeat(columns) >= 0) {
      source_.refuse("the sparse matrix has duplicate entries; call .sum_duplicates() before saving");
    }
    return columns;
  }

  const Source& source_;
  ZipArchive zip_;
};

}  // namespace

bool sniff_npz(std::string_view bytes) { return bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6"); }

Table read_npz(const Source& source, const ColumnFilter&) { return NpzReader(source).run(); }

std::optional<Response> read_npz_response(const Source& source) { return NpzReader(source).response(); }

}  // namespace tamis::io
