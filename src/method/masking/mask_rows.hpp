// Loops over rows, shared among threads where there are many. Sums are made over parts that depend on the number of
// rows alone and added in order, so that results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <vector>

#include "method/masking/mask_kernels.hpp"
#include "tamis/base/parallel.hpp"

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

/// body(begin, end) for ranges that cover [0, count), each a multiple of `unit` long. Every thread takes its share at
/// once: a part is a microsecond or two, as long as taking it.
template <class Body>
void for_each_share(Index count, Index unit, const Body& body) {
  const Index threads = available_threads(), share = (count + threads - 1) / threads;
  parallel_for(count, (share + unit - 1) / unit * unit, body);
}

/// body(part) for parts that cover the rows of a feature, none depending on another.
template <class Body>
void for_rows(const MaskRows& rows, const Body& body) {
  if (!rows_are_shared(rows.count)) return body(rows);
  constexpr Index line = 8;
  for_each_share(rows.count, line, [&](Index begin, Index end) { body(rows.part(begin, end)); });
}

/// The sum of body(part) over the parts.
template <class Sums, class Body>
Sums over_rows(const MaskRows& rows, const Body& body) {
  if (!rows_are_shared(rows.count)) return body(rows);
  const Index size = rows_per_part(rows.count);
  std::vector<Sums> sums((rows.count + size - 1) / size);
  for_each_share(std::ssize(sums), 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      sums[k] = body(rows.part(k * size, std::min(rows.count, (k + 1) * size)));
    }
  });
  Sums total;
  for (const Sums& part : sums) total += part;
  return total;
}

}  // namespace tamis
