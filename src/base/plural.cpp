#include "tamis/base/plural.hpp"

#include <fmt/format.h>

namespace tamis {

std::string plural(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string joined(std::span<const std::string_view> words, std::string_view last) {
  std::string text;
  for (Index k = 0; k < std::ssize(words); ++k) {
    if (k > 0) text += k + 1 < std::ssize(words) ? ", " : fmt::format(" {} ", last);
    text += words[k];
  }
  return text;
}

}  // namespace tamis
