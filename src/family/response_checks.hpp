// What the checks of all families share: finding the offending row and saying so.
#pragma once

#include <cstddef>
#include <span>

namespace tamis {

/// Throws InvalidInput if there are no rows, a value is NaN or infinite, or no row has positive weight.
void check_response_is_finite(std::span<const double> y, std::span<const double> weights);

/// Throws InvalidInput if fewer than two rows have positive weight: what else is wrong with them does not matter then.
void check_rows_count(std::span<const double> y, std::span<const double> weights);

/// Whether row i counts: no weights given, or a positive one.
inline bool counts(std::span<const double> weights, std::size_t i) { return weights.empty() || weights[i] > 0; }

/// The first row that counts, or y.size().
std::size_t first_counted(std::span<const double> y, std::span<const double> weights);

}  // namespace tamis
