// The table of a factor model as its algorithms read it.
//
// Dense      one copy, row by row: scores are updated by rows, which dominate. Columns are gathered with stride D.
// Sparse     stored entries twice, by row and by column. What is not stored is an observed 0, not a missing cell.
// Missing    NaN and hidden cells are listed by row and by column (compressed, rising), and hold 0 in the table itself,
//            so that sums over a whole row need no test and a kernel sets residual and weight of the listed ones to 0.
// Untrusted  everything: values (checked against the family before any work; the first bad one is named), places of
//            test cells (inside, not twice), all cells missing.
// Scale      For families with noise: deviations from the column mean in units of the column's deviation. Sparse
//            columns are scaled, not centered, since centering would fill them; the intercept does that.
// Searches   with_validation_cells() makes the table again with more cells hidden, in its own memory: a second table
//            would be a quarter of a fit's memory.
#include "factor/model/cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tamis/base/error.hpp"

namespace tamis::factor {
namespace {

std::string column_name(const FactorProblem& problem, Index d) {
  return problem.column_names.empty() ? fmt::format("x{}", d + 1) : problem.column_names[d];
}

// Empty if the family allows the value, else what it expects and which families allow it.
std::string complaint(const Family& family, double x) {
  constexpr double largest = 1e100;  // squares of larger ones, and sums of them, would overflow
  if (!std::isfinite(x)) return "expected a finite number; leave missing cells empty";
  if (std::abs(x) > largest) return "values above 1e100 overflow when squared; rescale the column";
  const std::string_view expects = family.complaint(x);
  if (expects.empty()) return "";
  std::vector<std::string_view> others;
  for (const Family* other : families()) {
    if (other->complaint(x).empty()) others.push_back(other->name());
  }
  return fmt::format("family {} {}{}{}", family.name(), expects, others.empty() ? "" : "; use --family ",
                     fmt::join(others, " or "));
}

// Counting sort of the missing cells by row or by column; O(missing + lines), stable, so places rise within each line.
template <class Hole, class Key, class Place>
CompressedPlaces compress(const std::vector<Hole>& holes, Index count, Key key, Place place) {
  CompressedPlaces out;
  out.starts.assign(count + 1, 0);
  for (const Hole& hole : holes) ++out.starts[key(hole) + 1];
  for (Index i = 1; i < std::ssize(out.starts); ++i) out.starts[i] += out.starts[i - 1];
  out.places.resize(holes.size());
  std::vector<Index> next(out.starts.begin(), out.starts.end() - 1);
  for (const Hole& hole : holes) {
    out.places[next[key(hole)]++] = place(hole);
  }
  return out;
}

}  // namespace

Cells::Cells(const FactorProblem& problem) : family_(tamis::family(problem.family)) { make(problem, nullptr); }

void Cells::with_validation_cells(const FactorProblem& problem, std::span<const TestCell> validation_cells) {
  make(problem, &validation_cells);
}

void Cells::make(const FactorProblem& problem, const std::span<const TestCell>* validation_cells) {
  dense_rows_ = problem.sparse == nullptr;
  if (dense_rows_) {
    take_dense(problem);
  } else {
    take_sparse(*problem.sparse);
  }
  tests_ = std::make_shared<std::vector<TargetCell>>();  // a tally may still hold the old list
  hide(problem, problem.test_cells, validation_cells == nullptr);
  if (validation_cells != nullptr) hide(problem, *validation_cells, true);
  sort_tests(problem);
  list_missing();
  check_values(problem);
  standardize(problem);
}

void Cells::take_dense(const FactorProblem& problem) {
  const ConstMatrixView X = problem.dense;
  rows_ = X.rows;
  cols_ = X.cols;
  dense_.resize(rows_ * cols_);
  for (Index d = 0; d < cols_; ++d) {
    for (Index n = 0; n < rows_; ++n) {
      double x = X(n, d);
      if (std::isnan(x)) {
        holes_.push_back({static_cast<std::int32_t>(n), static_cast<std::int32_t>(d)});
        x = 0;
      }
      dense_[n * cols_ + d] = x;
    }
  }
}

void Cells::take_sparse(const SparseColumns& sparse) {
  rows_ = sparse.rows;
  cols_ = sparse.cols;
  by_column_.starts = sparse.starts;
  by_column_.places = sparse.indices;
  by_column_.values = sparse.values;
  by_row_.starts.assign(rows_ + 1, 0);
  for (const std::int32_t n : sparse.indices) ++by_row_.starts[n + 1];
  for (Index n = 1; n < std::ssize(by_row_.starts); ++n) by_row_.starts[n] += by_row_.starts[n - 1];
  by_row_.places.resize(sparse.indices.size());
  by_row_.values.resize(sparse.indices.size());
  std::vector<Index> next(by_row_.starts.begin(), by_row_.starts.end() - 1);
  for (Index d = 0; d < cols_; ++d) {
    for (Index e = sparse.starts[d]; e < sparse.starts[d + 1]; ++e) {
      const Index entry = e;
      const std::int32_t n = sparse.indices[entry];
      const bool hole = std::isnan(sparse.values[entry]);
      if (hole) {
        holes_.push_back({n, static_cast<std::int32_t>(d)});
        by_column_.values[entry] = 0;
      }
      const Index to = next[n]++;
      by_row_.places[to] = static_cast<std::int32_t>(d);
      by_row_.values[to] = hole ? 0 : sparse.values[entry];
    }
  }
}

// These cells become missing, and their values in the data are erased: no fit can read them.
void Cells::hide(const FactorProblem& problem, std::span<const TestCell> cells, bool scored) {
  const auto erase = [](Entries& entries, Index line, Index place) {
    const auto first = entries.places.begin() + entries.starts[line];
    const auto last = entries.places.begin() + entries.starts[line + 1];
    const auto at = std::lower_bound(first, last, static_cast<std::int32_t>(place));
    if (at != last && *at == place) entries.values[at - entries.places.begin()] = 0;
  };
  const auto counts = [&](const TestCell& cell) { return scored && !std::isnan(cell.value); };
  tests_->reserve(std::count_if(cells.begin(), cells.end(), counts));
  holes_.reserve(holes_.size() + cells.size());
  for (const TestCell& cell : cells) {
    if (cell.row < 0 || cell.row >= rows_ || cell.column < 0 || cell.column >= cols_) {
      throw InvalidInput(fmt::format("test cells: row {}, column {} is outside the table of {} rows x {} columns",
                                     cell.row + 1, cell.column + 1, rows_, cols_));
    }
    if (const std::string words = counts(cell) ? complaint(family_, cell.value) : ""; !words.empty()) {
      throw InvalidInput(fmt::format("test cells: row {}, column '{}' is {}; {}", cell.row + 1,
                                     column_name(problem, cell.column), cell.value, words));
    }
    const auto row = static_cast<std::int32_t>(cell.row), column = static_cast<std::int32_t>(cell.column);
    if (counts(cell)) tests_->push_back({row, column, cell.value});
    holes_.push_back({row, column});
    if (dense_rows_) {
      dense_[cell.row * cols_ + cell.column] = 0;
    } else {
      erase(by_row_, cell.row, cell.column);
      erase(by_column_, cell.column, cell.row);
    }
  }
}

void Cells::sort_tests(const FactorProblem& problem) {
  const auto by_place = [](const TargetCell& a, const TargetCell& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  std::vector<TargetCell>& tests = *tests_;
  std::sort(tests.begin(), tests.end(), by_place);
  for (Index i = 1; i < std::ssize(tests); ++i) {
    if (!by_place(tests[i - 1], tests[i])) {
      throw InvalidInput(fmt::format("test cells: row {}, column '{}' is listed twice", tests[i].row + 1,
                                     column_name(problem, tests[i].column)));
    }
  }
}

void Cells::list_missing() {
  std::sort(holes_.begin(), holes_.end(),
            [](const Hole& a, const Hole& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  // A test cell may be missing in the data as well.
  const auto same = [](const Hole& a, const Hole& b) { return a.row == b.row && a.column == b.column; };
  holes_.erase(std::unique(holes_.begin(), holes_.end(), same), holes_.end());
  const auto row = [](const Hole& hole) { return hole.row; };
  const auto column = [](const Hole& hole) { return hole.column; };
  missing_by_row_ = compress(holes_, rows_, row, column);
  missing_by_column_ = compress(holes_, cols_, column, row);
  observed_ = rows_ * cols_ - std::ssize(holes_);
  holes_ = std::vector<Hole>();  // = {} would keep its memory
  if (observed_ == 0) {
    throw InvalidInput(
        fmt::format("data: all {} cells are missing or held out; at least one observed cell is needed", rows_ * cols_));
  }
}

// Missing cells of a row and its entries are both rising: one merge, no search.
// Every stored cell that is not missing; of sparse data the nonzero ones are enough for what this is used for.
template <class Visit>
void Cells::visit_observed(const Visit& visit) const {
  for (Index n = 0; n < rows_; ++n) {
    const auto missing = missing_in_row(n);
    auto hole = missing.begin();
    const auto skip = [&](Index d) {
      while (hole != missing.end() && *hole < d) ++hole;
      return hole != missing.end() && *hole == d;
    };
    if (dense_rows_) {
      for (Index d = 0; d < cols_; ++d) {
        if (!skip(d)) visit(n, d, dense_[n * cols_ + d]);
      }
      continue;
    }
    for (Index e = by_row_.starts[n]; e < by_row_.starts[n + 1]; ++e) {
      const Index entry = e;
      if (!skip(by_row_.places[entry])) visit(n, by_row_.places[entry], by_row_.values[entry]);
    }
  }
}

void Cells::check_values(const FactorProblem& problem) const {
  visit_observed([&](Index n, Index d, double x) {
    const std::string words = complaint(family_, x);
    if (words.empty()) return;
    throw InvalidInput(fmt::format("data: row {}, column '{}' is {}; {}", n + 1, column_name(problem, d), x, words));
  });
}

void Cells::standardize(const FactorProblem& problem) {
  center_.assign(cols_, 0.0);
  scale_.assign(cols_, 1.0);
  largest_ = 0;
  visit_observed([&](Index, Index, double x) { largest_ = std::max(largest_, x); });
  limited_ = family_.limited(problem.largest_log_rate, largest_);
  if (!family_.has_noise() || !problem.standardize) return;
  // Centering would fill sparse data; there the intercept has to do it.
  if (dense_rows_ && problem.intercept) {
    for (Index d = 0; d < cols_; ++d) {
      if (observed_in_column(d) > 0) {
        center_[d] = column_sum(d) / static_cast<double>(observed_in_column(d));
      }
    }
  }
  // The deviation in two passes, in units of the largest one: squares of a column of size 1e-200 would underflow to 0.
  std::vector<double> unit(cols_, 0.0), squares = unit;
  visit_observed([&](Index, Index d, double x) {
    double& u = unit[d];
    u = std::max(u, std::abs(x - center(d)));
  });
  visit_observed([&](Index, Index d, double x) {
    const double u = unit[d];
    const double deviation = u > 0 ? (x - center(d)) / u : 0;
    squares[d] += deviation * deviation;
  });
  for (Index d = 0; d < cols_; ++d) {
    const Index c = d;
    // A constant column deviates from its mean by rounding alone, about 1e-16 of it: dividing by that would make noise
    // of unit variance out of it. It keeps scale 1.
    if (unit[c] > 1e-12 * std::abs(center(d)))
      scale_[c] = unit[c] * std::sqrt(squares[c] / static_cast<double>(observed_in_column(d)));
  }
  const auto working = [&](Index d, double x) { return (x - center(d)) / scale(d); };
  for (Index n = 0; n < rows_ && dense_rows_; ++n) {
    double* row = dense_.data() + n * cols_;
    for (Index d = 0; d < cols_; ++d) row[d] = working(d, row[d]);
    for (const std::int32_t d : missing_in_row(n)) row[d] = 0;
  }
  for (Index e = 0; e < std::ssize(by_row_.values); ++e)
    by_row_.values[e] = working(by_row_.places[e], by_row_.values[e]);
  for (Index d = 0; d < cols_ && !dense_rows_; ++d) {
    const Index first = by_column_.starts[d];
    const Index last = by_column_.starts[d + 1];
    for (Index e = first; e < last; ++e) by_column_.values[e] = working(d, by_column_.values[e]);
  }
  for (TargetCell& cell : *tests_) cell.value = working(cell.column, cell.value);
}

// A sparse row is written out densely, cols() zeros first: the kernels are dense because psi is, and rows are short
// compared with their products with K loadings.
const double* Cells::row(Index n, double* scratch) const {
  if (dense_rows_) return dense_.data() + n * cols_;
  std::fill(scratch, scratch + cols_, 0.0);
  for (Index e = by_row_.starts[n]; e < by_row_.starts[n + 1]; ++e) {
    scratch[by_row_.places[e]] = by_row_.values[e];
  }
  return scratch;
}

void Cells::column(Index d, double* out) const {
  if (dense_rows_) {
    for (Index n = 0; n < rows_; ++n) out[n] = dense_[n * cols_ + d];
    return;
  }
  std::fill(out, out + rows_, 0.0);
  const Index first = by_column_.starts[d];
  const Index last = by_column_.starts[d + 1];
  for (Index e = first; e < last; ++e) out[by_column_.places[e]] = by_column_.values[e];
}

double Cells::column_sum(Index d) const {
  double sum = 0;
  if (dense_rows_) {
    for (Index n = 0; n < rows_; ++n) sum += dense_[n * cols_ + d];
    return sum;
  }
  const auto first = by_column_.values.begin() + by_column_.starts[d];
  const auto last = by_column_.values.begin() + by_column_.starts[d + 1];
  for (auto value = first; value != last; ++value) sum += *value;
  return sum;
}

// Test cells and missing cells are both sorted by row and column: one merge. The list is shared by all tallies.
TargetList Cells::targets(bool all) const {
  if (!all || tests_->size() == missing_by_row_.places.size()) return tests_;
  auto cells = std::make_shared<std::vector<TargetCell>>();
  cells->reserve(missing_by_row_.places.size());
  auto test = tests_->begin();
  for (Index n = 0; n < rows_; ++n) {
    for (const std::int32_t d : missing_in_row(n)) {
      const bool is_test = test != tests_->end() && test->row == n && test->column == d;
      cells->push_back(is_test ? *test++ : TargetCell{static_cast<std::int32_t>(n), d, std::nan("")});
    }
  }
  return cells;
}

}  // namespace tamis::factor
