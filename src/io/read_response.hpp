// A response file: y for formats that carry none.
#pragma once

#include <string>

#include "io/table.hpp"

namespace tamis::io {

/// An NPY vector, or text with one value per line under an optional name; `target` picks one of several columns.
Response read_response(const std::string& path, const std::string& target);

}  // namespace tamis::io
