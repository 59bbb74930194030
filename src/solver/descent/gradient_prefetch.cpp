#include "solver/descent/gradient_prefetch.hpp"

#include <utility>

#include "base/cpu_relax.hpp"

namespace tamis {

GradientPrefetch::GradientPrefetch(Index rows, std::function<void(Index, double*)> gradient)
    : rows_(rows), gradient_(std::move(gradient)), made_(rows), sums_(rows * side) {}

void GradientPrefetch::begin_sweep() {
  first_ = known_.value.load(std::memory_order_relaxed);
  known_.value.store(first_ + rows_, std::memory_order_release);
}

// Claims and makes the next sum, if its steps are known. Lock-free: the claim is one compare-and-swap on a counter, and
// the release store of made_ publishes the numbers to the acquire load in take().
bool GradientPrefetch::make_next() {
  Index number = claimed_.value.load(std::memory_order_relaxed);
  if (number >= known_.value.load(std::memory_order_acquire)) return false;
  if (!claimed_.value.compare_exchange_strong(number, number + 1, std::memory_order_relaxed)) return true;
  const Index row = number % rows_;
  gradient_(row, sums_.data() + row * side);
  made_[row].value.store(number + 1, std::memory_order_release);
  return true;
}

// If the helper is still at this sum, a later one is made meanwhile instead of waiting.
const double* GradientPrefetch::take(Index row) {
  const std::atomic<Index>& made = made_[row].value;
  while (made.load(std::memory_order_acquire) <= first_ + row) {
    if (!make_next()) cpu_relax();
  }
  return sums_.data() + row * side;
}

void GradientPrefetch::run_ahead() {
  while (!finished_.load(std::memory_order_acquire)) {
    if (!make_next()) cpu_relax();
  }
}

}  // namespace tamis
