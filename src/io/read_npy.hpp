// NPY: one matrix of numbers, without names; a vector is a matrix of one column.
#pragma once

#include <string_view>

#include "io/table.hpp"

namespace tamis::io {

class Source;

/// By the magic bytes.
bool sniff_npy(std::string_view bytes);
Table read_npy(const Source& source, const ColumnFilter& filter);

}  // namespace tamis::io
