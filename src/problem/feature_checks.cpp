// Refuses entries of X that no method can work with, reading only the columns that may have one.
//
// Idea       Column moments are known already. Since w_i (x_i - mean)^2 <= sum(w) deviation^2, every entry of positive
//            weight satisfies |x_i| <= |mean| + deviation sqrt(sum(w) / min w): columns for which this bound, and the
//            size of mean and deviation, lie within the limits are cleared without reading them. NaN fails every
//            comparison.
// Then       the remaining columns are read entry by entry, in parallel, and the first bad column in the order of X is
//            reported with row, name, value and remedy, whatever the number of threads.
// Rows of weight 0 do not enter the moments, so with any such row all columns are read.
#include "problem/feature_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Columns that the moments do not clear.
class SuspectColumns {
 public:
  SuspectColumns(const Problem& problem, const ColumnMoments& moments) : moments_(moments) {
    double total = static_cast<double>(problem.X.rows()), least = 1;
    if (!problem.weights.empty()) {
      total = std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
      least = HUGE_VAL;
    }
    for (const double weight : problem.weights) {
      if (weight > 0) least = std::min(least, weight);
      if (weight == 0) has_zero_weights_ = true;
    }
    // The bound above, doubled: moments are rounded.
    max_deviations_ = 2 * std::sqrt(total / least);
  }

  bool contains(std::size_t j) const {
    if (has_zero_weights_) return true;  // such rows do not enter the moments
    const double mean = std::abs(moments_.mean[j]), deviation = moments_.deviation[j];
    return !(mean + max_deviations_ * deviation <= largest_feature) || std::max(mean, deviation) < smallest_feature;
  }

 private:
  const ColumnMoments& moments_;
  double max_deviations_ = 0;
  bool has_zero_weights_ = false;
};

struct Entry {
  Index row = 0;
  double value = 0;
};

// The first entry that is NaN, infinite or too large; otherwise the largest of a column in which all are too small.
std::optional<Entry> invalid_entry(const double* values, const std::int32_t* rows, Index count) {
  Entry largest;
  for (Index e = 0; e < count; ++e) {
    const Entry here{rows != nullptr ? rows[e] : e, values[e]};
    if (!(std::abs(here.value) <= largest_feature)) return here;
    if (std::abs(here.value) > std::abs(largest.value)) largest = here;
  }
  if (largest.value == 0 || std::abs(largest.value) >= smallest_feature) return std::nullopt;
  return largest;
}

std::optional<Entry> invalid_entry(const Design& X, Index j) {
  const std::optional<ColumnView> view = X.column(j);
  if (view && view->center == 0 && view->factor == 1) return invalid_entry(view->values, view->rows, view->count);
  std::vector<double> column(X.rows());
  X.gather(Columns::range(j, 1), std::span<double>(column));
  return invalid_entry(column.data(), nullptr, X.rows());
}

[[noreturn]] void refuse(const Problem& problem, Index j, const Entry& entry) {
  const std::string name = problem.feature_names.empty() ? fmt::format("x{}", j + 1) : problem.feature_names[j];
  const std::string value = std::isnan(entry.value)   ? "NaN"
                            : std::isinf(entry.value) ? "infinite"
                                                      : fmt::format("{:g}", entry.value);
  const std::string where = fmt::format("X: row {}, column {} ('{}') is {}", entry.row + 1, j + 1, name, value);
  if (!std::isfinite(entry.value))
    throw InvalidInput(where + "; expected a finite number; drop the row or impute the value");
  if (std::abs(entry.value) > largest_feature) {
    throw InvalidInput(
        fmt::format("{}; values above {:g} overflow when squared; rescale the column", where, largest_feature));
  }
  throw InvalidInput(fmt::format(
      "{}, the largest absolute value in its column; values below {:g} underflow when squared; rescale the column",
      where, smallest_feature));
}

}  // namespace

void check_features(const Problem& problem, const ColumnMoments& moments) {
  const SuspectColumns suspects(problem, moments);
  const Index p = problem.X.cols();
  std::atomic<Index> first = p;  // of the columns in trouble
  parallel_for(p, 64, [&](Index begin, Index end) {
    for (Index j = begin; j < std::min(end, first.load()); ++j) {
      if (!suspects.contains(j) || !invalid_entry(problem.X, j)) continue;
      Index before = first.load();
      while (j < before && !first.compare_exchange_weak(before, j)) {
      }
      return;
    }
  });
  if (first < p) refuse(problem, first, *invalid_entry(problem.X, first));
}

}  // namespace tamis
