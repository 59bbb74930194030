// Lines for a terminal.
#pragma once

#include <string>

#include "tamis/base/index.hpp"

namespace tamis {

/// Words of `text` in lines of at most `width` columns; a longer word has a line of its own.
std::string wrapped(const std::string& text, Index width);

}  // namespace tamis
