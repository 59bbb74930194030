// Covariance components from an open file (include/tamis/io/components.hpp).
#pragma once

#include "io/source.hpp"
#include "tamis/io/components.hpp"

namespace tamis::io {

/// The arrays of an NPZ archive.
ComponentFile components_of(const Source& source, std::span<const std::string> features, Index rows);

}  // namespace tamis::io
