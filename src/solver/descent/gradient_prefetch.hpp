// Contribution of the last sweep's steps to the gradient of each tile row, summed by whichever thread is first: the one
// that descends, or a helper that runs ahead of it. These sums are half the work of a sweep and do not depend on the
// present one, so that they can be made while earlier tiles descend. Each is made once, by one thread, in one order:
// results do not depend on which.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

class GradientPrefetch {
 public:
  static constexpr Index side = 16;  ///< numbers per tile

  /// pull(row, sum) writes the sum of a tile row, `side` numbers.
  GradientPrefetch(Index rows, std::function<void(Index, double*)> gradient);

  /// A new sweep: all steps of the last one are known.
  void begin_sweep();
  /// The sum of a row; in a sweep every row is taken once, from the first to the last.
  const double* take(Index row);
  /// While it lives, take() may be called; its end releases the helper.
  class Consumer {
   public:
    explicit Consumer(GradientPrefetch& prefetch) : prefetch_(prefetch) {}
    ~Consumer() { prefetch_.finished_.store(true, std::memory_order_release); }
    Consumer(const Consumer&) = delete;
    Consumer& operator=(const Consumer&) = delete;

   private:
    GradientPrefetch& prefetch_;
  };

  /// For a helper thread: makes sums ahead of take() until the consumer ends. Returns at once if that was before.
  void run_ahead();

 private:
  struct alignas(64) Counter {
    std::atomic<Index> value{0};
  };

  bool make_next();

  const Index rows_;
  const std::function<void(Index, double*)> gradient_;
  // Sums are numbered through all sweeps: row r of sweep s is s * rows + r.
  Index first_ = 0;            // of this sweep
  Counter known_;              // sums before this number can be made: their steps are complete
  Counter claimed_;            // sums before this number are taken by a thread
  std::vector<Counter> made_;  // of each row: one more than the number of its last sum
  std::vector<double> sums_;
  std::atomic<bool> finished_{false};
};

}  // namespace tamis
