// From a Table to a Dataset: which column is the response, which are features, what happens to missing values, and
// indicators for text columns.
#pragma once

#include <optional>

#include "io/source.hpp"
#include "io/table.hpp"

namespace tamis::io {

/// `external`: the content of a response file. Throws InvalidInput in the name of `source`.
Dataset to_dataset(const Source& source, Table table, const ReadOptions& options, std::optional<Response> external);

}  // namespace tamis::io
