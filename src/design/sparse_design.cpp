// Compressed sparse columns: values and row numbers, column after column.
//
// X'R        a gather per stored entry; R is interleaved into panels of rows, so that one cache line serves up to eight
//            right-hand sides. For a few columns only the rows that they need are interleaved.
// X v        a scatter per stored entry, cut by rows so that every entry of the result is summed in the order of the
//            columns on any number of threads.
// Gram       up to eight columns are scattered side by side into a dense panel of zeros, all others are multiplied with
//            it, and the panel is cleared entry by entry: cost stored(a) times the width of the panel, whatever the
//            rows.
// Hazard     Column lists in random order defeat the hardware prefetcher, so the next column is prefetched explicitly.
#include <algorithm>
#include <utility>

#include "base/scratch.hpp"
#include "design/shared_work.hpp"
#include "design/sparse_structure.hpp"
#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "linalg/panels.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

// Columns scattered at a time: their dense panel (256k doubles at most) should fit the second-level cache.
Index gram_group(Index rows) {
  constexpr Index doubles = Index{1} << 18;
  return std::clamp<Index>(doubles / std::max<Index>(1, rows), 1, 8);
}

// 0, 1, ..., count - 1: row numbers of a column whose rows were gathered.
const std::int32_t* first_numbers(Index count) {
  thread_local std::vector<std::int32_t> numbers;
  while (std::ssize(numbers) < count) numbers.push_back(static_cast<std::int32_t>(numbers.size()));
  return numbers.data();
}

// The next column of a list; a range is contiguous in memory and is prefetched by the processor itself.
void prefetch_next(const SparseView& x, Columns c, Index k) {
  if (c.is_range() || k + 1 >= c.size()) return;
  const Index e = x.starts[c[k + 1]];
  prefetch_entries(x.values.data() + e, x.indices.data() + e, x.starts[c[k + 1] + 1] - e);
}

}  // namespace

SparseDesign::SparseDesign(SparseColumns columns)
    : owned_(std::move(columns)), columns_(owned_.rows, owned_.cols, owned_.starts, owned_.indices, owned_.values) {
  check_structure(columns_);
}

SparseDesign::SparseDesign(const SparseView& columns) : columns_(columns) { check_structure(columns_); }

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

// R += X_c V for rows [first, last) only.
void SparseDesign::multiply_add_rows(Columns c, ConstMatrixView V, MatrixView R, Index first, Index last) const {
  const bool all_rows = first == 0 && last == columns_.rows;
  for (Index k = 0; k < c.size(); ++k) {
    const std::int32_t* rows = columns_.indices.data();
    Index begin = columns_.starts[c[k]], end = columns_.starts[c[k] + 1];
    if (!all_rows) {
      begin = std::lower_bound(rows + begin, rows + end, first) - rows;
      end = std::lower_bound(rows + begin, rows + end, last) - rows;
    }
    prefetch_next(columns_, c, k);
    for (Index l = 0; l < V.cols; ++l) {
      const double v = V(k, l);
      if (v == 0) continue;
      double* r = R.col(l);
      for (Index e = begin; e < end; ++e) r[rows[e]] += v * columns_.values[e];
    }
  }
}

void SparseDesign::local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const {
  // Pieces are rows: every entry of R is then summed in the order of the columns, however many threads there are.
  // Finding a piece of a column is a search in it, so short columns are not cut.
  constexpr double least_stored_to_cut = 64;
  const double work = static_cast<double>(stored_in(c)) * static_cast<double>(V.cols);
  const Index grain = stored_per_column() < least_stored_to_cut ? columns_.rows : (columns_.rows + 3) / 4;
  parallel_for(columns_.rows, grain, work, [&](Index first, Index last) { multiply_add_rows(c, V, R, first, last); });
}

// The number of multiply-adds of an operation, by which work is shared between threads.
Index SparseDesign::stored_in(Columns c) const {
  if (c.is_range()) return c.size() == 0 ? 0 : columns_.starts[c[0] + c.size()] - columns_.starts[c[0]];
  Index stored = 0;
  for (Index k = 0; k < c.size(); ++k) stored += columns_.starts[c[k] + 1] - columns_.starts[c[k]];
  return stored;
}

void SparseDesign::local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const {
  const double stored = static_cast<double>(stored_in(c)), m = static_cast<double>(R.cols);
  const Index grain = column_grain(c.size(), m * (1 + stored_per_column()));
  if (R.cols == 1) {
    parallel_for(c.size(), grain, stored, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Index e = columns_.starts[c[k]];
        prefetch_next(columns_, c, k);
        kernels().sparse_dots(columns_.values.data() + e, columns_.indices.data() + e, columns_.starts[c[k] + 1] - e,
                              R.data, 1, out.data + k);
      }
    });
    return;
  }
  if (stored < static_cast<double>(columns_.rows)) return transpose_multiply_few(c, R, out);
  const Panels panels(R, kernels().widest_panel);
  parallel_for(c.size(), grain, stored * m, [&](Index begin, Index end) {
    const MatrixView part(out.data + begin, end - begin, out.cols, out.stride);
    transpose_multiply_panels(c.slice(begin, end - begin), panels, part);
  });
}

void SparseDesign::transpose_multiply_panels(Columns c, const Panels& R, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    const Index e = columns_.starts[c[k]];
    R.for_each([&](const Panel& panel, Index) {
      double sums[widest_panel_of_all];
      kernels().sparse_dots(columns_.values.data() + e, columns_.indices.data() + e, columns_.starts[c[k] + 1] - e,
                            panel.data, panel.width, sums);
      for (int l = 0; l < panel.count; ++l) out(k, panel.first + l) = sums[l];
    });
  }
}

void SparseDesign::local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const {
  if (R.cols == 1) return Design::local_visit_products(c, R, visit);
  const Panels panels(R, kernels().widest_panel);
  visit_parts(c.size(), R.cols, 1 + stored_per_column(), visit, [&](Index begin, MatrixView part) {
    transpose_multiply_panels(c.slice(begin, part.rows), panels, part);
  });
}

// The same for a few columns, which must not pay for interleaving all of R: only the rows that they need. The sums
// are the same to the last bit, because the kernel sees the same numbers in the same order.
void SparseDesign::transpose_multiply_few(Columns c, ConstMatrixView R, MatrixView out) const {
  for (Index k = 0; k < c.size(); ++k) {
    const Index begin = columns_.starts[c[k]], count = columns_.starts[c[k] + 1] - begin;
    const Scratch some(count * R.cols);
    for (Index l = 0; l < R.cols; ++l) {
      for (Index e = 0; e < count; ++e) some[e + l * count] = R(columns_.indices[begin + e], l);
    }
    const std::int32_t* places = first_numbers(count);
    Panels(ConstMatrixView(some.data(), count, R.cols), kernels().widest_panel)
        .for_each([&](const Panel& panel, Index) {
          double sums[widest_panel_of_all];
          kernels().sparse_dots(columns_.values.data() + begin, places, count, panel.data, panel.width, sums);
          for (int l = 0; l < panel.count; ++l) out(k, panel.first + l) = sums[l];
        });
  }
}

// X_a' W X_b for a few columns b, scattered side by side into a dense panel.
void SparseDesign::cross_gram_of_group(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  const int width = static_cast<int>(b.size() == 1 ? 1 : b.size() == 2 ? 2 : b.size() <= 4 ? 4 : 8);
  const std::span<double> panel = zeroed_scratch(columns_.rows * width);
  for (Index l = 0; l < b.size(); ++l) {
    for (Index e = columns_.starts[b[l]]; e < columns_.starts[b[l] + 1]; ++e) {
      const Index i = columns_.indices[e];
      panel[i * width + l] = (weights.empty() ? 1 : weights[i]) * columns_.values[e];
    }
  }
  for (Index k = 0; k < a.size(); ++k) {
    const Index e = columns_.starts[a[k]];
    double sums[8];
    kernels().sparse_dots(columns_.values.data() + e, columns_.indices.data() + e, columns_.starts[a[k] + 1] - e,
                          panel.data(), width, sums);
    for (Index l = 0; l < b.size(); ++l) out(k, l) = sums[l];
  }
  for (Index l = 0; l < b.size(); ++l) {
    for (Index e = columns_.starts[b[l]]; e < columns_.starts[b[l] + 1]; ++e)
      panel[columns_.indices[e] * width + l] = 0;
  }
}

void SparseDesign::local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const {
  const Index group = gram_group(columns_.rows);
  const double work = static_cast<double>(stored_in(a)) * static_cast<double>(b.size());
  parallel_for(b.size(), group, work, [&](Index begin, Index end) {
    for (Index k = begin; k < end; k += group) {
      const Index count = std::min(group, end - k);
      cross_gram_of_group(a, b.slice(k, count), weights, MatrixView(out.col(k), a.size(), count, out.stride));
    }
  });
}

// Below the diagonal only, group by group, then mirrored.
void SparseDesign::local_gram(Columns c, std::span<const double> weights, MatrixView out) const {
  const Index group = gram_group(columns_.rows);
  const double work = static_cast<double>(stored_in(c)) * static_cast<double>(c.size()) / 2;
  parallel_for(c.size(), group, work, [&](Index begin, Index end) {
    for (Index k = begin; k < end; k += group) {
      const Index count = std::min(group, end - k);
      const Columns below = c.slice(k, c.size() - k);
      cross_gram_of_group(below, c.slice(k, count), weights,
                          MatrixView(out.col(k) + k, below.size(), count, out.stride));
    }
  });
  mirror_lower(out);
}

void SparseDesign::local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const {
  parallel_for(c.size(), column_grain(c.size(), 1 + stored_per_column()), static_cast<double>(stored_in(c)),
               [&](Index begin, Index end) {
                 for (Index k = begin; k < end; ++k) {
                   double sum = 0;
                   for (Index e = columns_.starts[c[k]]; e < columns_.starts[c[k] + 1]; ++e) {
                     const double x = columns_.values[e];
                     sum += (weights.empty() ? 1 : weights[columns_.indices[e]]) * x * x;
                   }
                   out[k] = sum;
                 }
               });
}

// Center 0, factor 1: decorators add theirs.
std::optional<ColumnView> SparseDesign::local_column(Index j) const {
  // A matrix without any entry has no index memory, but a view without row numbers would mean a dense column.
  static constexpr std::int32_t none = 0;
  const Index begin = columns_.starts[j];
  return ColumnView{.values = columns_.values.data() + begin,
                    .rows = columns_.indices.empty() ? &none : columns_.indices.data() + begin,
                    .count = columns_.starts[j + 1] - begin,
                    .center = 0};
}

}  // namespace tamis
