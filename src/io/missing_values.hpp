// Missing values: which rows are kept, and what is imputed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/source.hpp"
#include "io/table.hpp"

namespace tamis::io {

/// A column that is no feature: the response, a further target, weights or an offset.
struct RoleVector {
  std::string_view role;  ///< "target", "weights", "offset"
  std::string column;     ///< its name, for messages
  std::vector<double>* values = nullptr;
};

struct KeptRows {
  std::vector<Index> rows;  ///< that stay, increasing
  Index filled_cells = 0;
};

/// Follows ReadOptions::missing: fills cells of the columns `features` in the table, and shortens `parts` to the rows
/// that stay. What is no feature is never filled: such a row goes. Throws InvalidInput in the name of `source`.
KeptRows missing_values(const Source& source, Table& table, const std::vector<Index>& features,
                        std::span<const RoleVector> parts, const ReadOptions& options);

}  // namespace tamis::io
