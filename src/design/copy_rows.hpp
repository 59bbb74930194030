// Some rows of a Design as a Design of its own, where RowSubsetDesign would be a view on all of them: for work that
// must not see the others, or that passes so often over its rows that the copy is cheap.
#pragma once

#include <memory>
#include <span>

#include "tamis/design/design.hpp"

namespace tamis {

/// The rows listed (rising), owning their memory: sparse columns if X has them, dense ones otherwise.
std::shared_ptr<const Design> copy_rows(const Design& X, std::span<const Index> rows);

}  // namespace tamis
