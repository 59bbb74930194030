// Compressed sparse columns come from files and callers: nothing about them is believed.
#pragma once

#include "tamis/design/design.hpp"

namespace tamis {

/// Throws InvalidInput with the first flaw in starts, ranges or order.
void check_structure(const SparseView& columns);

}  // namespace tamis
