// Compressed sparse columns come from files and callers and are untrusted: every index is checked once, before any
// kernel uses it without a check.
#pragma once

#include "tamis/design/design.hpp"

namespace tamis {

/// Throws InvalidInput with the first flaw in starts, ranges or order.
void check_structure(const SparseView& columns);
void check_structure(const SparseColumns& columns);

}  // namespace tamis
