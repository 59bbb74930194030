// From columns of a Table to the Design that a Dataset owns.
#pragma once

#include <string>
#include <vector>

#include "io/table.hpp"

namespace tamis::io {

/// As many names as columns of X.
struct BuiltDesign {
  std::shared_ptr<const Design> X;
  std::vector<std::string> features;
};

/// The columns listed, in this order, on the rows listed (increasing). Text columns become indicators, one per level
/// that the table knows; a missing cell (NaN) of a text column becomes the frequency of each level, or what the
/// table's `shares` say. Numbers are taken as they are. Memory of the table is used again where that is possible.
BuiltDesign build_design(Table& table, const std::vector<Index>& columns, const std::vector<Index>& rows);

/// A dense Design that owns its memory.
std::shared_ptr<const Design> own(DenseStorage storage);

}  // namespace tamis::io
