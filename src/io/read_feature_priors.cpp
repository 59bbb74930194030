// Prior inclusion probabilities from a CSV file with the columns feature and prior_inclusion. Features that are not
// listed have none of their own: NaN.
// Example    feature,prior_inclusion
//            BRCA1,0.5
//            TP53,0.5
#include <limits>

#include "io/read_feature_numbers.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis {

std::vector<double> read_feature_priors(const std::string& path, std::span<const std::string> features) {
  return io::read_feature_numbers(io::Source::open(path),
                                  {.column = "prior_inclusion",
                                   .expected = "prior inclusions must be probabilities from 0 to 1",
                                   .fallback = std::numeric_limits<double>::quiet_NaN(),
                                   .largest = 1},
                                  features);
}

}  // namespace tamis
