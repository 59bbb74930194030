// Compressed sparse columns.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/scratch.hpp"
#include "tamis/base/error.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

void check_structure(const SparseColumns& s) {
  const Index stored = static_cast<Index>(s.values.size());
  if (s.rows < 0 || s.cols < 0 || s.rows > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidInput(
        fmt::format("sparse matrix: received {} rows and {} columns; rows must be 0 to 2147483647 and "
                    "columns not negative; check how the matrix was made",
                    s.rows, s.cols));
  }
  if (static_cast<Index>(s.starts.size()) != s.cols + 1 || s.starts.front() != 0 || s.starts.back() != stored ||
      s.indices.size() != s.values.size()) {
    throw InvalidInput(
        fmt::format("sparse matrix: received {} column starts, {} row indices and {} values for {} "
                    "columns; expected columns + 1 starts from 0 to the number of values; check how "
                    "the matrix was made",
                    s.starts.size(), s.indices.size(), stored, s.cols));
  }
  for (Index j = 0; j < s.cols; ++j) {
    if (s.starts[j] > s.starts[j + 1]) {
      throw InvalidInput(
          fmt::format("sparse matrix: column {} starts at {} and ends at {}; expected starts that never "
                      "fall; check how the matrix was made",
                      j + 1, s.starts[j], s.starts[j + 1]));
    }
  }
  for (Index j = 0; j < s.cols; ++j) {
    for (Index k = s.starts[j]; k < s.starts[j + 1]; ++k) {
      const std::int32_t i = s.indices[k];
      if (i < 0 || i >= s.rows || (k > s.starts[j] && i <= s.indices[k - 1])) {
        throw InvalidInput(
            fmt::format("sparse matrix: column {} has row index {}; expected increasing indices from 0 "
                        "to {}; sort the entries and add up repeated ones",
                        j + 1, i, s.rows - 1));
      }
    }
  }
}

}  // namespace

SparseDesign::SparseDesign(SparseColumns columns) : columns_(std::move(columns)) { check_structure(columns_); }

double SparseDesign::stored_per_column() const {
  return static_cast<double>(columns_.values.size()) / static_cast<double>(std::max<Index>(1, columns_.cols));
}

void SparseDesign::local_gather(Columns c, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    std::fill_n(out.col(k), out.rows, 0.0);
    for (Index e = columns_.starts[c[k]]; e < columns_.starts[c[k] + 1]; ++e) {
      out(columns_.indices[e], k) = columns_.values[e];
    }
  }
}

void SparseDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  for (Index l = 0; l < V.cols; ++l) {
    for (Index k = 0; k < c.size(); ++k) {
      const double v = V(k, l);
      if (v == 0) continue;
      for (Index e = columns_.starts[c[k]]; e < columns_.starts[c[k] + 1]; ++e) {
        R(columns_.indices[e], l) += v * columns_.values[e];
      }
    }
  }
}

void SparseDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    for (Index l = 0; l < R.cols; ++l) {
      double sum = 0;
      for (Index e = columns_.starts[c[k]]; e < columns_.starts[c[k] + 1]; ++e) {
        sum += columns_.values[e] * R(columns_.indices[e], l);
      }
      out(k, l) = sum;
    }
  }
}

void SparseDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  const Scratch work(columns_.rows);
  std::fill_n(work.data(), columns_.rows, 0.0);
  for (Index k = 0; k < b.size(); ++k) {
    const Index begin = columns_.starts[b[k]], end = columns_.starts[b[k] + 1];
    for (Index e = begin; e < end; ++e) {
      const std::int32_t i = columns_.indices[e];
      work[i] = (weights.empty() ? 1 : weights[i]) * columns_.values[e];
    }
    transpose_multiply(a, ConstMatrixView(work.data(), columns_.rows, 1), MatrixView(out.col(k), a.size(), 1));
    for (Index e = begin; e < end; ++e) work[columns_.indices[e]] = 0;
  }
}

void SparseDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  for (Index k = 0; k < c.size(); ++k) {
    double sum = 0;
    for (Index e = columns_.starts[c[k]]; e < columns_.starts[c[k] + 1]; ++e) {
      const double x = columns_.values[e];
      sum += (weights.empty() ? 1 : weights[columns_.indices[e]]) * x * x;
    }
    out[k] = sum;
  }
}

std::optional<ColumnView> SparseDesign::local_column(Index j) const {
  // A matrix without any entry has no index memory, but a view without row numbers would mean a dense column.
  static constexpr std::int32_t none = 0;
  const Index begin = columns_.starts[j];
  return ColumnView{.values = columns_.values.data() + begin,
                    .rows = columns_.indices.empty() ? &none : columns_.indices.data() + begin,
                    .count = columns_.starts[j + 1] - begin};
}

}  // namespace tamis
