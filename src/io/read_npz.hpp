// NPZ: a zip file of NPY arrays. `X` (or the only array, unless that is `y`) is the matrix, `y` the response,
// `feature_names` the names of the columns. Matrices saved by scipy.sparse.save_npz (csr and csc) are read too.
#pragma once

#include <optional>
#include <string_view>

#include "io/table.hpp"

namespace tamis::io {

class Source;

/// By the signature of a local header, or of the end record of an empty archive.
bool sniff_npz(std::string_view bytes);
Table read_npz(const Source& source, const ColumnFilter& filter);
/// The array `y`, whatever else is there; none if there is no such array.
std::optional<Response> read_npz_response(const Source& source);

}  // namespace tamis::io
