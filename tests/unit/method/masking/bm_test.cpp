// bm as a user sees it: what is kept, what is said, what is written.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

struct Data {
  Matrix X;
  std::vector<double> y;
};

// Independent normal columns; the first `relevant` have weight 1, the noise has variance 1.
Data draw(Index n, Index p, Index relevant, std::uint64_t seed) {
  Data data{Matrix(n, p), std::vector<double>(n)};
  RandomStream(seed, 1).normals(data.y);
  for (Index j = 0; j < p; ++j) {
    RandomStream(seed, 2, static_cast<std::uint64_t>(j)).normals(data.X.column(j));
    for (Index i = 0; i < n && j < relevant; ++i) data.y[i] += data.X(i, j);
  }
  return data;
}

using Settings = std::map<std::string, OptionValue>;

Fit fit_bm(const Data& data, const Settings& options = {}) {
  const DenseDesign X(data.X);
  return fit({.X = X, .y = data.y, .likelihood = family("gaussian")}, "bm", options);
}

std::vector<double> mask_rates(const Fit& fit) { return std::get<std::vector<double>>(fit.hyper.at("mask_rate")); }

TEST(BayesianMasking, MaskRatesAreNoInclusionProbabilities) {
  const Fit found = fit_bm(draw(300, 20, 5, 1));
  EXPECT_TRUE(found.inclusion.empty());
  EXPECT_EQ(found.inclusion_kind, InclusionKind::none);
  std::vector<Index> kept, selected;
  for (Index j = 0; j < 20; ++j) {
    if (mask_rates(found)[j] > 0) kept.push_back(j);
  }
  for (const Selected& one : select_by_threshold(found, 0.5)) selected.push_back(one.feature);
  std::ranges::sort(selected);
  EXPECT_EQ(selected, kept) << "by nonzero weight";
}

TEST(BayesianMasking, PrunedFeaturesAreExactlyZero) {
  const Fit found = fit_bm(draw(300, 20, 5, 1));
  EXPECT_EQ(found.status, Status::converged) << found.message;
  Index pruned = 0;
  for (std::size_t j = 0; j < 20; ++j) {
    if (mask_rates(found)[j] > 0) continue;
    ++pruned;
    EXPECT_EQ(found.coefficients[j], 0);
    EXPECT_EQ(found.standard_deviations[j], 0);
    EXPECT_EQ(std::get<std::vector<double>>(found.hyper.at("weights"))[j], 0);
  }
  EXPECT_GE(pruned, 12);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(found.coefficients[j], 1, 0.25);
}

TEST(BayesianMasking, CoefficientsAreRatesTimesWeights) {
  const Fit found = fit_bm(draw(200, 8, 3, 2));
  const auto weights = std::get<std::vector<double>>(found.hyper.at("weights"));
  for (std::size_t j = 0; j < 8; ++j) EXPECT_DOUBLE_EQ(found.coefficients[j], mask_rates(found)[j] * weights[j]);
}

TEST(BayesianMasking, AGivenNoiseVarianceIsKept) {
  const Fit found = fit_bm(draw(100, 6, 2, 3), {{"noise_variance", 0.7}});
  EXPECT_NEAR(*found.noise_variance, 0.7, 1e-15);
}

TEST(BayesianMasking, ALargerDeltaPrunesMore) {
  const Data data = draw(200, 10, 2, 4);
  const auto kept = [&](double delta) { return fit_bm(data, {{"delta", delta}}).trace.back().active; };
  EXPECT_LT(kept(0.45), kept(1e-6));
}

TEST(BayesianMasking, MoreFeaturesThanRowsAreScreenedAndTheMessageSaysSo) {
  const Fit found = fit_bm(draw(100, 300, 4, 5));
  EXPECT_THAT(found.message, HasSubstr("300 features are too many for 100 rows"));
  EXPECT_THAT(found.message, HasSubstr("noise variance fixed"));
  Index kept = 0;
  for (const double rate : mask_rates(found)) kept += rate > 0;
  EXPECT_LE(kept, 33);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_GT(mask_rates(found)[j], 0.5);
  EXPECT_GT(*found.noise_variance, 0.5);
  EXPECT_THAT(fit_bm(draw(100, 20, 4, 5)).message, Not(HasSubstr("too many")));
}

TEST(BayesianMasking, PredictiveIntervalsCover) {
  const Data data = draw(200, 12, 4, 6), fresh = draw(2000, 12, 4, 7);
  const DenseDesign X(fresh.X);
  const Prediction predicted = predict(fit_bm(data), X);
  double covered = 0;
  for (std::size_t i = 0; i < fresh.y.size(); ++i) {
    covered += (fresh.y[i] >= predicted.lower[i] && fresh.y[i] <= predicted.upper[i]) / 2000.0;
  }
  // 95 % nominal; the noise of 200 rows is known to some percent.
  EXPECT_NEAR(covered, 0.95, 0.025);
}

TEST(BayesianMasking, ThreadsShareRowsWithoutChangingABit) {
  const Data data = draw(5000, 12, 6, 9);  // enough rows to be cut into pieces
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian")};
  const Fit one = fit(problem, "bm", {}, {.threads = 1}), two = fit(problem, "bm", {}, {.threads = 2});
  EXPECT_EQ(one.coefficients, two.coefficients);
  EXPECT_EQ(mask_rates(one), mask_rates(two));
  EXPECT_EQ(one.objective, two.objective);
}

TEST(BayesianMasking, ABinaryResponseHasNoNoiseToFix) {
  const auto example = contract::make_example(family("bernoulli"), 60, 4);
  const DenseDesign X(example.X);
  EXPECT_THAT(
      [&] {
        fit(example.problem(X), "bm", {{"noise_variance", 1.0}});
      },
      ThrowsMessage<InvalidOption>(HasSubstr("noise_variance: family bernoulli has no noise variance")));
}

TEST(BayesianMasking, MasksAreWrittenForEveryRowAndFeature) {
  Data data = draw(60, 4, 2, 8);
  std::vector<double> weights(60, 1.0);
  weights[1] = 0;
  const DenseDesign X(data.X);
  Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian"), .weights = weights};
  problem.feature_names = {"a", "b", "with, comma", "d"};
  const std::string path = testing::TempDir() + "bm_masks." + std::to_string(::getpid()) + ".csv";
  const Fit found = fit(problem, "bm", {{"masks", path}});
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "a,b,\"with, comma\",d");
  std::vector<double> sums(4, 0.0);
  for (int row = 0; row < 60; ++row) {
    ASSERT_TRUE(std::getline(file, line));
    if (row == 1) {
      EXPECT_EQ(line, ",,,");
      continue;
    }
    std::istringstream cells(line);
    std::string cell;
    for (double& sum : sums) {
      std::getline(cells, cell, ',');
      const double mask = std::stod(cell);
      EXPECT_TRUE(mask >= 0 && mask <= 1) << line;
      sum += mask / 59;
    }
  }
  EXPECT_FALSE(std::getline(file, line));
  // The mean mask of a feature is its rate, to the six digits written and the tolerance of the fit.
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(sums[j], mask_rates(found)[j], 1e-4);
}

}  // namespace
}  // namespace tamis
