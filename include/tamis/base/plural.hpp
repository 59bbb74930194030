// Counts with singular or plural nouns, and lists of words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis {

/// "1 feature", "2 features": for nouns with a plural in s.
std::string plural(Index count, std::string_view noun);
/// "lasso, ridge and vg"; "" of none.
std::string joined(std::span<const std::string_view> words, std::string_view last = "and");

}  // namespace tamis
