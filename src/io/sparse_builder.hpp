// Compressed columns from coordinate entries in file order.
#pragma once

#include <cstdint>
#include <vector>

#include "io/source.hpp"
#include "tamis/design/design.hpp"

namespace tamis::io {

/// Positions from 0.
struct SparseEntry {
  std::int32_t row = 0;
  std::int32_t col = 0;
  double value = 0;
};

/// Rows come out increasing within each column; entries at the same place stay, side by side.
SparseColumns to_columns(Index rows, Index cols, const std::vector<SparseEntry>& entries);

/// The position k > 0 of a stored value that has the place of the one before it; -1: none.
Index find_repeat(const SparseColumns& columns);

/// A sparse file may claim any size without paying for it in bytes. Refuses more rows or columns (`what`) than a 32 bit
/// number counts, or than the stored values make believable.
void check_dimension(const Source& source, const char* what, Index claimed, Index stored);

}  // namespace tamis::io
