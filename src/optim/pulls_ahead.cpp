#include "optim/pulls_ahead.hpp"

#include <utility>

#include "base/rest.hpp"

namespace tamis {

PullsAhead::PullsAhead(Index rows, std::function<void(Index, double*)> pull)
    : rows_(rows),
      pull_(std::move(pull)),
      made_(static_cast<std::size_t>(rows)),
      sums_(static_cast<std::size_t>(rows * side)) {}

void PullsAhead::begin_sweep() {
  first_ = known_.value.load(std::memory_order_relaxed);
  known_.value.store(first_ + rows_, std::memory_order_release);
}

// All before this one are claimed, since they were asked for; so it is ours, or was claimed by who runs ahead.
const double* PullsAhead::take(Index row) {
  Index number = first_ + row;
  if (claimed_.value.compare_exchange_strong(number, number + 1, std::memory_order_relaxed)) {
    make(row);
  } else {
    const std::atomic<Index>& made = made_[static_cast<std::size_t>(row)].value;
    while (made.load(std::memory_order_acquire) <= first_ + row) rest_on_the_core();
  }
  return sums_.data() + row * side;
}

void PullsAhead::run_ahead() {
  while (!finished_.load(std::memory_order_acquire)) {
    Index number = claimed_.value.load(std::memory_order_relaxed);
    if (number >= known_.value.load(std::memory_order_acquire)) {
      rest_on_the_core();
      continue;
    }
    if (!claimed_.value.compare_exchange_strong(number, number + 1, std::memory_order_relaxed)) continue;
    make(number % rows_);
    made_[static_cast<std::size_t>(number % rows_)].value.store(number + 1, std::memory_order_release);
  }
}

}  // namespace tamis
