// What every Method promises about offsets: they are part of the predictor, and their level is the intercept's
// business.
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "contract/method_cases.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::contract {
namespace {

constexpr Index n = 64;  // a power of two: the mean of dyadic offsets has no rounding
constexpr Index p = 8;

// Bits are asked for, of samplers too, for methods do not meet the level of an offset at all.
class MethodOffsets : public testing::TestWithParam<MethodCase> {
 protected:
  MethodOffsets() : example_(make_example(*GetParam().family, n, p, 1, 0.5)) {
    if (example_.family->traits().response == Family::Response::count) make_counts_large();
  }

  const MethodCase& tried() const { return GetParam(); }
  double tolerance() const { return agreement_tolerance(*tried().method); }

  // As users fit: penalties and priors are searched, so every fold begins at its own model without features.
  Fit search(const Example& example, bool intercept = true) const {
    const DenseDesign design(example.X);
    Problem problem = example.problem(design);
    problem.intercept = intercept;
    const bool samples = tried().method->is_sampler();
    return tried().method->fit(problem, samples ? wide_options(*tried().method) : std::map<std::string, OptionValue>{},
                               {.seed = 4, .folds = 3});
  }

  static Example with_offset(Example example, double level, bool varies = false) {
    for (Index i = 0; i < n; ++i) {
      example.offset.push_back(level + (varies ? 0.125 * static_cast<double>(i * i % 23) - 1.5 : 0.0));
    }
    return example;
  }

  // Everything but the intercept, to the last bit; predictions on the training rows to what their sums round.
  static void expect_moved(const Example& a, const Fit& fit_a, const Example& b, Fit fit_b, double by) {
    EXPECT_DOUBLE_EQ(fit_b.intercept, fit_a.intercept - by);
    const DenseDesign X(a.X);
    const std::vector<double> eta_a = linear_predictor(fit_a, X, a.offset),
                              eta_b = linear_predictor(fit_b, X, b.offset);
    for (std::size_t i = 0; i < eta_a.size(); ++i) EXPECT_NEAR(eta_a[i], eta_b[i], 1e-14 * (100 + std::abs(by)));
    fit_b.intercept = fit_a.intercept;
    expect_same_bits(fit_a, fit_b);
  }

  Example example_;

 private:
  // About a dozen: far from e^0, where a solver that has lost its intercept would begin.
  void make_counts_large() {
    const DenseDesign design(example_.X);
    std::vector<double> eta(n, 2.5), weights(p, 0.0);
    weights[0] = 0.5;
    weights[3] = -0.1;
    design.multiply_add(design.all(), std::span<const double>(weights), std::span(eta));
    for (Index i = 0; i < n; ++i) example_.y[i] = draw_response(*example_.family, eta[i], 3, i);
  }
};

TEST_P(MethodOffsets, ZerosChangeNoBit) {
  for (const bool intercept : {true, false}) {
    const Fit fit = search(example_, intercept);
    EXPECT_EQ(fit.status, Status::converged) << fit.message;
    expect_same_bits(fit, search(with_offset(example_, 0), intercept));
  }
}

TEST_P(MethodOffsets, AConstantMovesTheInterceptAlone) {
  const Fit fit = search(example_);
  for (const double level : {-0.7, 10.0, -300.0}) {
    const Example moved = with_offset(example_, level);
    expect_moved(example_, fit, moved, search(moved), level);
  }
}

TEST_P(MethodOffsets, TheLevelOfVaryingOffsetsMovesTheInterceptAlone) {
  const Example near = with_offset(example_, 0, true), far = with_offset(example_, 16, true);
  const Fit fit = search(near);
  expect_sound(fit, p);
  expect_moved(near, fit, far, search(far), 16);
}

TEST_P(MethodOffsets, RowsOfWeightZeroHaveNoSay) {
  Example constant = with_offset(example_, 3), other = constant;
  constant.weights.assign(n, 1.0);
  for (const Index i : {5, 40}) constant.weights[i] = 0;
  other.weights = constant.weights;
  for (const Index i : {5, 40}) other.offset[i] = -7;
  expect_same_bits(search(constant), search(other));
}

TEST_P(MethodOffsets, WithoutAnInterceptAConstantCounts) {
  // Nothing else can take its place: the fit is another one.
  const Fit plain = search(example_, false), given = search(with_offset(example_, 1), false);
  expect_sound(given, p);
  EXPECT_EQ(given.intercept, 0);
  EXPECT_NE(plain.objective, given.objective);
}

// Seen without the offset the response is noise: what the first feature adds the offset takes away.
TEST_P(MethodOffsets, WhatTheOffsetTakesAwayTheFeaturesGiveBack) {
  constexpr Index rows = 256;
  Example cancelled = make_example(*tried().family, rows, 4);
  const ColumnMoments moments = column_moments(DenseDesign(cancelled.X), {});
  for (Index i = 0; i < rows; ++i) {
    cancelled.offset.push_back(-1.5 * (cancelled.X(i, 0) - moments.mean[0]) / moments.deviation[0]);
    cancelled.y[i] = draw_response(*tried().family, 0.5, 6, i);
  }
  const Fit fit = search(cancelled);
  EXPECT_EQ(fit.status, Status::converged) << fit.message;
  const double found = fit.coefficients[0] * moments.deviation[0];
  EXPECT_GT(found, 0.7);  // methods shrink
  EXPECT_LT(found, 2);
  cancelled.offset.clear();
  EXPECT_LT(std::abs(search(cancelled).coefficients[0] * moments.deviation[0]), 0.5);
}

TEST_P(MethodOffsets, WithoutFeaturesTheInterceptIsTheBestBesideTheOffset) {
  for (const double spread : {1.0, 8.0}) {
    Example bare = with_offset(example_, -2, true);
    for (double& o : bare.offset) o *= spread;
    for (Index j = 0; j < p; ++j) std::ranges::fill(bare.X.column(j), 1.0);
    // Slope of the log likelihood in the intercept.
    const auto excess = [&](double intercept) {
      std::vector<double> eta = bare.offset, residual(n), curvature(n);
      for (double& e : eta) e += intercept;
      bare.family->derivatives(bare.y, eta, residual, curvature);
      return std::accumulate(residual.begin(), residual.end(), 0.0);
    };
    double low = -100, high = 100;
    for (int half = 0; half < 60; ++half) (excess(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(search(bare).intercept, low, tolerance() * (1 + std::abs(low))) << "spread " << spread;
  }
}

TEST_P(MethodOffsets, OfGaussianDataTheyAreSubtracted) {
  if (!tried().family->is_quadratic())
    GTEST_SKIP() << "an offset of another family is not on the scale of its response";
  const Example offset = with_offset(example_, 1, true);
  Example subtracted = example_;
  for (Index i = 0; i < n; ++i) subtracted.y[i] -= offset.offset[i];
  expect_same_answer(fit_fixed(tried(), subtracted), fit_fixed(tried(), offset), example_.X, tolerance());
}

TEST_P(MethodOffsets, ValidationRowsHaveTheirOwn) {
  Example held_out = make_example(*tried().family, 40, p, 21, 0.5);
  const DenseDesign X(example_.X), Z(held_out.X);
  const auto fit = [&](double level) {
    const Example training = with_offset(example_, level);
    const std::vector<double> offset(40, level + 0.25);
    const bool samples = tried().method->is_sampler();
    return tried().method->fit(training.problem(X),
                               samples ? wide_options(*tried().method) : std::map<std::string, OptionValue>{},
                               {.validation = {.X = &Z, .y = held_out.y, .offset = offset}});
  };
  Fit near = fit(0), far = fit(16);
  EXPECT_DOUBLE_EQ(far.intercept, near.intercept - 16);
  far.intercept = near.intercept;
  expect_same_bits(near, far);
}

INSTANTIATE_TEST_SUITE_P(All, MethodOffsets, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return name_of_case(info.param); });

}  // namespace
}  // namespace tamis::contract
