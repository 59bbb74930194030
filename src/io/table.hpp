// Table: the result of every reader, before columns have roles. Missing values are NaN; infinite ones are refused by
// the readers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tamis/base/large_pages.hpp"
#include "tamis/design/design.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis::io {

/// Column-major numbers, not set at birth: a reader fills each page for the first time, in its own thread.
struct DenseStorage {
  Index rows = 0;
  Index cols = 0;
  std::unique_ptr<double[]> values;

  DenseStorage() = default;
  DenseStorage(Index r, Index c) : rows(r), cols(c), values(std::make_unique_for_overwrite<double[]>(r * c)) {
    prefer_large_pages(values.get(), r * c * sizeof(double));
  }
  double* col(Index j) const { return values.get() + j * rows; }
  std::span<double> column(Index j) const { return span_of(col(j), rows); }
};

/// A response that comes beside X (a svmlight label, the `y` of an NPZ file, a response file).
struct Response {
  std::string name = "y";
  bool is_named = false;  ///< the file says the name
  std::vector<double> values;
  std::vector<std::string> levels;  ///< of text: values are positions here, in sorted order
  std::string mixture;              ///< as in Table::mixtures
  bool may_be_signs = false;        ///< labels: if all are -1 or +1 they are two classes
};

/// Exactly one of `dense` and `sparse` holds the cells. Names are as many as columns; duplicates are refused by readers
/// whose formats have names. Sparse tables have no text columns and no missing values.
struct Table {
  std::string format;
  Index rows = 0;
  std::vector<std::string> names;
  std::vector<std::string> left_out;  ///< columns of the file that the filter did not want
  DenseStorage dense;                 ///< unless sparse
  std::optional<SparseColumns> sparse;
  std::unordered_map<Index, std::vector<std::string>> levels;  ///< text columns: their cells are positions here
  std::unordered_map<Index, std::vector<double>> shares;  ///< of text columns: what a missing cell is to each level;
                                                          ///< a column that is not here: their frequencies
  std::unordered_map<Index, std::string> mixtures;        ///< text columns that have numbers too: where, in words
  bool names_are_numbers = false;                         ///< all of a header's: is it the first row of data?
  std::optional<Response> response;
  bool absent_columns_are_zero = false;  ///< svmlight: columns that are not listed are zero

  Index cols() const { return std::ssize(names); }
};

/// Warnings about ambiguous content (numeric column names, columns with both text and numbers), a few at most.
std::vector<std::string> notes_on(const Table& table);

/// Which columns are worth reading; built from the options, asked by name.
class ColumnFilter {
 public:
  ColumnFilter() = default;  ///< all of them
  explicit ColumnFilter(const ReadOptions& options);
  bool wants(const std::string& name) const;
  /// Read as text even if every cell is a number: a model knows it as `name=level`.
  bool is_text(const std::string& name) const;
  bool excludes(const std::string& name) const { return excluded_.contains(name); }

 private:
  std::unordered_map<std::string, bool> excluded_;
  std::unordered_map<std::string, bool> known_;  // true: a text column
  bool only_known_ = false;
};

/// x1, x2, ...: the names of columns that have none, counted from `first`.
std::vector<std::string> numbered_names(Index count, Index first = 1);

}  // namespace tamis::io
