#include "experiments/reproduce/method_benchmark.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tamis::experiments {
namespace {

const Setting example1{.design = "vg.example1"};
Observer nobody;

TEST(RankingArea, IsOneForAPerfectRankingAndZeroForItsOpposite) {
  const std::vector<Index> support = {1, 3};
  EXPECT_DOUBLE_EQ(ranking_area(std::vector<double>{0.1, -2, 0.2, 3}, support), 1);
  EXPECT_DOUBLE_EQ(ranking_area(std::vector<double>{5, 1, 7, 2}, support), 0);
}

TEST(RankingArea, CountsTiesAsOneHalf) {
  EXPECT_DOUBLE_EQ(ranking_area(std::vector<double>{0, 0, 0, 0}, std::vector<Index>{2}), 0.5);
  EXPECT_DOUBLE_EQ(ranking_area(std::vector<double>{1, 0, 0, 1}, std::vector<Index>{0, 1}), 0.5);
}

TEST(RankingArea, IsUndefinedWithoutBothKinds) {
  EXPECT_TRUE(std::isnan(ranking_area(std::vector<double>{1, 2}, std::vector<Index>{})));
  EXPECT_TRUE(std::isnan(ranking_area(std::vector<double>{1, 2}, std::vector<Index>{0, 1})));
}

TEST(CountSelected, CountsProbabilitiesAboveOneHalfOrElseNonzeros) {
  Fit fit;
  fit.coefficients = {1, 0, 2};
  EXPECT_EQ(count_selected(fit), 2);
  fit.inclusion = {0.9, 0.1, 0.4};
  EXPECT_EQ(count_selected(fit), 1);
}

TEST(MeanSquaredError, OfTheTruthIsAboutTheNoise) {
  const Simulation drawn = simulate("vg.example1", 1, {{"test", 20000}});
  // The standard error of a mean of 20000 squared normals is 0.01.
  EXPECT_NEAR(mean_squared_error(drawn.truth.coefficients.column(0), drawn.test), 1, 0.05);
}

TEST(MethodBenchmark, ChoosesOnTheValidationRows) {
  Recorder record("", no_coordinate);
  const Trial trial{example1, 5, nullptr, &nobody};
  MethodBenchmark benchmark(trial, record);
  const Fit fit = benchmark.fit({"lasso", "lasso", {{"rule", std::string("min")}}});
  EXPECT_EQ(fit.samples, 50);
  ASSERT_TRUE(fit.path.back().validation_error.has_value());
  double least = *fit.path[0].validation_error;
  for (const PathPoint& point : fit.path) least = std::min(least, *point.validation_error);
  // The path's errors are scored while it is computed, ours are of the solution returned.
  EXPECT_NEAR(mean_squared_error(fit, benchmark.drawn().validation), least, 1e-6);
  EXPECT_EQ(record.endings().at("lasso").fits, 1);
}

TEST(MethodBenchmark, MergesBothSetsForAMethodThatWantsThem) {
  Recorder record("", no_coordinate);
  const Trial trial{example1, 5, nullptr, &nobody};
  MethodBenchmark benchmark(trial, record);
  EXPECT_EQ(benchmark.fit({"lasso", "lasso", {{"penalty", 0.1}}, true}).samples, 100);
}

// Data on which the search ends with a full working set, while the chosen point needs features that had left it.
TEST(MethodBenchmark, PolishesALassoWhoseWorkingSetIsFull) {
  Recorder record("", no_coordinate);
  const Setting setting{.design = "vg.scaling", .parameters = {{"p", 1000}, {"test", 0}}};
  const Trial trial{setting, 3, nullptr, &nobody};
  const Fit fit = MethodBenchmark(trial, record).fit({"lasso", "lasso", {{"rule", std::string("min")}}});
  EXPECT_EQ(fit.status, Status::converged) << fit.message;
  EXPECT_LE(std::get<double>(fit.hyper.at("kkt_violation")), 1e-7);
}

TEST(MethodBenchmark, DrawsWhatSimulateDraws) {
  Recorder record("", no_coordinate);
  const Trial trial{example1, 9, nullptr, &nobody};
  EXPECT_EQ(MethodBenchmark(trial, record).drawn().train.X(3, 4), simulate("vg.example1", 9).train.X(3, 4));
}

}  // namespace
}  // namespace tamis::experiments
