#include "experiments/reproduce/curves.hpp"

#include <cmath>

namespace tamis::experiments {

Series curve(const Results& results, std::string_view panel, std::string_view method, std::string_view measure,
             Series look, Shown shown) {
  look.name = method;
  for (const Row* row : results.curve(panel, method, measure)) {
    const double value = value_of(row->ours, shown);
    // Not for a single run, nor where all replicates agree but for rounding.
    const bool bar = shown == Shown::mean && row->ours.standard_error > 1e-9 * std::abs(value);
    look.x.push_back(row->place.x);
    look.y.push_back(value);
    look.lower.push_back(bar ? value - row->ours.standard_error : value);
    look.upper.push_back(bar ? value + row->ours.standard_error : value);
  }
  // No spread at all: no bars of length zero.
  if (look.lower == look.y) {
    look.lower.clear();
    look.upper.clear();
  }
  return look;
}

}  // namespace tamis::experiments
