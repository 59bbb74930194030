// Sizes and positions. Signed, so that differences are harmless.
#pragma once

#include <cstddef>
#include <span>

namespace tamis {

using Index = std::ptrdiff_t;

/// The one place where a pointer and a signed length become a span.
template <class Number>
std::span<Number> span_of(Number* data, Index size) {
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace tamis
