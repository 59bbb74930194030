// mm: its objective written down from the data, and that no small step of any coefficient lowers it.
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using Given = std::map<std::string, OptionValue>;

constexpr double cost = 2, slab = 1.5, noise = 0.3, width = 1e-3;

struct Data {
  contract::Example example;
  DenseDesign X;
  Problem problem;

  Data(const char* name, Index rows, Index cols)
      : example(contract::make_example(family(name), rows, cols)), X(example.X), problem(example.problem(X)) {
    // The width of the logarithm is in units of the slab, so nothing else depends on the scale of the columns.
    problem.standardize = false;
  }

  Fit solve() const {
    Given options{{"cost", cost}, {"slab_variance", slab}, {"start_penalty", 0.05}, {"tolerance", 1e-9}};
    if (problem.likelihood.has_noise()) options["noise_variance"] = noise;
    return fit(problem, "mm", options);
  }

  // Minus the log posterior on the original scale.
  double objective(double intercept, const std::vector<double>& b) const {
    double sum = 0;
    for (Index i = 0; i < example.X.rows(); ++i) {
      double eta = intercept + (example.offset.empty() ? 0.0 : example.offset[i]);
      for (Index j = 0; j < example.X.cols(); ++j) eta += example.X(i, j) * b[j];
      const double y = example.y[i], weight = example.weights.empty() ? 1.0 : example.weights[i];
      sum += weight * (problem.likelihood.has_noise() ? (y - eta) * (y - eta) / (2 * noise)
                                                      : std::log(1 + std::exp(eta)) - y * eta);
    }
    for (const double w : b) {
      sum +=
          w * w / (2 * slab) + cost * std::log(1 + std::abs(w) / (width * std::sqrt(slab))) / std::log(1 + 1 / width);
    }
    return sum;
  }
};

class MM : public testing::TestWithParam<const char*> {};

TEST_P(MM, MinimizesTheObjectiveThatItReports) {
  for (const Index cols : {8, 70}) {
    Data data(GetParam(), 50, cols);
    for (Index i = 0; i < 50; ++i) {
      data.example.weights.push_back(0.5 * static_cast<double>(i % 4));
      data.example.offset.push_back(0.2 * std::sin(static_cast<double>(i)));
    }
    data.problem.weights = data.example.weights;
    data.problem.offset = data.example.offset;
    const Fit found = data.solve();
    ASSERT_EQ(found.status, Status::converged) << found.message;
    const double here = data.objective(found.intercept, found.coefficients);
    EXPECT_NEAR(found.objective, here, 1e-8 * std::abs(here));
    EXPECT_GT(select_by_threshold(found).size(), 0u);
    // Second-order steps: at a stationary point they raise the objective by h^2, off it they lower it by h.
    for (Index j = 0; j < cols; ++j) {
      for (const double step : {1e-4, -1e-4}) {
        std::vector<double> b = found.coefficients;
        b[j] += b[j] == 0 ? step : step * std::abs(b[j]);
        EXPECT_GE(data.objective(found.intercept, b), here - 1e-9 * std::abs(here)) << GetParam() << " " << j;
      }
    }
    for (const double step : {1e-4, -1e-4}) {
      EXPECT_GE(data.objective(found.intercept + step, found.coefficients), here - 1e-9 * std::abs(here));
    }
  }
}

// The slope of the objective at every nonzero coefficient, by central differences.
TEST_P(MM, IsFlatAtItsCoefficients) {
  const Data data(GetParam(), 60, 8);
  const Fit found = data.solve();
  for (Index j = 0; j < 8; ++j) {
    if (found.coefficients[j] == 0) continue;
    constexpr double h = 1e-6;
    std::vector<double> up = found.coefficients, down = up;
    up[j] += h;
    down[j] -= h;
    const double slope = (data.objective(found.intercept, up) - data.objective(found.intercept, down)) / (2 * h);
    EXPECT_NEAR(slope, 0, 1e-5) << GetParam() << " " << j;
  }
}

TEST_P(MM, ACostBeyondAllGainKeepsNothing) {
  const Data data(GetParam(), 40, 6);
  const Fit found = fit(data.problem, "mm", {{"cost", 1e5}});
  EXPECT_EQ(select_by_threshold(found).size(), 0u);
  EXPECT_EQ(found.status, Status::converged) << found.message;
}

INSTANTIATE_TEST_SUITE_P(All, MM, testing::Values("gaussian", "bernoulli"),
                         [](const auto& info) { return std::string(info.param); });

// The error at a cost is the mean over folds of fits to the other folds' rows, whose lasso is theirs.
TEST(PointMassSearch, HeldOutRowsHaveNoPartInTheirStart) {
  const Data data("gaussian", 60, 8);
  std::vector<int> folds;
  for (Index i = 0; i < 60; ++i) folds.push_back(static_cast<int>(i % 4));
  const Fit searched = fit(data.problem, "mm", {}, {.fold_of_row = folds});
  ASSERT_EQ(searched.path.size(), 7u);
  for (const std::size_t k : {2u, 4u}) {
    double mean = 0;
    for (int fold = 0; fold < 4; ++fold) {
      std::vector<double> weights(60, 1.0);
      for (Index i = 0; i < 60; ++i) weights[i] = folds[i] == fold ? 0 : 1;
      Problem training = data.problem;
      training.weights = weights;
      const Fit found = fit(training, "mm", {{"cost", searched.path[k].value}}, {.fold_of_row = folds});
      const std::vector<double> eta = linear_predictor(found, data.X);
      for (Index i = 0; i < 60; ++i) mean += folds[i] == fold ? std::pow(data.example.y[i] - eta[i], 2) / 60 : 0;
    }
    EXPECT_NEAR(*searched.path[k].validation_error, mean, 1e-3 * mean) << searched.path[k].value;
  }
}

TEST(PointMassSearch, RefusesANoiseOfClasses) {
  const Data data("bernoulli", 40, 3);
  EXPECT_THROW(fit(data.problem, "mm", {{"noise_variance", 1.0}}), InvalidOption);
}

}  // namespace
}  // namespace tamis
