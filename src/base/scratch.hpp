// Work memory that outlives a call, so that inner loops never allocate. Each thread keeps a stack of buffers and
// a Scratch borrows the top one: a thread that waits inside parallel_for may pick up another task that needs
// scratch too, so one buffer per thread would be overwritten.
#pragma once

#include <span>

#include "tamis/base/index.hpp"

namespace tamis {

/// `count` doubles, uninitialized, aligned to 64 bytes, given back at the end of the scope.
/// Must die on the thread that made it, in reverse order of making.
class Scratch {
 public:
  explicit Scratch(Index count);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  double* data() const { return data_; }
  std::span<double> span() const { return span_of(data_, count_); }
  double& operator[](Index i) const { return data_[i]; }

 private:
  double* data_;
  Index count_;
};

/// `count` zeros of this thread, for a scatter that would cost less than clearing memory. The caller leaves them
/// zero, and calls no parallel_for meanwhile: another task on this thread may want them.
std::span<double> zeroed_scratch(Index count);

}  // namespace tamis
