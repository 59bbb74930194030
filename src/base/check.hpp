// The one assert of the library: a broken promise between our own rooms, never the user's mistake.
#pragma once

#include <stdexcept>

namespace tamis {

/// Throws std::logic_error(message) unless `holds`.
inline void check(bool holds, const char* message) {
  if (!holds) throw std::logic_error(message);
}

}  // namespace tamis
