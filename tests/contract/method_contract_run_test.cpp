// What every Method promises about a run: reproducible bits, provenance, progress, cancellation, searches, and a model
// file that predicts the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/version.hpp"

namespace tamis::contract {
namespace {

constexpr Index n = 60;
constexpr Index p = 12;

class MethodRun : public testing::TestWithParam<MethodCase> {
 protected:
  MethodRun() : example_(make_example(*GetParam().family, n, p)), design_(example_.X) {}

  const MethodCase& tried() const { return GetParam(); }
  Problem problem() const { return example_.problem(design_); }
  Fit run(const Control& control) const { return tried().method->fit(problem(), {}, control); }

  Example example_;
  DenseDesign design_;
};

TEST_P(MethodRun, TheSameSeedGivesTheSameBits) {
  expect_same_bits(run({.seed = 3, .folds = 5}), run({.seed = 3, .folds = 5}));
}

TEST_P(MethodRun, TheNumberOfThreadsDoesNotChangeABit) {
  expect_same_bits(run({.threads = 1, .folds = 5}), run({.threads = 2, .folds = 5}));
  // Wide enough that passes over X are cut into pieces.
  const Example wide = make_example(*tried().family, 50, columns_for(*tried().method, 3000), 2, 2);
  const DenseDesign design(wide.X);
  const auto fit = [&](int threads) {
    return tried().method->fit(wide.problem(design), wide_options(*tried().method), {.threads = threads, .folds = 0});
  };
  expect_same_bits(fit(1), fit(2));
}

TEST_P(MethodRun, ProvenanceIsComplete) {
  Problem named = problem();
  for (Index j = 0; j < p; ++j) named.feature_names.push_back("feature " + std::to_string(j));
  const Fit fit = tried().method->fit(named, {}, {.seed = 9, .folds = 3});
  EXPECT_EQ(fit.method, tried().method->name());
  EXPECT_EQ(fit.family, tried().family->name());
  EXPECT_EQ(fit.library_version, version);
  EXPECT_EQ(fit.samples, n);
  EXPECT_EQ(fit.features, named.feature_names);
  EXPECT_EQ(fit.options.at("seed"), OptionValue(9.0));
  for (const Field& field : tried().method->fields()) EXPECT_TRUE(fit.options.contains(field.name)) << field.name;
  EXPECT_EQ(tried().method->has_inclusion(), !fit.inclusion.empty());
  EXPECT_EQ(tried().method->inclusion_kind(), fit.inclusion_kind);
  EXPECT_NE(fit.inclusion_kind, InclusionKind::unknown);
  EXPECT_EQ(tried().family->has_noise(), fit.noise_variance.has_value());
  EXPECT_FALSE(fit.trace.empty());
  EXPECT_GT(fit.seconds, 0);
  EXPECT_FALSE(tried().method->summary().empty());
}

// A copy of each column, with other unit and sign: whatever is selected, what equals it is an alternative or selected.
TEST_P(MethodRun, EqualColumnsOfSelectedFeaturesAreAlternatives) {
  constexpr Index half = p / 2;
  Example twice = make_example(*tried().family, n, p);
  for (Index j = 0; j < half; ++j) {
    for (Index i = 0; i < n; ++i) twice.X(i, half + j) = 1 - 2 * twice.X(i, j);
  }
  const DenseDesign design(twice.X);
  const Fit fit = fit_fixed(tried(), twice.problem(design));
  const std::vector<Selected> selected = select_by_threshold(fit);
  const auto is_selected = [&](Index j) {
    return std::ranges::any_of(selected, [&](const Selected& one) { return one.feature == j; });
  };
  for (const Selected& one : selected) {
    const Index twin = one.feature < half ? one.feature + half : one.feature - half;
    const bool named = std::ranges::any_of(fit.alternatives, [&](const Alternative& a) {
      return a.feature == twin && a.with == one.feature && std::abs(a.correlation + 1) < 1e-9;
    });
    EXPECT_NE(named, is_selected(twin)) << one.feature;
  }
  const Fit quick =
      tried().method->fit(twice.problem(design), fixed_options(*tried().method), {.folds = 0, .correlations = false});
  EXPECT_TRUE(quick.alternatives.empty());
  EXPECT_TRUE(quick.credible_sets.empty());
  EXPECT_EQ(quick.coefficients, fit.coefficients);
}

TEST_P(MethodRun, MeansAndSpreadsOfTheFeaturesThatPlayAPartAreRecorded) {
  const Fit fit = fit_fixed(tried(), problem());
  const ColumnMoments moments = column_moments(design_, {});
  ASSERT_EQ(fit.feature_means.size(), p);
  ASSERT_EQ(fit.feature_spreads.size(), p);
  for (Index j = 0; j < p; ++j) {
    const bool kept = fit.coefficients[j] != 0 || (!fit.standard_deviations.empty() && fit.standard_deviations[j] != 0);
    EXPECT_EQ(kept, std::isfinite(fit.feature_means[j]));
    if (!kept) continue;
    EXPECT_DOUBLE_EQ(fit.feature_means[j], moments.mean[j]);
    EXPECT_DOUBLE_EQ(fit.feature_spreads[j], moments.deviation[j]);
  }
}

TEST_P(MethodRun, AnUnknownOptionStopsBeforeAnyWork) {
  EXPECT_THROW(tried().method->fit(problem(), {{"no_such_option", 1.0}}), InvalidOption);
}

TEST_P(MethodRun, PenaltyFactorsAreUsedOrRefused) {
  std::vector<double> factors(p, 1.0);
  factors[0] = 1000;
  Problem scaled = problem();
  scaled.penalty_factors = factors;
  if (tried().method->uses_penalty_factors()) {
    const double plain = fit_fixed(tried(), problem()).coefficients[0];
    EXPECT_LT(std::abs(fit_fixed(tried(), scaled).coefficients[0]), 0.2 * std::abs(plain));
  } else {
    EXPECT_THROW(fit_fixed(tried(), scaled), InvalidOption);
  }
}

TEST_P(MethodRun, ThePromisedObjectiveIsMonotone) {
  if (!tried().method->promises_monotone()) GTEST_SKIP() << "not promised";
  const Fit fit = fit_fixed(tried(), problem());
  ASSERT_GE(fit.trace.size(), 2u);
  const bool falls = fit.trace.back().objective <= fit.trace.front().objective;
  for (std::size_t k = 1; k < fit.trace.size(); ++k) {
    const double change = fit.trace[k].objective - fit.trace[k - 1].objective;
    // Rounding of a sum of n terms.
    const double rounding = 1e-12 * (1 + std::abs(fit.trace[k].objective));
    EXPECT_LE(falls ? change : -change, rounding) << "iteration " << k;
  }
}

TEST_P(MethodRun, SavedAndLoadedPredictsTheSameBits) {
  const Fit fit = run({.folds = 3});
  const Fit again = from_json(to_json(fit));
  expect_same_bits(fit, again);
  EXPECT_EQ(fit.status, again.status);
  const Prediction a = predict(fit, design_), b = predict(again, design_);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.sd, b.sd);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
}

// Remembers what it was told, and cancels at the poll number `polls_before`.
class Watcher final : public Observer {
 public:
  explicit Watcher(int polls_before) : polls_before_(polls_before) {}
  void progress(double fraction, std::string_view phase) override {
    const Guard guard(*this);
    const std::string key(phase);
    EXPECT_GE(fraction, latest_[key]) << "progress fell in phase " << key;
    EXPECT_LE(fraction, 1);
    latest_[key] = fraction;
  }
  void trace(const TracePoint& point) override {
    const Guard guard(*this);
    EXPECT_TRUE(std::isfinite(point.objective));
  }
  bool cancelled() override {
    const Guard guard(*this);
    return ++polls_ >= polls_before_;
  }
  int polls() const { return polls_; }

 private:
  // Calls must come from one thread at a time.
  struct Guard {
    explicit Guard(Watcher& owner) : owner_(owner) { EXPECT_FALSE(owner_.busy_.exchange(true)); }
    ~Guard() { owner_.busy_ = false; }
    Watcher& owner_;
  };
  int polls_before_;
  int polls_ = 0;
  std::atomic<bool> busy_ = false;
  std::map<std::string, double> latest_;
};

TEST_P(MethodRun, ACancelledFitIsSoundAndSaysSo) {
  for (const int polls_before : {1, 2}) {
    Watcher watcher(polls_before);
    const Fit fit = run({.folds = 3, .observer = &watcher});
    ASSERT_GE(watcher.polls(), 1) << "the observer was never asked";
    expect_sound(fit, p);
    if (watcher.polls() < polls_before) continue;
    EXPECT_EQ(fit.status, Status::cancelled);
    EXPECT_THAT(fit.message, testing::HasSubstr("cancelled"));
  }
}

TEST_P(MethodRun, WatchingDoesNotChangeABit) {
  Watcher watcher(1 << 30);
  expect_same_bits(run({.folds = 3}), run({.folds = 3, .observer = &watcher}));
}

TEST_P(MethodRun, ValidationDataReplaceFolds) {
  const Example held_out = make_example(*tried().family, 80, p, 21);
  const DenseDesign X(held_out.X);
  const Fit fit = run({.validation = {.X = &X, .y = held_out.y}});
  expect_sound(fit, p);
  EXPECT_EQ(fit.status, Status::converged) << fit.message;
  EXPECT_GT(fit.coefficients[0], 0);
  for (const PathPoint& point : fit.path) {
    ASSERT_TRUE(point.validation_error.has_value());
    EXPECT_TRUE(std::isfinite(*point.validation_error));
  }
  // The seed deals folds; there are none.
  if (!fit.path.empty()) {
    EXPECT_EQ(run({.seed = 2, .validation = {.X = &X, .y = held_out.y}}).coefficients, fit.coefficients);
  }
}

TEST_P(MethodRun, ValidationRowsOfWeightZeroAreNotJudged) {
  Example held_out = make_example(*tried().family, 80, p, 21);
  const DenseDesign X(held_out.X);
  const Fit fit = run({.validation = {.X = &X, .y = held_out.y}});
  std::vector<Index> rows;
  for (Index i = 0; i < 80; ++i) rows.push_back(i);
  for (Index i = 0; i < 20; ++i) rows.push_back(i);
  Example longer{tried().family, select_rows(held_out.X, rows), select_rows(held_out.y, rows)};
  std::vector<double> weights(100, 1.0);
  for (Index i = 80; i < 100; ++i) {
    weights[i] = 0;
    for (Index j = 0; j < p; ++j) longer.X(i, j) *= 30;
  }
  const DenseDesign X_longer(longer.X);
  const Fit same = run({.validation = {.X = &X_longer, .y = longer.y, .weights = weights}});
  expect_same_answer(fit, same, example_.X, agreement_tolerance(*tried().method));
}

TEST_P(MethodRun, WithoutFoldsNothingIsHeldOut) {
  const Fit fit = run({.folds = 0});
  expect_sound(fit, p);
  for (const PathPoint& point : fit.path) EXPECT_FALSE(point.validation_error.has_value());
}

TEST_P(MethodRun, FoldsAreAsManyAsAskedOrAsRowsAllow) {
  expect_sound(run({.folds = 2}), p);
  expect_sound(run({.folds = 1000}), p);
  EXPECT_THROW(run({.folds = 1}), InvalidOption);
}

INSTANTIATE_TEST_SUITE_P(All, MethodRun, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return name_of_case(info.param); });

}  // namespace
}  // namespace tamis::contract
