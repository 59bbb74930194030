// How many cells are drawn, and that cells drawn for one purpose tell nothing about those drawn for another.
#include "factor/model/draw_cells.hpp"

#include <gmock/gmock.h>

#include <set>
#include <utility>

#include "factor/model/task.hpp"
#include "tamis/base/error.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

using factor::CellDraw;
using factor::draw_cells;

using Places = std::set<std::pair<Index, Index>>;

Places places_of(const std::vector<TestCell>& cells) {
  Places places;
  for (const TestCell& cell : cells) places.emplace(cell.row, cell.column);
  return places;
}

FactorProblem problem_of(const Matrix& data) {
  FactorProblem problem;
  problem.dense = data;
  return problem;
}

// The same table with zeros that are not stored.
SparseColumns sparse_twin(const Matrix& data) {
  SparseColumns out{.rows = data.rows(), .cols = data.cols(), .starts = {0}, .indices = {}, .values = {}};
  for (Index d = 0; d < data.cols(); ++d) {
    for (Index n = 0; n < data.rows(); ++n) {
      if (data(n, d) == 0) continue;
      out.indices.push_back(static_cast<std::int32_t>(n));
      out.values.push_back(data(n, d));
    }
    out.starts.push_back(std::ssize(out.values));
  }
  return out;
}

Index observed_in(const Matrix& data) {
  Index count = 0;
  for (Index d = 0; d < data.cols(); ++d) {
    count += std::ranges::count_if(data.column(d), [](double x) { return !std::isnan(x); });
  }
  return count;
}

Index share_of(double share, Index cells) { return std::llround(share * static_cast<double>(cells)); }

TEST(DrawCells, IsTheShareOfTheObservedCellsWithTheirValues) {
  const Matrix data = two_factor_table("poisson", 60, 10, 3);
  const SparseColumns sparse = sparse_twin(data);
  FactorProblem twin;
  twin.sparse = &sparse;
  for (const double share : {0.05, 0.1, 0.2, 0.3, 0.9}) {
    const std::vector<TestCell> cells = draw_test_cells(problem_of(data), share, 7);
    EXPECT_EQ(std::ssize(cells), share_of(share, observed_in(data)));
    EXPECT_EQ(places_of(cells).size(), cells.size());
    for (const TestCell& cell : cells) ASSERT_EQ(cell.value, data(cell.row, cell.column));
    EXPECT_EQ(places_of(draw_test_cells(twin, share, 7)), places_of(cells));
  }
}

TEST(DrawCells, DrawsEveryObservedCellEquallyOften) {
  const Matrix data = table({{1, hole, 3, 4}, {5, 6, hole, hole}, {hole, 1, 2, 3}});
  std::map<std::pair<Index, Index>, int> times;
  constexpr int seeds = 4000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const auto& place : places_of(draw_test_cells(problem_of(data), 0.25, seed))) ++times[place];
  }
  EXPECT_EQ(times.size(), 8U);
  // Two of eight cells each time; five standard errors of a share of one quarter.
  for (const auto& [place, count] : times) EXPECT_NEAR(count, seeds / 4.0, 5 * std::sqrt(seeds * 0.25 * 0.75));
}

TEST(DrawCells, OfOnePurposeHitThoseOfAnotherAsOftenAsChance) {
  const Matrix data(80, 25);
  const Index cells = 2000;
  for (const double share : {0.05, 0.1, 0.3}) {
    double common = 0;
    constexpr int seeds = 50;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Places test = places_of(draw_cells(problem_of(data), share, seed, CellDraw::test));
      const Places factors = places_of(draw_cells(problem_of(data), share, seed, CellDraw::factors));
      const Places penalty = places_of(factor::draw_penalty_cells(problem_of(data), share, seed));
      for (const auto& place : test) common += static_cast<double>(factors.count(place) + penalty.count(place));
    }
    const double expected = 2 * seeds * share * share * cells;
    EXPECT_NEAR(common, expected, 5 * std::sqrt(expected)) << share;
  }
}

// Notes which cells each fit was not to see and which of them it scores, and fits nothing.
class NotesItsCells final : public FactorPrior {
 public:
  std::string_view name() const override { return "notes"; }
  std::string_view summary() const override { return "notes its cells"; }
  std::vector<Field> fields() const override { return {}; }
  mutable std::vector<std::vector<TestCell>> seen;

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override {
    seen.push_back(task.problem.test_cells);
    result.fit.status = Status::converged;
    result.fit.nlp_bits = static_cast<double>(task.problem.factors);
    result.fit.rmse = 0;
  }
};

// The seeds are those of the command line and of Python, which draw both from one.
TEST(FactorList, IsScoredOnATenthOfTheCellsThatAreNotHeldOut) {
  for (const char* family : {"gaussian", "poisson"}) {
    const Matrix data = two_factor_table(family, 100, 18, 2);
    const SparseColumns sparse = sparse_twin(data);
    for (const double holdout : {0.0, 0.05, 0.1, 0.2, 0.3}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        FactorProblem problem = problem_of(data);
        if (seed % 2 == 0) {
          problem.dense = {};
          problem.sparse = &sparse;
        }
        if (holdout > 0) problem.test_cells = draw_test_cells(problem, holdout, seed);
        const Places held_out = places_of(problem.test_cells);
        const NotesItsCells prior;
        fit_best_factors(prior, problem, {2, 4}, {}, {.seed = seed, .threads = 1});
        ASSERT_EQ(prior.seen.size(), 3U);
        Places scored, hidden;
        for (const TestCell& cell : prior.seen[0]) {
          (std::isnan(cell.value) ? hidden : scored).emplace(cell.row, cell.column);
        }
        EXPECT_EQ(hidden, held_out);
        EXPECT_EQ(std::ssize(scored), share_of(0.1, observed_in(data) - std::ssize(held_out)))
            << holdout << " held out, seed " << seed;
        for (const auto& place : scored) EXPECT_FALSE(held_out.contains(place));
        EXPECT_EQ(places_of(prior.seen[1]), places_of(prior.seen[0])) << "all numbers on the same cells";
        EXPECT_EQ(places_of(prior.seen[2]), held_out) << "the last fit sees all but the held-out cells";
      }
    }
  }
}

TEST(PenaltyCells, AreAboutTheShareOfTheCellsThatAreNotHeldOut) {
  const Matrix data = two_factor_table("gaussian", 100, 40, 2);
  for (const double holdout : {0.05, 0.1, 0.2, 0.3}) {
    FactorProblem problem = problem_of(data);
    problem.test_cells = draw_test_cells(problem, holdout, 1);
    const Places held_out = places_of(problem.test_cells),
                 drawn = places_of(factor::draw_penalty_cells(problem, 0.05, 1));
    for (const auto& place : drawn) EXPECT_FALSE(held_out.contains(place));
    const double expected = 0.05 * static_cast<double>(observed_in(data) - std::ssize(held_out));
    EXPECT_NEAR(static_cast<double>(drawn.size()), expected, 4 * std::sqrt(expected));
  }
}

TEST(DrawCells, NeverHidesEverything) {
  const Matrix data = table({{1, 2}, {3, hole}});
  EXPECT_EQ(draw_test_cells(problem_of(data), 0.99, 1).size(), 2U);
}

}  // namespace
}  // namespace tamis
