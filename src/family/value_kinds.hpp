// Summary of the values of a response or of a table: from this a family is guessed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamis {

struct ValueKinds {
  bool whole = true;  ///< no fractions, nothing missing, and none so large that a double has no place for fractions
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(double x) {
    whole = whole && x == std::floor(x) && std::abs(x) < 0x1p53;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
  /// 0 and 1, both of them, and nothing else.
  bool two_classes() const { return whole && smallest == 0 && largest == 1; }
};

}  // namespace tamis
