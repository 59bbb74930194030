// Cells drawn at random to be hidden from a fit.
//
// Sampling   without replacement, by rank among the cells that are not hidden yet: ranks are drawn, then mapped to
//            places by one merge with the sorted list of hidden ones. Exactly the share asked for, whatever is missing,
//            in memory for the hidden and the drawn cells, not for the table: a sparse table may have 1e12 cells.
// Streams    The purpose is part of the random stream. With one stream for all, the cells of an inner search would be
//            those held out before it (the same ranks of the same seed), and nothing would be left to score by.
#include "factor/model/draw_cells.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "design/sparse_structure.hpp"
#include "factor/model/task.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis::factor {
namespace {

// Sparse: binary search in the column; the rows of a column are sorted.
double value_at(const FactorProblem& problem, Index n, Index d) {
  if (problem.sparse == nullptr) return problem.dense(n, d);
  const SparseColumns& sparse = *problem.sparse;
  const auto first = sparse.indices.begin() + sparse.starts[d];
  const auto last = sparse.indices.begin() + sparse.starts[d + 1];
  const auto at = std::lower_bound(first, last, static_cast<std::int32_t>(n));
  return at != last && *at == n ? sparse.values[at - sparse.indices.begin()] : 0.0;
}

// Missing cells and test cells, counted row by row, in rising order.
std::vector<Index> hidden_cells(const FactorProblem& problem) {
  const Index rows = rows_of(problem), cols = cols_of(problem);
  std::vector<Index> hidden;
  if (problem.sparse == nullptr) {
    for (Index n = 0; n < rows; ++n) {
      for (Index d = 0; d < cols; ++d) {
        if (std::isnan(problem.dense(n, d))) hidden.push_back(n * cols + d);
      }
    }
  } else {
    const SparseColumns& sparse = *problem.sparse;
    for (Index d = 0; d < cols; ++d) {
      for (Index e = sparse.starts[d]; e < sparse.starts[d + 1]; ++e) {
        const Index entry = e;
        if (std::isnan(sparse.values[entry])) hidden.push_back(sparse.indices[entry] * cols + d);
      }
    }
  }
  for (const TestCell& cell : problem.test_cells) {
    const bool inside = cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < cols;
    if (inside) hidden.push_back(cell.row * cols + cell.column);  // others are refused by the fit
  }
  std::sort(hidden.begin(), hidden.end());
  hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
  return hidden;
}

Index cells_of(const FactorProblem& problem) { return rows_of(problem) * cols_of(problem); }

std::vector<TestCell> with_values(const FactorProblem& problem, const std::vector<Index>& places) {
  const Index cols = cols_of(problem);
  std::vector<TestCell> cells;
  cells.reserve(places.size());
  for (const Index i : places) cells.push_back({i / cols, i % cols, value_at(problem, i / cols, i % cols)});
  return cells;
}

// round(share * visible) cells that are not hidden, at least one and never all.
std::vector<Index> draw_visible(Index all, const std::vector<Index>& hidden, double share, RandomStream random) {
  const Index visible = all - std::ssize(hidden);
  if (visible < 2) {
    throw InvalidInput(
        "data: too few observed cells to hold one out; at least 2 are needed (prior l1 with a fixed penalty needs no "
        "held-out cells)");
  }
  const auto wanted = static_cast<Index>(std::llround(share * static_cast<double>(visible)));
  std::vector<Index> places = random.sample(visible, std::clamp<Index>(wanted, 1, visible - 1));
  // The k-th visible cell stands behind k visible ones and the hidden ones before it.
  Index before = 0;
  for (Index& place : places) {
    while (before < std::ssize(hidden) && hidden[before] <= place + before) ++before;
    place += before;
  }
  return places;
}

}  // namespace

std::vector<TestCell> draw_cells(const FactorProblem& problem, double share, std::uint64_t seed, CellDraw purpose) {
  if (problem.sparse != nullptr) check_structure(*problem.sparse);
  const RandomStream random(seed, static_cast<std::uint64_t>(purpose));
  return with_values(problem, draw_visible(cells_of(problem), hidden_cells(problem), share, random));
}

// Drawn among all cells, and what is hidden already dropped: the number varies with the table. Kept as it is because
// the published figures of docs/reproduce.md are of these cells; draw_cells() is what a new search should use.
std::vector<TestCell> draw_penalty_cells(const FactorProblem& problem, double share, std::uint64_t seed) {
  const Index all = cells_of(problem);
  RandomStream random(seed ^ 0x76616c6964ULL, static_cast<std::uint64_t>(CellDraw::test));
  const auto wanted = static_cast<Index>(std::llround(share * static_cast<double>(all)));
  const std::vector<Index> sample = random.sample(all, wanted), hidden = hidden_cells(problem);
  std::vector<Index> places;
  std::ranges::set_difference(sample, hidden, std::back_inserter(places));
  if (places.empty()) places = draw_visible(all, hidden, share, random);  // a tiny table, or one nearly all missing
  return with_values(problem, places);
}

}  // namespace tamis::factor
