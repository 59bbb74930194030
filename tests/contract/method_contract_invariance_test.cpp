// What every Method promises: the same problem written in another way has the same answer.
#include <gmock/gmock.h>

#include <numeric>

#include "contract/design_kinds.hpp"
#include "contract/method_cases.hpp"
#include "tamis/base/random.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::contract {
namespace {

constexpr Index n = 40;
constexpr Index p = 8;

// Counts of a family may vary more than Poisson counts do, so that 40 rows say less of their predictors.
double signal_for(const Family& family) { return family.traits().response == Family::Response::count ? 1.5 : 1; }

class MethodInvariance : public testing::TestWithParam<MethodCase> {
 protected:
  MethodInvariance() : example_(make_example(*GetParam().family, n, p, /*seed=*/1, signal_for(*GetParam().family))) {}

  const MethodCase& tried() const { return GetParam(); }
  double tolerance() const { return agreement_tolerance(*tried().method); }
  Fit reference() const { return fit_fixed(tried(), example_); }

  Example example_;
};

TEST_P(MethodInvariance, TheExampleHasSomethingToFind) {
  const Fit fit = reference();
  expect_sound(fit, p);
  EXPECT_EQ(fit.status, Status::converged) << fit.message;
  EXPECT_GT(fit.coefficients[0], 0);
  EXPECT_LT(fit.coefficients[3], 0);
}

TEST_P(MethodInvariance, RowOrderDoesNotMatter) {
  const std::vector<Index> order = RandomStream(7).permutation(n);
  const Example shuffled{example_.family, select_rows(example_.X, order), select_rows(example_.y, order)};
  expect_same_answer(reference(), fit_fixed(tried(), shuffled), example_.X, tolerance());
}

TEST_P(MethodInvariance, ColumnOrderDoesNotMatter) {
  const std::vector<Index> order = RandomStream(8).permutation(p);
  Example shuffled = example_;
  for (Index j = 0; j < p; ++j) std::ranges::copy(example_.X.column(order[j]), shuffled.X.column(j).begin());
  Fit fit = fit_fixed(tried(), shuffled);
  std::vector<double> in_order(p);
  for (Index j = 0; j < p; ++j) in_order[order[j]] = fit.coefficients[j];
  fit.coefficients = in_order;
  expect_same_answer(reference(), fit, example_.X, tolerance());
}

TEST_P(MethodInvariance, ColumnScaleDoesNotMatterWhenStandardized) {
  const std::vector<double> scales = {1e3, 1e-3, -2, 1e6, 1e-6, 1e98, 1e-98, 1};
  Example scaled = example_;
  for (Index j = 0; j < p; ++j) {
    for (double& x : scaled.X.column(j)) x *= scales[j];
  }
  Fit fit = fit_fixed(tried(), scaled);
  expect_sound(fit, p);
  for (Index j = 0; j < p; ++j) fit.coefficients[j] *= scales[j];
  expect_same_answer(reference(), fit, example_.X, tolerance());
}

TEST_P(MethodInvariance, TheInterceptAbsorbsAShiftOfAColumn) {
  Example shifted = example_;
  for (double& x : shifted.X.column(0)) x += 100;
  Fit fit = fit_fixed(tried(), shifted);
  fit.intercept += 100 * fit.coefficients[0];
  // Centering a column a hundred times further away costs two digits.
  expect_same_answer(reference(), fit, example_.X, 100 * tolerance());
}

TEST_P(MethodInvariance, TheInterceptAbsorbsAShiftOfTheResponse) {
  if (!tried().family->is_quadratic()) GTEST_SKIP() << "the response has a scale of its own";
  constexpr double shift = 0x1p30, grain = 0x1p-20;  // so that what is shifted is exact
  Example plain = example_;
  for (double& y : plain.y) y = grain * std::round(y / grain);
  Example shifted = plain;
  for (double& y : shifted.y) y += shift;
  Fit fit = fit_fixed(tried(), shifted);
  fit.intercept -= shift;
  expect_same_answer(fit_fixed(tried(), plain), fit, example_.X, tolerance());
}

TEST_P(MethodInvariance, WithoutAnInterceptThereIsNone) {
  const DenseDesign design(example_.X);
  Problem problem = example_.problem(design);
  problem.intercept = false;
  const Fit fit = fit_fixed(tried(), problem);
  expect_sound(fit, p);
  EXPECT_EQ(fit.intercept, 0);
}

TEST_P(MethodInvariance, UnitColumnsNeedNoStandardizing) {
  const DenseDesign raw(example_.X);
  const ColumnMoments moments = column_moments(raw, {});
  Example unit = example_;
  for (Index j = 0; j < p; ++j) {
    for (double& x : unit.X.column(j)) x = (x - moments.mean[j]) / moments.deviation[j];
  }
  const DenseDesign design(unit.X);
  Problem problem = unit.problem(design);
  problem.standardize = false;
  expect_same_answer(fit_fixed(tried(), unit), fit_fixed(tried(), problem), unit.X, tolerance());
}

TEST_P(MethodInvariance, WeightTwoEqualsTheRowTwice) {
  Example weighted = example_;
  weighted.weights.assign(n, 1.0);
  std::vector<Index> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  for (const Index twice : {3, 17, 31}) {
    weighted.weights[twice] = 2;
    rows.push_back(twice);
  }
  const Example repeated{example_.family, select_rows(example_.X, rows), select_rows(example_.y, rows)};
  expect_same_answer(fit_fixed(tried(), repeated), fit_fixed(tried(), weighted), example_.X, tolerance());
}

TEST_P(MethodInvariance, WeightZeroEqualsDroppingTheRow) {
  Example weighted = example_;
  weighted.weights.assign(n, 1.0);
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) {
    if (i % 7 == 2) {
      weighted.weights[i] = 0;
      for (Index j = 0; j < p; ++j) weighted.X(i, j) = 50;  // would be noticed
    } else {
      rows.push_back(i);
    }
  }
  const Example dropped{example_.family, select_rows(example_.X, rows), select_rows(example_.y, rows)};
  expect_same_answer(fit_fixed(tried(), dropped), fit_fixed(tried(), weighted), dropped.X, tolerance());
}

TEST_P(MethodInvariance, TheKindOfDesignDoesNotMatter) {
  for (const DesignKind& kind : design_kinds()) {
    SCOPED_TRACE(kind.name);
    const DesignCase made = kind.make(example_.X);
    Example twin{example_.family, made.twin, example_.y};
    twin.y.resize(made.twin.rows());
    expect_same_answer(fit_fixed(tried(), twin), fit_fixed(tried(), twin.problem(made.X())), twin.X, tolerance());
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodInvariance, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return name_of_case(info.param); });

}  // namespace
}  // namespace tamis::contract
