#include "family/response_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

// Checks are in the order in which a user can act on them: no rows, wrong lengths, NaN, weights, then the values.
// Messages count rows from 1.
std::size_t first_counted(std::span<const double> y, std::span<const double> weights) {
  std::size_t i = 0;
  while (i < y.size() && !counts(weights, i)) ++i;
  return i;
}

void check_response_is_finite(std::span<const double> y, std::span<const double> weights) {
  if (y.empty()) throw InvalidInput("response: received no rows; expected at least one");
  if (!weights.empty() && weights.size() != y.size()) {
    throw InvalidInput(fmt::format("weights: received {} values for {} rows", weights.size(), y.size()));
  }
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (!std::isfinite(y[i])) {
      throw InvalidInput(fmt::format("response: row {} is {}; expected a finite number; correct or remove this row",
                                     i + 1, std::isnan(y[i]) ? "missing (NaN)" : "infinite"));
    }
  }
  if (first_counted(y, weights) == y.size()) {
    throw InvalidInput("weights: all weights are zero; at least one row needs a positive weight");
  }
}

bool response_varies(std::span<const double> y, std::span<const double> weights) {
  const std::size_t first = first_counted(y, weights);
  for (Index i = first; i < std::ssize(y); ++i) {
    if (counts(weights, i) && y[i] != y[first]) return true;
  }
  return false;
}

// One row of positive weight is one class, or a variance of zero: refused with this reason before any other.
void check_rows_count(std::span<const double> y, std::span<const double> weights) {
  const std::size_t first = first_counted(y, weights);
  if (first == y.size()) throw InvalidInput("weights: all weights are zero; at least one row needs a positive weight");
  for (Index i = first + 1; i < std::ssize(y); ++i) {
    if (counts(weights, i)) return;
  }
  throw InvalidInput(fmt::format("response: only row {} counts{}; at least two rows are needed; {}", first + 1,
                                 y.size() > 1 ? ", all others have weight 0" : "",
                                 y.size() > 1 ? "give more rows a positive weight" : "add rows"));
}

void check_response_varies(std::span<const double> y, std::span<const double> weights) {
  if (response_varies(y, weights)) return;
  check_rows_count(y, weights);
  const std::size_t first = first_counted(y, weights);
  throw InvalidInput(fmt::format(
      "response: every row is {}; a constant response cannot be explained by features; choose another target",
      y[first]));
}

}  // namespace tamis
