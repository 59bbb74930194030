// From the columns of a Table to the Design of a Dataset.
//
// Coding     numeric columns as they are (methods standardize); text columns one-hot, one indicator per level and none
//            left out: with a penalty or a prior, the fit would depend on the choice of a reference level.
// Missing    an imputed text cell is the vector of level frequencies, the mean of its indicators; on new data those of
//            training.
// Memory     dense tables without text are compacted in place, so that reading needs no second copy; one-hot coding
//            goes to sparse storage if fewer than a quarter of its entries can be nonzero.
// Invariant  column order is that of the file; the levels of one column are adjacent and sorted.
// Example    city in {Oslo, Rome}  ->  city=Oslo 1 0 0.5, city=Rome 0 1 0.5   for Oslo, Rome and a missing cell
#include "io/build_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tamis::io {
namespace {

// Density below which sparse columns are smaller (12 bytes per nonzero entry against 8 per entry) and faster.
constexpr double sparse_below = 0.25;

struct OwnedDense {
  explicit OwnedDense(DenseStorage s)
      : storage(std::move(s)), design({storage.values.get(), storage.rows, storage.cols}) {}
  DenseStorage storage;
  DenseDesign design;
};

Index size_of(const std::vector<Index>& v) { return std::ssize(v); }

// Moves the columns listed to the front, in place. Both lists increase, so a target never lies behind its source;
// memmove, since a column may overlap its own target.
DenseStorage compact(DenseStorage storage, const std::vector<Index>& columns, const std::vector<Index>& rows) {
  const Index old_rows = storage.rows;
  const Index n = size_of(rows);
  double* out = storage.values.get();
  for (const Index j : columns) {
    const double* column = storage.values.get() + j * old_rows;
    if (n == old_rows) {
      if (out != column) std::memmove(out, column, n * sizeof(double));
    } else {
      for (Index i = 0; i < n; ++i) out[i] = column[rows[i]];
    }
    out += n;
  }
  storage.rows = n;
  storage.cols = size_of(columns);
  return storage;
}

// Rows are renumbered through a map: O(stored), and row indices stay sorted within columns because the map is monotone.
SparseColumns select(const SparseColumns& from, const std::vector<Index>& columns, const std::vector<Index>& rows) {
  std::vector<std::int32_t> new_row(from.rows, -1);
  for (Index i = 0; i < std::ssize(rows); ++i) new_row[rows[i]] = static_cast<std::int32_t>(i);
  SparseColumns to;
  to.rows = size_of(rows);
  to.cols = size_of(columns);
  to.starts.push_back(0);
  for (const Index j : columns) {
    const Index begin = from.starts[j];
    const Index end = from.starts[j + 1];
    for (Index k = begin; k < end; ++k) {
      const std::int32_t row = new_row[from.indices[k]];
      if (row < 0) continue;
      to.indices.push_back(row);
      to.values.push_back(from.values[k]);
    }
    to.starts.push_back(std::ssize(to.values));
  }
  return to;
}

// Frequency of each level among the rows with a value.
std::vector<double> frequencies(const std::vector<double>& codes, std::size_t levels) {
  std::vector<double> share(levels, 0.0);
  double known = 0;
  for (const double code : codes) {
    if (std::isnan(code)) continue;
    share[static_cast<std::int64_t>(code)] += 1;
    known += 1;
  }
  for (double& s : share) s = known > 0 ? s / known : 0;
  return share;
}

// One-hot coding, column by column: a numeric column is itself, a text column one indicator per level. Only two columns
// are held at a time.
class OneHotEncoding {
 public:
  OneHotEncoding(const Table& table, const std::vector<Index>& columns, const std::vector<Index>& rows)
      : table_(table), columns_(columns), rows_(rows) {
    for (const Index j : columns) {
      const auto text = table.levels.find(j);
      features_ += text == table.levels.end() ? 1 : std::ssize(text->second);
    }
  }

  Index features() const { return features_; }
  // Upper bound of the density: each row has one nonzero entry per source column.
  double density() const {
    return static_cast<double>(columns_.size()) / static_cast<double>(std::max<Index>(1, features_));
  }

  /// Calls emit(position, values of the whole column) for each resulting column, in order.
  template <class Emit>
  void each(Emit emit) const {
    Index position = 0;
    std::vector<double> values(rows_.size());
    std::vector<double> indicator(rows_.size());
    for (const Index j : columns_) {
      const auto column = table_.dense.column(j);
      for (Index i = 0; i < std::ssize(rows_); ++i) values[i] = column[rows_[i]];
      const auto text = table_.levels.find(j);
      if (text == table_.levels.end()) {
        emit(position++, values);
        continue;
      }
      const auto known = table_.shares.find(j);
      const auto share = known != table_.shares.end() ? known->second : frequencies(values, text->second.size());
      for (Index level = 0; level < std::ssize(share); ++level) {
        for (Index i = 0; i < std::ssize(rows_); ++i) {
          indicator[i] =
              std::isnan(values[i]) ? share[level] : static_cast<double>(values[i] == static_cast<double>(level));
        }
        emit(position++, indicator);
      }
    }
  }

 private:
  const Table& table_;
  const std::vector<Index>& columns_;
  const std::vector<Index>& rows_;
  Index features_ = 0;
};

std::shared_ptr<const Design> one_hot_design(const Table& table, const std::vector<Index>& columns,
                                             const std::vector<Index>& rows) {
  const OneHotEncoding encoding(table, columns, rows);
  if (encoding.density() >= sparse_below) {
    DenseStorage storage(size_of(rows), encoding.features());
    encoding.each([&](Index k, const std::vector<double>& v) { std::copy(v.begin(), v.end(), storage.col(k)); });
    return own(std::move(storage));
  }
  SparseColumns sparse;
  sparse.rows = size_of(rows);
  sparse.cols = encoding.features();
  sparse.starts.push_back(0);
  encoding.each([&](Index, const std::vector<double>& v) {
    for (Index i = 0; i < std::ssize(v); ++i) {
      if (v[i] == 0) continue;
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(v[i]);
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  });
  return std::make_shared<SparseDesign>(std::move(sparse));
}

}  // namespace

// Aliasing shared_ptr: the pointer is to the Design, the ownership includes the memory it views.
std::shared_ptr<const Design> own(DenseStorage storage) {
  const auto owned = std::make_shared<OwnedDense>(std::move(storage));
  return {owned, &owned->design};
}

BuiltDesign build_design(Table& table, const std::vector<Index>& columns, const std::vector<Index>& rows) {
  BuiltDesign built;
  bool text = false;
  for (const Index j : columns) {
    const std::string& name = table.names[j];
    const auto levels = table.levels.find(j);
    if (levels == table.levels.end()) {
      built.features.push_back(name);
      continue;
    }
    text = true;
    for (const auto& level : levels->second) built.features.push_back(fmt::format("{}={}", name, level));
  }
  // All rows and columns of a sparse table: moved, not copied.
  const bool everything = size_of(rows) == table.rows && size_of(columns) == table.cols();
  if (table.sparse) {
    built.X =
        std::make_shared<SparseDesign>(everything ? std::move(*table.sparse) : select(*table.sparse, columns, rows));
  } else {
    built.X = text ? one_hot_design(table, columns, rows) : own(compact(std::move(table.dense), columns, rows));
  }
  return built;
}

}  // namespace tamis::io
