// Some rows of a Design as a Design of its own memory. RowSubsetDesign is a view whose products stream all rows; the
// copy pays where the rows are few or passed over often, and where the others must not be visible.
#pragma once

#include <memory>
#include <span>

#include "tamis/design/design.hpp"

namespace tamis {

/// The rows listed (rising), owning their memory: sparse columns if X has them, dense ones otherwise.
std::shared_ptr<const Design> copy_rows(const Design& X, std::span<const Index> rows);

}  // namespace tamis
