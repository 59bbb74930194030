// What the tiles behind a tile did to its gradient in the last sweep, summed up by whoever comes first: the thread that
// takes the steps, or another that runs ahead of it. Such sums are half the work of a sweep and know nothing of the
// present one, so that they can be made while earlier tiles take their steps; who makes them changes no bit.
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
  /// The sum of a row; in a sweep the rows are asked for once each, from the first to the last.
  const double* take(Index row);
  /// While it lives, take() may be called; afterwards nobody asks any more.
  class Consumer {
   public:
    explicit Consumer(GradientPrefetch& prefetch) : prefetch_(prefetch) {}
    ~Consumer() { prefetch_.finished_.store(true, std::memory_order_release); }
    Consumer(const Consumer&) = delete;
    Consumer& operator=(const Consumer&) = delete;

   private:
    GradientPrefetch& prefetch_;
  };

  /// For another thread: makes sums ahead of take() while somebody asks. Returns at once if it comes too late.
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
  Counter known_;              // those before can be made
  Counter claimed_;            // those before are somebody's
  std::vector<Counter> made_;  // of each row: one more than the number of its last sum
  std::vector<double> sums_;
  std::atomic<bool> finished_{false};
};

}  // namespace tamis
