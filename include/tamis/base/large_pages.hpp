// Memory for large arrays. Passes over X are bounded by how fast it streams, and the processor's prefetching stops at
// the end of every page: with large pages a path is some ten percent faster.
#pragma once

#include <cstddef>
#include <memory>

namespace tamis {

/// Asks the system to back a block with large pages, if it is large; to be called before it is written for the first
/// time. Where the system has none nothing happens.
void prefer_large_pages(void* block, std::size_t bytes);

/// std::allocator whose large blocks prefer large pages.
template <class T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) {
    T* block = std::allocator<T>().allocate(count);
    prefer_large_pages(block, count * sizeof(T));
    return block;
  }
  void deallocate(T* block, std::size_t count) { std::allocator<T>().deallocate(block, count); }

  bool operator==(const LargePageAllocator& /*other*/) const { return true; }
};

}  // namespace tamis
