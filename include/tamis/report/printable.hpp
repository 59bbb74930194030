// Words from files, made safe and aligned for a terminal: a column name may hold newlines, escape codes that
// would repaint the screen, marks that reverse the writing direction, or bytes that are no text at all.
#pragma once

#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// `text` with everything that is not visible text spelled out: "\n", "\x1b", "\u202e". Valid UTF-8 in any case.
std::string printable(std::string_view text);

/// Columns that `text` (valid UTF-8 without control characters) takes in a terminal: wide characters take two,
/// combining ones none.
Index display_width(std::string_view text);

/// printable(text) in exactly `width` columns: cut with "..." in the end if longer, filled with spaces if shorter.
std::string fitted(std::string_view text, Index width);

}  // namespace tamis
