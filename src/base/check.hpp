// The one assert of the library: a violated precondition between our own functions, never a mistake of the user.
#pragma once

#include <stdexcept>

namespace tamis {

/// Throws std::logic_error(message) unless `holds`.
inline void check(bool holds, const char* message) {
  if (!holds) throw std::logic_error(message);
}

}  // namespace tamis
