#include "design/sparse_structure.hpp"

#include <fmt/format.h>

#include <limits>

#include "tamis/base/error.hpp"

namespace tamis {

void check_structure(const SparseView& s) {
  const Index stored = s.values.size();
  // Row numbers are 32 bits: 64 would take a third more memory, which products with a sparse matrix stream.
  if (s.rows < 0 || s.cols < 0 || s.rows > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidInput(
        fmt::format("sparse matrix: received {} rows and {} columns; expected 0 to 2147483647 rows and a nonnegative "
                    "number of columns",
                    s.rows, s.cols));
  }
  if (std::ssize(s.starts) != s.cols + 1 || s.starts.front() != 0 || s.starts.back() != stored ||
      s.indices.size() != s.values.size()) {
    throw InvalidInput(
        fmt::format("sparse matrix: received {} column starts, {} row indices and {} values for {} columns; expected "
                    "columns + 1 starts from 0 to the number of values",
                    s.starts.size(), s.indices.size(), stored, s.cols));
  }
  for (Index j = 0; j < s.cols; ++j) {
    if (s.starts[j] > s.starts[j + 1]) {
      throw InvalidInput(
          fmt::format("sparse matrix: column {} starts at {} and ends at {}; expected nondecreasing column starts",
                      j + 1, s.starts[j], s.starts[j + 1]));
    }
  }
  // After the starts are known to be nondecreasing and to end at the number of values: every k below is in range.
  for (Index j = 0; j < s.cols; ++j) {
    for (Index k = s.starts[j]; k < s.starts[j + 1]; ++k) {
      const std::int32_t i = s.indices[k];
      if (i < 0 || i >= s.rows || (k > s.starts[j] && i <= s.indices[k - 1])) {
        throw InvalidInput(
            fmt::format("sparse matrix: column {} has row index {}; expected strictly increasing indices from 0 to {}; "
                        "sort the entries and sum duplicates",
                        j + 1, i, s.rows - 1));
      }
    }
  }
}

void check_structure(const SparseColumns& s) {
  check_structure(SparseView(s.rows, s.cols, s.starts, s.indices, s.values));
}

}  // namespace tamis
