// One number per feature from a CSV file with the column `feature` and one of numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/formats.hpp"

namespace tamis::io {

/// What the column of numbers is called and may hold.
struct FeatureNumbers {
  std::string column;    ///< "factor"
  std::string expected;  ///< "factors must be nonnegative numbers"
  double fallback = 1;   ///< of a feature that is not listed
  double largest = 0;    ///< numbers are from 0 to this
};

/// By name, each feature at most once. Throws InvalidInput for a name that is not in `features`, a number that is out
/// of range or missing, and a file without the columns.
std::vector<double> read_feature_numbers(const Source& source, const FeatureNumbers& what,
                                         std::span<const std::string> features);

}  // namespace tamis::io
