// Sizes and positions. Signed, so that differences are harmless.
#pragma once

#include <cstddef>

namespace tamis {

using Index = std::ptrdiff_t;

}  // namespace tamis
