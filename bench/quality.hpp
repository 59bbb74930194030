// What a method finds on fresh draws of a benchmark problem, beside least squares on the true features.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tamis/fit/fit.hpp"

namespace tamis::bench {

struct Quality {
  double f1 = 0;     ///< of the features kept
  double kept = 0;   ///< how many
  double error = 0;  ///< on the test set, over that of the oracle
};

/// One draw, fitted with 10 folds where the method searches. Gaussian designs with a dense X.
Quality measure_quality(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters,
                        const std::string& method);

}  // namespace tamis::bench
