// Can the truth be found at all? The posterior odds of the supports next to it, by someone who knows how the data were
// made: the noise, the law of the coefficients, and how many of the features are relevant on average.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tamis::bench {

/// Log posterior odds of the most probable competitor against the true support. Above 0: whoever reports the most
/// probable support is wrong on this draw. Competing supports have one feature more, one less, or one exchanged for
/// another; -3: there is none that comes near.
struct CompetingSupports {
  double any_size = 0;   ///< each feature is relevant with the same probability, independently
  double same_size = 0;  ///< exchanges only: the number of relevant features is known as well
  double normal = 0;     ///< any size, coefficients believed normal with the second moment of the true law
};

/// For designs whose coefficients are +-(.5 to 1.5), uniformly (bench.a).
CompetingSupports strongest_competitors(const std::string& design, std::uint64_t seed,
                                        const std::map<std::string, double>& parameters);

}  // namespace tamis::bench
