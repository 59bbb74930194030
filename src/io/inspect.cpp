// Content of a file for `tamis info`: type, missing cells and distinct levels of every column, and duplicates.
// Duplicates columns of equal content by hash, then confirmed cell by cell, so that a collision costs time and not a
// wrong answer; O(cells) instead of comparing all pairs. Duplicated features share their coefficient in an arbitrary
// way, which is why a user should know.
// Types      constant, 0/1, integer, number, text; by the values, not by how they are written.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "io/formats.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis {
namespace io {
namespace {

// Stored cells of a column, dense or sparse; `rows` is empty for dense columns.
struct Cells {
  std::span<const double> values;
  std::span<const std::int32_t> rows;
  Index implicit_zeros = 0;
};

Cells cells_of(const Table& table, Index j) {
  if (!table.sparse) return {table.dense.column(j), {}, 0};
  const auto& s = *table.sparse;
  const Index begin = s.starts[j];
  const Index count = s.starts[j + 1] - begin;
  return {span_of(s.values.data() + begin, count), span_of(s.indices.data() + begin, count), s.rows - count};
}

// Implicit zeros of sparse columns count as values.
std::string number_type(const Cells& cells) {
  bool whole = true;
  bool binary = true;
  bool constant = true;
  double first = std::nan("");
  const auto update = [&](double x) {
    if (std::isnan(x)) return;
    if (std::isnan(first)) first = x;
    constant = constant && x == first;
    whole = whole && x == std::floor(x);
    binary = binary && (x == 0 || x == 1);
  };
  if (cells.implicit_zeros > 0) update(0);
  for (const double x : cells.values) update(x);
  if (constant) return "constant";
  if (binary) return "0/1";
  return whole ? "integer" : "number";
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Combination as in boost::hash_combine, then a multiplication by an odd constant (of splitmix64) to spread high bits.
std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state ^= word + 0x9E3779B97F4A7C15ULL + (state << 6) + (state >> 2);
  return state * 0xBF58476D1CE4E5B9ULL;
}

// Equal content, equal hash: explicit zeros of sparse columns count as not stored, all NaN are one, -0 is 0 (x + 0.0).
std::uint64_t hash(const Cells& cells) {
  std::uint64_t state = 1;
  for (Index k = 0; k < std::ssize(cells.values); ++k) {
    const double x = cells.values[k];
    if (!cells.rows.empty() && x == 0) continue;
    if (!cells.rows.empty()) state = mix(state, static_cast<std::uint64_t>(cells.rows[k]));
    state = mix(state, std::isnan(x) ? 2 : std::bit_cast<std::uint64_t>(x + 0.0));
  }
  return state;
}

bool equal(const Cells& a, const Cells& b) {
  const bool sparse = !a.rows.empty() || !b.rows.empty();
  if (!sparse) return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same);
  std::size_t i = 0;
  std::size_t k = 0;
  for (;; ++i, ++k) {
    while (i < a.values.size() && a.values[i] == 0) ++i;
    while (k < b.values.size() && b.values[k] == 0) ++k;
    if (i == a.values.size() || k == b.values.size()) return i == a.values.size() && k == b.values.size();
    if (a.rows[i] != b.rows[k] || !same(a.values[i], b.values[k])) return false;
  }
}

// Finds the first earlier column of equal content. Text columns are equal if their levels and codes are.
class DuplicateFinder {
 public:
  explicit DuplicateFinder(const Table& table) : table_(table) {}

  std::string earlier_duplicate(Index j) {
    const Cells cells = cells_of(table_, j);
    auto& candidates = by_hash_[hash(cells)];
    for (const Index k : candidates) {
      if (equal(cells, cells_of(table_, k)) && levels(j) == levels(k)) return table_.names[k];
    }
    candidates.push_back(j);
    return "";
  }

 private:
  std::vector<std::string> levels(Index j) const {
    const auto text = table_.levels.find(j);
    return text != table_.levels.end() ? text->second : std::vector<std::string>();
  }

  const Table& table_;
  std::unordered_map<std::uint64_t, std::vector<Index>> by_hash_;
};

}  // namespace

FileInfo inspect_source(const Source& source) {
  const Table table = detect(source).read(source, ColumnFilter());
  source.refuse_if_changed();
  FileInfo info;
  info.format = table.format;
  info.rows = table.rows;
  info.cols = table.cols();
  info.stored = table.sparse ? std::ssize(table.sparse->values) : table.rows * table.cols();
  info.notes = notes_on(table);
  DuplicateFinder duplicates(table);
  for (Index j = 0; j < table.cols(); ++j) {
    const Cells cells = cells_of(table, j);
    ColumnInfo column;
    column.name = table.names[j];
    column.missing = std::count_if(cells.values.begin(), cells.values.end(), [](double x) { return std::isnan(x); });
    const auto text = table.levels.find(j);
    column.distinct = text != table.levels.end() ? std::ssize(text->second) : 0;
    column.type = text == table.levels.end() ? number_type(cells) : column.distinct > 1 ? "text" : "constant";
    column.duplicate_of = duplicates.earlier_duplicate(j);
    info.missing += column.missing;
    info.columns.push_back(std::move(column));
  }
  return info;
}

}  // namespace io

FileInfo inspect(const std::string& path) { return io::inspect_source(io::Source::open(path)); }

}  // namespace tamis
