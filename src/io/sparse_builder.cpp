// Compressed columns from coordinate entries.
// Algorithm  two stable counting sorts, by row and then by column: O(entries + rows + cols) and no comparisons. Files
//            in row order (svmlight, CSR) skip the first.
// Guarantee  rows increase within each column; duplicates are adjacent, so that find_repeat() is one pass. They are not
//            added up: readers refuse them, with the place in the file where the format has one.
#include "io/sparse_builder.hpp"

#include <fmt/format.h>

#include <limits>

#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

// Stable counting sort: permutation of `before` in the order of key(entry).
template <class Key>
std::vector<std::size_t> order_by(const std::vector<SparseEntry>& entries, const std::vector<std::size_t>& before,
                                  Index keys, Key key) {
  std::vector<std::size_t> next(keys + 1, 0);
  for (const auto& entry : entries) ++next[key(entry) + 1];
  for (Index k = 1; k < std::ssize(next); ++k) next[k] += next[k - 1];
  std::vector<std::size_t> order(entries.size());
  for (const std::size_t at : before) order[next[key(entries[at])]++] = at;
  return order;
}

bool rows_increase(const std::vector<SparseEntry>& entries) {
  for (Index k = 1; k < std::ssize(entries); ++k) {
    if (entries[k].row < entries[k - 1].row) return false;
  }
  return true;
}

}  // namespace

SparseColumns to_columns(Index rows, Index cols, const std::vector<SparseEntry>& entries) {
  std::vector<std::size_t> order(entries.size());
  for (Index k = 0; k < std::ssize(order); ++k) order[k] = k;
  // By row first and then, stably, by column (least significant key first, as in radix sort).
  if (!rows_increase(entries)) order = order_by(entries, order, rows, [](const SparseEntry& e) { return e.row; });
  order = order_by(entries, order, cols, [](const SparseEntry& e) { return e.col; });
  SparseColumns out;
  out.rows = rows;
  out.cols = cols;
  out.starts.assign(cols + 1, 0);
  out.indices.reserve(entries.size());
  out.values.reserve(entries.size());
  for (const std::size_t at : order) {
    out.indices.push_back(entries[at].row);
    out.values.push_back(entries[at].value);
    ++out.starts[entries[at].col + 1];
  }
  for (Index j = 1; j < std::ssize(out.starts); ++j) out.starts[j] += out.starts[j - 1];
  return out;
}

Index find_repeat(const SparseColumns& columns) {
  for (Index j = 0; j < columns.cols; ++j) {
    const Index begin = columns.starts[j];
    const Index end = columns.starts[j + 1];
    for (Index k = begin + 1; k < end; ++k) {
      const Index at = k;
      if (columns.indices[at] == columns.indices[at - 1]) return k;
    }
  }
  return -1;
}

// 32-bit row indices limit both dimensions. The second check protects memory: the starts of columns take 8 bytes each,
// whether or not a column has an entry.
void check_dimension(const Source& source, const char* what, Index claimed, Index stored) {
  constexpr Index per_stored_value = 64;
  if (claimed > std::numeric_limits<std::int32_t>::max() - 1) {
    source.refuse(fmt::format("{} {} are too many; expected at most 2147483646", claimed, what));
  }
  if (claimed > source.limits().empty_dimension && claimed / per_stored_value > stored) {
    source.refuse(fmt::format("{} {} are implausible for {}; check the largest index", claimed, what,
                              plural(stored, "stored value")));
  }
}

}  // namespace tamis::io
