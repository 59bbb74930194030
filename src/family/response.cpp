#include "family/response.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

std::size_t first_counted(std::span<const double> y, std::span<const double> weights) {
  std::size_t i = 0;
  while (i < y.size() && !counts(weights, i)) ++i;
  return i;
}

void check_response_is_finite(std::span<const double> y, std::span<const double> weights) {
  if (y.empty()) throw InvalidInput("response: no rows; at least one observation is needed");
  if (!weights.empty() && weights.size() != y.size()) {
    throw InvalidInput(fmt::format("weights: {} given for {} rows; give one for each row", weights.size(), y.size()));
  }
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (!std::isfinite(y[i])) {
      throw InvalidInput(fmt::format("response: row {} is {}; a finite number is needed; correct or remove that row",
                                     i + 1, std::isnan(y[i]) ? "missing (NaN)" : "infinite"));
    }
  }
  if (first_counted(y, weights) == y.size()) {
    throw InvalidInput("weights: none of the rows has a positive weight; give at least one row a weight above 0");
  }
}

bool response_varies(std::span<const double> y, std::span<const double> weights) {
  const std::size_t first = first_counted(y, weights);
  for (Index i = first; i < std::ssize(y); ++i) {
    if (counts(weights, i) && y[i] != y[first]) return true;
  }
  return false;
}

void check_rows_count(std::span<const double> y, std::span<const double> weights) {
  const std::size_t first = first_counted(y, weights);
  if (first == y.size()) throw InvalidInput("response: no rows with a positive weight; nothing can be learnt");
  for (Index i = first + 1; i < std::ssize(y); ++i) {
    if (counts(weights, i)) return;
  }
  throw InvalidInput(fmt::format("response: only row {} counts{}; one row cannot tell what explains it; {}", first + 1,
                                 y.size() > 1 ? ", all others have weight 0" : "",
                                 y.size() > 1 ? "give weights above 0 to more rows" : "more rows are needed"));
}

void check_response_varies(std::span<const double> y, std::span<const double> weights) {
  if (response_varies(y, weights)) return;
  check_rows_count(y, weights);
  const std::size_t first = first_counted(y, weights);
  throw InvalidInput(
      fmt::format("response: constant, every row is {}; no feature can explain a response that never changes; choose "
                  "another target",
                  y[first]));
}

}  // namespace tamis
