// What every Method promises at the edges: degenerate shapes and columns, numbers that are none, and pure noise.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"

namespace tamis::contract {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class MethodEdges : public testing::TestWithParam<MethodCase> {
 protected:
  const MethodCase& tried() const { return GetParam(); }
  const Family& family() const { return *tried().family; }
  double tolerance() const { return agreement_tolerance(*tried().method); }

  Fit fit(const Example& example, const Control& control = {}) const {
    const DenseDesign design(example.X);
    return tried().method->fit(example.problem(design), {}, control);
  }

  // The sentence with which the problem is refused, or "" if it is not.
  std::string refusal(const Problem& problem) const {
    try {
      fit_fixed(tried(), problem);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }
};

TEST_P(MethodEdges, OneRowIsFittedOrRefusedWithASentence) {
  Example one = make_example(family(), 1, 3);
  one.y = {1.0};
  for (const int folds : {0, 10}) {
    try {
      expect_sound(fit(one, {.folds = folds}), 3);
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), HasSubstr("response"));
    }
  }
}

TEST_P(MethodEdges, TwoAndThreeRowsAreFittedOrRefusedWithASentence) {
  for (const Index n : {2, 3}) {
    Example few = make_example(family(), n, 4);
    few.y = {1.0, family().complaint(0).empty() ? 0.0 : 2.0};
    few.y.resize(n, 1.0);
    expect_sound(fit(few), 4);
  }
}

TEST_P(MethodEdges, OneColumnIsEnough) {
  const Example example = make_example(family(), 50, 1);
  const Fit found = fit(example);
  expect_sound(found, 1);
  EXPECT_GT(found.coefficients[0], 0);
}

TEST_P(MethodEdges, ManyMoreColumnsThanRowsAreSound) {
  const Index p = columns_for(*tried().method, 300);
  const Example example = make_example(family(), std::min<Index>(20, p / 2), p, 3, 2);
  expect_sound(fit(example), p);
  expect_sound(fit_fixed(tried(), example), p);
}

TEST_P(MethodEdges, MoreColumnsThanItTakesAreRefusedButConstantOnesDoNotCount) {
  const Index most = tried().method->most_features();
  if (most > 1000) GTEST_SKIP() << "takes any number";
  Example example = make_example(family(), 30, most + 1);
  const DenseDesign design(example.X);
  EXPECT_THAT(refusal(example.problem(design)), AllOf(HasSubstr("X"), HasSubstr(std::to_string(most))));
  std::ranges::fill(example.X.column(1), 2.0);
  expect_sound(fit_fixed(tried(), example), most + 1);
}

TEST_P(MethodEdges, DuplicateColumnsPredictAsOne) {
  Example example = make_example(family(), 40, 6);
  std::ranges::copy(example.X.column(0), example.X.column(4).begin());
  const Fit both = fit_fixed(tried(), example);
  expect_sound(both, 6);
  // Which of two equal columns gets the weight may depend on their order; what they predict may not.
  Example swapped = example;
  for (Index i = 0; i < 40; ++i) std::swap(swapped.X(i, 0), swapped.X(i, 5));
  const Fit other = fit_fixed(tried(), swapped);
  const DenseDesign design(example.X), design_too(swapped.X);
  const std::vector<double> eta = linear_predictor(both, design), eta_too = linear_predictor(other, design_too);
  for (std::size_t i = 0; i < eta.size(); ++i) EXPECT_NEAR(eta[i], eta_too[i], tolerance() * (1 + std::abs(eta[i])));
}

TEST_P(MethodEdges, AConstantResponseIsItsIntercept) {
  if (!family().is_quadratic()) GTEST_SKIP() << "other families refuse it or have no finite fit";
  Example example = make_example(family(), 30, 5);
  example.y.assign(30, 4.25);
  for (const int folds : {0, 5}) {
    const Fit found = fit(example, {.folds = folds});
    expect_sound(found, 5);
    EXPECT_NEAR(found.intercept, 4.25, tolerance() * 4.25);
    for (const double b : found.coefficients) EXPECT_NEAR(b, 0, tolerance());
  }
}

TEST_P(MethodEdges, ConstantAndZeroColumnsHaveCoefficientZero) {
  Example example = make_example(family(), 40, 6);
  std::ranges::fill(example.X.column(1), 0.1);  // not a binary fraction: its mean is not exact
  std::ranges::fill(example.X.column(2), 0.0);
  for (const Fit& found : {fit(example), fit_fixed(tried(), example)}) {
    expect_sound(found, 6);
    EXPECT_EQ(found.coefficients[1], 0);
    EXPECT_EQ(found.coefficients[2], 0);
    if (tried().method->has_inclusion()) {
      EXPECT_EQ(found.inclusion.size(), 6u);
    }
  }
}

TEST_P(MethodEdges, OnlyConstantColumnsGiveTheNullModel) {
  Example example = make_example(family(), 30, 2);
  std::ranges::fill(example.X.column(0), 3.0);
  std::ranges::fill(example.X.column(1), 0.0);
  const Fit found = fit(example);
  expect_sound(found, 2);
  EXPECT_THAT(found.coefficients, testing::Each(0.0));
  double mean = 0;
  for (const double y : example.y) mean += y / 30;
  EXPECT_NEAR(found.intercept, family().link(mean), tolerance() * (1 + std::abs(found.intercept)));
}

TEST_P(MethodEdges, ANumberThatIsNoneIsRefusedWithRowAndColumn) {
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    Example example = make_example(family(), 30, 5);
    example.X(16, 2) = bad;
    const DenseDesign design(example.X);
    Problem problem = example.problem(design);
    problem.feature_names = {"a", "b", "dose", "d", "e"};
    EXPECT_THAT(refusal(problem), AllOf(HasSubstr("row 17"), HasSubstr("column 3"), HasSubstr("dose")));
  }
}

TEST_P(MethodEdges, NumbersWithoutSquaresAreRefusedWithRowAndColumn) {
  for (const double scale : {1e120, 1e155, 1e200, 1e-120, 1e-165, 1e-200}) {
    Example example = make_example(family(), 30, 5);
    for (double& x : example.X.column(2)) x *= scale;
    const DenseDesign design(example.X);
    Problem problem = example.problem(design);
    problem.feature_names = {"a", "b", "dose", "d", "e"};
    EXPECT_THAT(refusal(problem), AllOf(HasSubstr("row "), HasSubstr("column 3 ('dose')"), HasSubstr("rescale")))
        << scale;
  }
}

TEST_P(MethodEdges, WeightsTooFarApartAreRefusedWithBothRows) {
  for (const double heavy : {1e13, 1e20, 1e28, 1e40, 1e200}) {
    Example example = make_example(family(), 30, 5);
    example.weights.assign(30, 2.0);
    example.weights[3] = 0;
    example.weights[7] = heavy;
    const DenseDesign design(example.X);
    EXPECT_THAT(refusal(example.problem(design)),
                AllOf(HasSubstr("weights: row 8 is"), HasSubstr("row 1 is 2"), HasSubstr("give weight 0")));
  }
}

// A posterior of 1e-90 rows, or of 1e90, may be beyond a method, but then it says so.
TEST_P(MethodEdges, WeightsOfAnyUnitEndWithNumbers) {
  for (const double unit : {1e90, 1e-90}) {
    Example example = make_example(family(), 30, 5);
    for (Index i = 0; i < 30; ++i) example.weights.push_back(unit * (1 + static_cast<double>(i % 3)));
    const Fit found = fit_fixed(tried(), example);
    EXPECT_TRUE(std::isfinite(found.intercept));
    for (const double b : found.coefficients) EXPECT_TRUE(std::isfinite(b));
    EXPECT_TRUE(std::isfinite(found.objective) || found.status == Status::numerical_failure);
    example.weights.assign(30, unit * unit);
    const DenseDesign design(example.X);
    EXPECT_THAT(refusal(example.problem(design)), HasSubstr("multiply all weights by a common factor"));
  }
}

TEST_P(MethodEdges, AHeavyRowAmongLightOnesIsSound) {
  Example example = make_example(family(), 30, 5);
  example.weights.assign(30, 1.0);
  example.weights[4] = 1e11;
  expect_sound(fit_fixed(tried(), example), 5);
}

TEST_P(MethodEdges, BadResponsesWeightsAndOffsetsAreRefusedWithTheirName) {
  const Example good = make_example(family(), 30, 5);
  const DenseDesign design(good.X);
  Example bad = good;
  bad.y[4] = std::nan("");
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("response: row 5"));
  bad = good;
  bad.weights.assign(30, 1.0);
  bad.weights[6] = -1;
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("weights: row 7"));
  bad.weights.assign(30, 0.0);
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("weights"));
  bad.weights.assign(29, 1.0);
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("weights"));
  bad = good;
  bad.offset.assign(30, HUGE_VAL);
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("offset: row 1"));
  bad.offset.assign(30, 0.5);
  for (const double huge : {1e300, -1e200}) {
    bad.offset[2] = huge;
    EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("offset: row 3"));
  }
  bad = good;
  bad.y.pop_back();
  EXPECT_THAT(refusal(bad.problem(design)), HasSubstr("response"));
}

TEST_P(MethodEdges, HugeAndTinyResponsesAreSound) {
  if (!family().is_quadratic()) GTEST_SKIP() << "the response has a scale of its own";
  for (const double scale : {1e6, 1e-6, 1e100, 1e-100}) {
    Example example = make_example(family(), 40, 6);
    for (double& y : example.y) y *= scale;
    const Fit found = fit(example);
    expect_sound(found, 6);
    EXPECT_GT(found.coefficients[0], 0) << "scale " << scale;
    EXPECT_LT(std::abs(found.coefficients[0]), 10 * scale) << "scale " << scale;
  }
}

TEST_P(MethodEdges, HugeAndTinyColumnsWithoutStandardizingAreSound) {
  for (const double scale : {1e6, 1e-6, 1e60, 1e-60, 1e98, 1e-98}) {
    Example example = make_example(family(), 40, 6);
    for (Index j = 0; j < 6; ++j) {
      for (double& x : example.X.column(j)) x *= scale;
    }
    const DenseDesign design(example.X);
    Problem problem = example.problem(design);
    problem.standardize = false;
    const Fit found = tried().method->fit(problem);
    expect_sound(found, 6);
    EXPECT_EQ(found.status, Status::converged) << "scale " << scale << ": " << found.message;
  }
}

// What the columns and the response are measured in says nothing about each other.
TEST_P(MethodEdges, HugeAndTinyColumnsOfAHugeOrTinyResponseAreSound) {
  if (!family().is_quadratic()) GTEST_SKIP() << "the response has a scale of its own";
  for (const double response : {1e100, 1e-100}) {
    Example example = make_example(family(), 40, 6);
    for (double& y : example.y) y *= response;
    const Fit plain = fit_fixed(tried(), example);
    for (const double scale : {1e50, 1e-50}) {
      Example scaled = example;
      for (Index j = 0; j < 6; ++j) {
        for (double& x : scaled.X.column(j)) x *= scale;
      }
      const Fit found = fit_fixed(tried(), scaled);
      expect_sound(found, 6);
      for (std::size_t j = 0; j < 6; ++j) {
        EXPECT_NEAR(found.coefficients[j] * scale, plain.coefficients[j], tolerance() * response) << j;
      }
    }
  }
}

// Share of the features kept, over ten sets of noise: a method that keeps features by accident keeps some in each.
TEST_P(MethodEdges, PureNoiseSelectsLittleAndPredictsLittle) {
  constexpr Index n = 60;
  constexpr int sets = 10;
  const Index p = columns_for(*tried().method, 30);
  double kept = 0, explained = 0;
  bool selects = tried().method->has_inclusion();
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const Example noise = make_example(family(), n, p, seed, /*signal=*/0);
    const Fit found = fit(noise, {.seed = seed});
    expect_sound(found, p);
    kept += static_cast<double>(select_by_threshold(found).size()) / static_cast<double>(p * sets);
    for (const PathPoint& point : found.path) selects = selects || point.active < p;
    selects = selects || found.hyper.contains("mask_rate");  // bm prunes, without a probability of inclusion
    const Example fresh = make_example(family(), 200, p, seed + 100, 0);
    const DenseDesign design(fresh.X);
    const std::vector<double> eta = linear_predictor(found, design);
    double spread = 0, mean = 0;
    for (const double e : eta) mean += e / 200;
    for (const double e : eta) spread += (e - mean) * (e - mean) / 200;
    explained += spread / sets;
  }
  // Ten sets average the luck of a search, which now and then mistakes one set's accidents for a signal.
  if (selects) {
    EXPECT_LT(kept, 0.1);
  }
  // The noise has a variance of 0.25 (gaussian), or of one and more in units of the predictor (others).
  EXPECT_LT(explained, family().is_quadratic() ? 0.1 : 0.2);
}

INSTANTIATE_TEST_SUITE_P(All, MethodEdges, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return name_of_case(info.param); });

}  // namespace
}  // namespace tamis::contract
