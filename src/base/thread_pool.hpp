// Loops shared between threads that stay awake for the next one. A thread that sleeps needs 30 to 80 microseconds to
// wake, and a path of penalized fits has hundreds of loops of that length: so a thread without work spins for a while
// before it sleeps. Loops may be nested: a thread that waits for the end of one helps with the others meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// A lock that is held for some nanoseconds: a waiting thread spins instead of going to sleep.
class SpinLock {
 public:
  void lock();
  void unlock() { held_.clear(std::memory_order_release); }

 private:
  std::atomic_flag held_;
};

class ThreadPool {
 public:
  explicit ThreadPool(int threads) : threads_(threads) {}

  int threads() const { return threads_; }

  /// body(piece) for the pieces 0, 1, ..., pieces - 1, in any order, on this thread and on those that help; returns
  /// when all are done. The first exception ends the loop and is thrown again here.
  void parallel_for(Index pieces, const std::function<void(Index)>& body);

  /// Helps with every loop until the pool is closed.
  void help();

  /// Releases the helpers. One that arrives later returns at once.
  void close();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

 private:
  struct Loop;

  template <class Over>
  void work_until(Loop* own, const Over& over);
  bool take_piece(Loop* own);
  void run(Loop& loop, Index piece);
  void notify();

  const int threads_;
  SpinLock lock_;
  std::vector<Loop*> open_;               // loops with unclaimed pieces; guarded by lock_
  std::atomic<Index> open_count_{0};      // read without the lock
  std::atomic<std::uint32_t> events_{0};  // moves when a loop opens or ends, and at the closing: sleepers wait on it
  std::atomic<bool> closed_{false};
};

}  // namespace tamis
