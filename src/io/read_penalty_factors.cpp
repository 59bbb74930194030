// Penalty factors from a CSV file with the columns feature and factor. Features that are not listed have factor 1; 0
// means not penalized.
// Example    feature,factor
//            age,0
//            bmi,0.5
#include <limits>

#include "io/read_feature_numbers.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis {
namespace io {

std::vector<double> factors_of(const Source& source, std::span<const std::string> features) {
  return read_feature_numbers(source,
                              {.column = "factor",
                               .expected = "factors must be nonnegative numbers",
                               .fallback = 1,
                               .largest = std::numeric_limits<double>::infinity()},
                              features);
}

}  // namespace io

std::vector<double> read_penalty_factors(const std::string& path, std::span<const std::string> features) {
  return io::factors_of(io::Source::open(path), features);
}

}  // namespace tamis
