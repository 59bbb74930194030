#include "factor/model/cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/factor/small_data.hpp"

namespace tamis::factor {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

const Matrix& numbers() {
  static const Matrix data = table({{1, 0, 3}, {4, hole, 6}, {0, 8, 5}, {2, 1, 0}});
  return data;
}

const SparseColumns& stored() {
  static const SparseColumns sparse{4, 3, {0, 3, 6, 9}, {0, 1, 3, 1, 2, 3, 0, 1, 2}, {1, 4, 2, hole, 8, 1, 3, 6, 5}};
  return sparse;
}

FactorProblem problem_of(bool is_sparse) {
  FactorProblem problem;
  if (is_sparse) {
    problem.sparse = &stored();
  } else {
    problem.dense = numbers();
  }
  problem.test_cells = {{2, 2, 5}};
  return problem;
}

std::vector<double> row(const Cells& cells, Index n) {
  std::vector<double> buffer(cells.cols());
  const double* x = cells.row(n, buffer.data());
  return {x, x + cells.cols()};
}

std::vector<double> column(const Cells& cells, Index d) {
  std::vector<double> x(cells.rows());
  cells.column(d, x.data());
  return x;
}

class HiddenCells : public ::testing::TestWithParam<bool> {};

TEST_P(HiddenCells, OfASearchAreScoredAndTheTestCellsStayHidden) {
  FactorProblem problem = problem_of(GetParam());
  problem.standardize = false;
  Cells cells(problem);
  cells.with_validation_cells(problem, std::vector<TestCell>{{0, 2, 3}});
  EXPECT_THAT(row(cells, 0), ElementsAre(1, 0, 0));
  EXPECT_THAT(column(cells, 2), ElementsAre(0, 6, 0, 0));
  EXPECT_THAT(cells.missing_in_column(2), ElementsAre(0, 2));
  EXPECT_EQ(cells.observed(), 9);
  const TargetList targets = cells.targets(false);
  ASSERT_EQ(targets->size(), 1U);
  EXPECT_EQ(targets->front().row, 0);
  EXPECT_EQ(targets->front().value, 3);
}

TEST_P(HiddenCells, ComeBackAsTheyWere) {
  const FactorProblem problem = problem_of(GetParam());
  const Cells fresh(problem);
  Cells cells(problem);
  cells.with_validation_cells(problem, std::vector<TestCell>{{0, 2, 3}, {3, 0, 2}});
  EXPECT_NE(cells.scale(0), fresh.scale(0));  // standardized without them
  cells.restore(problem);
  EXPECT_EQ(cells.observed(), fresh.observed());
  for (Index n = 0; n < cells.rows(); ++n) {
    EXPECT_THAT(row(cells, n), ElementsAreArray(row(fresh, n)));
    EXPECT_THAT(cells.missing_in_row(n), ElementsAreArray(fresh.missing_in_row(n)));
  }
  for (Index d = 0; d < cells.cols(); ++d) {
    EXPECT_THAT(column(cells, d), ElementsAreArray(column(fresh, d)));
    EXPECT_EQ(cells.scale(d), fresh.scale(d));
    EXPECT_EQ(cells.center(d), fresh.center(d));
  }
  EXPECT_THAT(cells.missing_in_row(0), IsEmpty());
  EXPECT_EQ(cells.targets(false)->front().value, fresh.targets(false)->front().value);
}

INSTANTIATE_TEST_SUITE_P(Tables, HiddenCells, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "sparse" : "dense"; });

}  // namespace
}  // namespace tamis::factor
