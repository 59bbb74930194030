#include "tamis/base/large_pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tamis {

#if defined(__linux__)
void prefer_large_pages(void* block, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  if (bytes < 4 * page) return;  // rounding up to whole pages must not cost much
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  // Advice: whether it is taken or refused, the memory is there.
  static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}
#else
void prefer_large_pages(void*, std::size_t) {}
#endif

}  // namespace tamis
