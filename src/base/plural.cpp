#include "tamis/base/plural.hpp"

#include <fmt/format.h>

namespace tamis {

std::string plural(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tamis
