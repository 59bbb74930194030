// The former place of tamis/base/plural.hpp, for one release.
#pragma once

#include "tamis/base/plural.hpp"

namespace tamis {

inline std::string counted(Index count, std::string_view noun) { return plural(count, noun); }

}  // namespace tamis
