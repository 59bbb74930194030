// Matrix Market (.mtx): coordinate (sparse) and array (dense), real, integer and pattern, general, symmetric and
// skew-symmetric. https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include "io/table.hpp"

namespace tamis::io {

class Source;

/// By the banner, which the format requires as the first line.
bool sniff_matrix_market(std::string_view bytes);
Table read_matrix_market(const Source& source, const ColumnFilter& filter);

}  // namespace tamis::io
