// Loops over rows, shared between the threads where there are many.
#pragma once

#include <algorithm>
#include <vector>

#include "base/crew.hpp"
#include "method/masking/mask_kernels.hpp"

namespace tamis {

/// Rows whose sums are made together: eight parts for ten thousand. They depend on the number of rows alone, and are
/// added in order, whoever made them. Whole vectors each, and whole lines of cache.
inline Index rows_per_part(Index count) {
  constexpr Index few = 2048, parts = 4, group = 8192, line = 8;
  if (count <= few) return count;
  const Index wanted = parts * ((count + group - 1) / group);
  return ((count + wanted - 1) / wanted + line - 1) / line * line;
}

inline bool rows_are_shared(Index count) { return count > rows_per_part(count); }

/// body(part) for parts that cover the rows of a feature, none depending on another.
template <class Body>
void for_rows(const MaskRows& rows, const Body& body) {
  if (!rows_are_shared(rows.count)) return body(rows);
  crew_for(rows.count, [rows, body](Index begin, Index end) noexcept { body(rows.part(begin, end)); });
}

/// The sum of body(part) over the parts.
template <class Sums, class Body>
Sums over_rows(const MaskRows& rows, const Body& body) {
  if (!rows_are_shared(rows.count)) return body(rows);
  const Index size = rows_per_part(rows.count);
  std::vector<Sums> sums(static_cast<std::size_t>((rows.count + size - 1) / size));
  crew_for(static_cast<Index>(sums.size()), [rows, size, body, out = sums.data()](Index begin, Index end) noexcept {
    for (Index k = begin; k < end; ++k) out[k] = body(rows.part(k * size, std::min(rows.count, (k + 1) * size)));
  });
  Sums total;
  for (const Sums& part : sums) total += part;
  return total;
}

}  // namespace tamis
