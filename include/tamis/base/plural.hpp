// Counts with singular or plural nouns.
#pragma once

#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// "1 feature", "2 features": for nouns with a plural in s.
std::string plural(Index count, std::string_view noun);

}  // namespace tamis
