// flas: the Beta prior of selection probabilities and the ensemble of column sets, as options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using Given = std::map<std::string, OptionValue>;

struct Data {
  Matrix X;
  std::vector<double> y;
};

Data draw(Index n, Index p) {
  Data data{Matrix(n, p), std::vector<double>(n)};
  RandomStream random(7, 1);
  for (Index j = 0; j < p; ++j) random.normals(data.X.column(j));
  for (Index i = 0; i < n; ++i) data.y[i] = 2 * data.X(i, 0) - 1.5 * data.X(i, 1) + data.X(i, 2) + random.normal();
  return data;
}

Fit fit_with(const Data& data, Given options) {
  const DenseDesign X(data.X);
  options.insert({{"spike_variance", 1e-3}, {"slab_variance", 5.0}, {"noise_precision", 1.0}});
  return fit({.X = X, .y = data.y, .likelihood = family("gaussian"), .intercept = false, .standardize = false}, "flas",
             options);
}

const std::vector<double>& numbers(const Fit& fit, const std::string& name) {
  return std::get<std::vector<double>>(fit.hyper.at(name));
}

TEST(FlasSelection, BetaPriorIsItsMeanAsPriorInclusionAndMovesTheSelectionProbability) {
  const Data data = draw(40, 60);
  const Fit beta = fit_with(data, {{"selection_a", 3.0}, {"selection_b", 27.0}});
  const Fit odds = fit_with(data, {{"prior_inclusion", 0.1}});
  EXPECT_EQ(beta.status, Status::converged);
  EXPECT_NEAR(std::get<double>(beta.hyper.at("prior_inclusion")), 0.1, 1e-15);
  for (std::size_t j = 0; j < 60; ++j) {
    EXPECT_NEAR(beta.coefficients[j], odds.coefficients[j], 1e-12);
    EXPECT_NEAR(beta.inclusion[j], odds.inclusion[j], 1e-12);
    EXPECT_NEAR(numbers(beta, "selection_mean")[j], (3 + beta.inclusion[j]) / 31, 1e-12);
  }
}

TEST(FlasSelection, UniformPriorIsThePapersJointMode) {
  const Data data = draw(40, 60);
  const Fit beta = fit_with(data, {{"variant", std::string("joint")}, {"selection_a", 1.0}, {"selection_b", 1.0}});
  const Fit even = fit_with(data, {{"variant", std::string("joint")}, {"prior_inclusion", 0.5}});
  EXPECT_EQ(beta.status, Status::converged);
  for (std::size_t j = 0; j < 60; ++j) EXPECT_NEAR(beta.coefficients[j], even.coefficients[j], 1e-8);
  // In the paper s has density 1, and the indicator of a prior inclusion of 1/2 the probability 1/2.
  EXPECT_NEAR(beta.objective, even.objective - 60 * std::numbers::ln2, 1e-7);
}

// The objective by its definition, with the maximum over s on a fine grid.
double objective(const Data& data, const std::vector<double>& w, double a, double b) {
  const Index n = std::ssize(data.y);
  double value = 0;
  for (Index i = 0; i < n; ++i) {
    double r = data.y[i];
    for (Index j = 0; j < std::ssize(w); ++j) r -= data.X(i, j) * w[j];
    value += 0.5 * (std::log(2 * std::numbers::pi) + r * r);
  }
  const auto density = [](double x, double variance) {
    return std::exp(-0.5 * x * x / variance) / std::sqrt(2 * std::numbers::pi * variance);
  };
  for (const double x : w) {
    double best = -HUGE_VAL;
    for (double s = 0.0005; s < 1; s += 0.0005) {
      best = std::max(best, std::log(s * density(x, 5) + (1 - s) * density(x, 1e-3)) + (a - 1) * std::log(s) +
                                (b - 1) * std::log1p(-s));
    }
    value -= best - std::lgamma(a) - std::lgamma(b) + std::lgamma(a + b);
  }
  return value;
}

TEST(FlasSelection, JointModeMinimizesTheObjectiveOfCoefficientsAndSelectionProbabilities) {
  const Data data = draw(40, 10);
  constexpr double grid = 1e-3;  // error of the maximum over the grid of s
  const Fit found = fit_with(data, {{"variant", std::string("joint")}, {"selection_a", 2.0}, {"selection_b", 6.0}});
  EXPECT_EQ(found.status, Status::converged);
  EXPECT_NEAR(found.objective, objective(data, found.coefficients, 2, 6), grid);
  for (std::size_t j = 0; j < 10; ++j) {
    for (const double step : {-0.1, 0.1}) {
      std::vector<double> moved = found.coefficients;
      moved[j] += step;
      EXPECT_GT(objective(data, moved, 2, 6), found.objective + grid) << j;
    }
  }
  for (std::size_t k = 1; k < found.trace.size(); ++k) {
    EXPECT_LE(found.trace[k].objective, found.trace[k - 1].objective + 1e-9);
  }
}

TEST(FlasSelection, RefusesWhatContradictsItself) {
  const Data data = draw(20, 6);
  const auto message = [&](Given options) -> std::string {
    try {
      fit_with(data, std::move(options));
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({{"selection_a", 1.0}}), testing::HasSubstr("without selection_b"));
  EXPECT_THAT(message({{"selection_a", 1.0}, {"selection_b", 1.0}, {"prior_inclusion", 0.2}}),
              testing::HasSubstr("prior_inclusion: received together"));
  EXPECT_THAT(message({{"selection_a", 0.5}, {"selection_b", 2.0}, {"variant", std::string("joint")}}),
              testing::HasSubstr("selection_a: received 0.5; expected at least 1"));
  EXPECT_THAT(message({{"nystrom_sets", 2.0}}), testing::HasSubstr("expected hessian = nystrom"));
  EXPECT_THAT(message({{"hessian", std::string("nystrom")}, {"nystrom_sets", 2.0}, {"nystrom_columns", 4.0}}),
              testing::HasSubstr("expected at most 6 columns"));
  EXPECT_EQ(message({{"hessian", std::string("nystrom")}, {"nystrom_sets", 2.0}, {"nystrom_columns", 3.0}}), "");
}

TEST(FlasSelection, OneSetOfAllColumnsIsTheExactHessian) {
  const Data data = draw(30, 12);
  const Fit exact = fit_with(data, {{"hessian", std::string("full")}});
  const Fit all =
      fit_with(data, {{"hessian", std::string("nystrom")}, {"nystrom_sets", 1.0}, {"nystrom_columns", 12.0}});
  for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(all.standard_deviations[j] / exact.standard_deviations[j], 1, 1e-7);
}

}  // namespace
}  // namespace tamis
