#include "base/scratch.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace tamis {
namespace {

constexpr std::align_val_t alignment{64};
// A larger buffer is freed at once: threads live long, and a rare wide call must not pin its memory.
constexpr Index largest_kept = Index{1} << 21;

struct Free {
  void operator()(double* p) const { ::operator delete(p, alignment); }
};

struct Buffer {
  std::unique_ptr<double, Free> memory;
  Index capacity = 0;
};

struct Stack {
  std::vector<Buffer> buffers;
  std::size_t used = 0;
};

Stack& stack() {
  thread_local Stack s;
  return s;
}

void grow(Buffer& buffer, Index count) {
  // Pages that are never used are never touched, so a generous minimum costs nothing and most buffers are allocated
  // once; growing step by step would fragment the heap. Larger buffers have the size asked for.
  constexpr Index ample = Index{1} << 16;
  const Index capacity = std::max(count, ample);
  buffer.memory.reset();
  buffer.capacity = 0;
  const std::size_t bytes = capacity * sizeof(double);
  buffer.memory.reset(static_cast<double*>(::operator new(bytes, alignment)));
  buffer.capacity = capacity;
}

}  // namespace

Scratch::Scratch(Index count) : count_(count) {
  Stack& s = stack();
  if (s.used == s.buffers.size()) s.buffers.emplace_back();
  Buffer& buffer = s.buffers[s.used];
  if (buffer.capacity < count || buffer.capacity == 0) grow(buffer, count);
  data_ = buffer.memory.get();
  ++s.used;  // last: if memory ran out above, the stack is unchanged
}

Scratch::~Scratch() {
  Stack& s = stack();
  Buffer& buffer = s.buffers[--s.used];
  if (buffer.capacity > largest_kept) buffer = Buffer{};
}

std::span<double> zeroed_scratch(Index count) {
  thread_local std::vector<double> zeros;
  if (std::ssize(zeros) < count) zeros.resize(count);
  return span_of(zeros.data(), count);
}

}  // namespace tamis
