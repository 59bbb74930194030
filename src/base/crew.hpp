// Short loops, one right after the other: over the rows of one feature, then of the next. A crew comes once for all of
// these loops: its members stay awake, each looks at a line of memory of its own, and a loop is copied there whole, so
// that nobody follows pointers through another core's cache. On two quiet cores that is some 2 % of a fit of bm.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

#include "tamis/base/index.hpp"

namespace tamis {

/// Runs `work` on this thread; the others of this place join in its loops of crew_for() as soon as they come, if they
/// do. A parallel_for inside it is not shared.
void with_crew(const std::function<void()>& work);

/// A loop without its type: call(body, begin, end), where body has `size` bytes.
struct CrewLoop {
  static constexpr std::size_t most_bytes = 160;
  void (*call)(const void* body, Index begin, Index end);
  const void* body;
  std::size_t size;
};

void share_with_crew(Index count, const CrewLoop& loop);

/// Calls body(begin, end) for ranges that cover [0, count), one for each thread of the crew; outside with_crew() as
/// parallel_for does. The cut depends on the threads. Members work on a copy of body: it is small, and holds pointers
/// to what they write.
template <class Body>
void crew_for(Index count, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= CrewLoop::most_bytes);
  static_assert(std::is_nothrow_invocable_v<const Body&, Index, Index>);
  const auto call = [](const void* copy, Index begin, Index end) { (*static_cast<const Body*>(copy))(begin, end); };
  share_with_crew(count, {call, &body, sizeof(Body)});
}

}  // namespace tamis
