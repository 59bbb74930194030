// Predictive intervals of factor models hold what they promise, on data from the model itself.
#include <gtest/gtest.h>

#include <string>

#include "experiments/designs.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis {
namespace {

// Share of hidden cells inside their 95 % predictive intervals, over data from the model itself.
class IntervalCoverage : public testing::TestWithParam<const char*> {};

TEST_P(IntervalCoverage, IsAboutWhatItSays) {
  const std::string design = GetParam();
  double inside = 0, count = 0;
  for (const std::uint64_t seed : {2, 3}) {
    const experiments::Simulation drawn =
        design == "factor.patches"
            ? experiments::simulate(design, seed, {{"n", 150}, {"side", 6}, {"factors", 8}, {"inclusion", 0.3}})
            : experiments::simulate(design, seed, {{"p", 40}});
    FactorProblem problem;
    problem.dense = drawn.train.X;
    problem.family = drawn.family;
    problem.factors = design == "factor.patches" ? 8 : 5;
    problem.test_cells = draw_test_cells(problem, 0.1, seed);
    const FactorResult result = factor_prior("spike-slab")
                                    .fit(problem, {{"chains", 2.0}, {"samples", 60.0}, {"burn_in", 60.0}},
                                         {.seed = seed, .predict_cells = true});
    for (const PredictedCell& cell : result.cells) {
      const double truth = drawn.train.X(cell.row, cell.column);
      inside += cell.lower <= truth && truth <= cell.upper ? 1 : 0;
      ++count;
    }
  }
  // Over 800 cells and more: three standard errors are 0.02, and short chains add a little. Counts cannot be cut at
  // exactly 95 %.
  EXPECT_GT(inside / count, 0.92);
  EXPECT_LT(inside / count, design == "factor.counts" ? 1.0 : 0.98);
}

INSTANTIATE_TEST_SUITE_P(Designs, IntervalCoverage, testing::Values("factor.patches", "factor.counts"),
                         [](const auto& info) { return std::string(info.param).substr(7); });

}  // namespace
}  // namespace tamis
