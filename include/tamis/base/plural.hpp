// A number of things in words.
#pragma once

#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// "1 feature", "2 features": of nouns that take an s.
std::string plural(Index count, std::string_view noun);

}  // namespace tamis
