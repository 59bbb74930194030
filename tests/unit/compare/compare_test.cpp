#include "tamis/compare/compare.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tamis/base/error.hpp"
#include "unit/compare/example.hpp"

namespace tamis {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::Truly;

const auto finite = Truly([](double x) { return std::isfinite(x); });

std::vector<Index> rows_of_fold(const Comparison& comparison, int fold, bool inside) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < comparison.fold_of_row.size(); ++i) {
    if ((comparison.fold_of_row[i] == fold) == inside) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

Matrix picked(const Matrix& X, const std::vector<Index>& rows) {
  Matrix out(std::ssize(rows), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < out.rows(); ++i) out(i, j) = X(rows[i], j);
  }
  return out;
}

std::vector<double> picked(const std::vector<double>& y, const std::vector<Index>& rows) {
  std::vector<double> out;
  for (const Index i : rows) out.push_back(y[i]);
  return out;
}

TEST(Compare, PredictsEveryRowOnceByEveryMethodOnTheSameFolds) {
  const CompareExample example = compare_example("gaussian", 50, 6);
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"lasso", "vg", "ard"}), 5);
  for (int fold = 0; fold < 5; ++fold) EXPECT_THAT(rows_of_fold(comparison, fold, true), SizeIs(10));
  for (const ComparedMethod& method : comparison.methods) {
    EXPECT_THAT(method.folds, SizeIs(5)) << method.method;
    EXPECT_THAT(method.predicted, Each(finite)) << method.method;
    EXPECT_EQ(method.scored, 5) << method.method;
  }
}

TEST(Compare, MethodsDoNotDisturbEachOther) {
  const CompareExample example = compare_example("gaussian", 40, 6);
  const DenseDesign X(example.X.view());
  const Comparison together = compare(example.problem(X), named({"lasso", "ard"}), 4);
  const Comparison alone = compare(example.problem(X), named({"ard"}), 4);
  EXPECT_EQ(together.fold_of_row, alone.fold_of_row);
  EXPECT_EQ(together.methods[1].predicted, alone.methods[0].predicted);
}

TEST(Compare, AFoldIsTheFitOfTheOtherRowsJudgedByHand) {
  const CompareExample example = compare_example("gaussian", 40, 6);
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"ard"}), 4);
  const std::vector<Index> out = rows_of_fold(comparison, 2, true), in = rows_of_fold(comparison, 2, false);
  const Matrix training = picked(example.X, in), held_out = picked(example.X, out);
  const std::vector<double> y_in = picked(example.y, in), y_out = picked(example.y, out);
  const DenseDesign X_in(training.view()), X_out(held_out.view());
  const Fit fitted = fit({.X = X_in, .y = y_in, .likelihood = family("gaussian")}, "ard");
  const Prediction prediction = predict(fitted, X_out);
  double squares = 0, density = 0, inside = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double z = (y_out[i] - prediction.mean[i]) / prediction.sd[i];
    squares += (y_out[i] - prediction.mean[i]) * (y_out[i] - prediction.mean[i]) / 10;
    density += std::log(std::exp(-z * z / 2) / (prediction.sd[i] * std::sqrt(2 * M_PI))) / 10;
    inside += std::abs(z) < 1.6448536 ? 0.1 : 0.0;
  }
  constexpr double rounding = 1e-12;  // of sums of ten numbers of size 1
  const FoldResult& fold = comparison.methods[0].folds[2];
  EXPECT_NEAR(fold.error, std::sqrt(squares), rounding);
  EXPECT_NEAR(fold.log_score.value(), density, rounding);
  EXPECT_NEAR(fold.coverage.value(), inside, rounding);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(comparison.methods[0].predicted[out[i]], prediction.mean[i]);
  }
}

TEST(Compare, NothingOfAHeldOutResponseReachesItsPrediction) {
  CompareExample example = compare_example("gaussian", 40, 6);
  const DenseDesign X(example.X.view());
  const std::vector<Contender> methods = named({"lasso", "ridge", "vg", "pmf", "ard"});
  const Comparison before = compare(example.problem(X), methods, 4);
  const std::vector<Index> held_out = rows_of_fold(before, 0, true);
  for (const Index i : held_out) example.y[i] = 1000.0 * static_cast<double>(i % 3);
  const Comparison after = compare(example.problem(X), methods, 4);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    EXPECT_EQ(picked(before.methods[m].predicted, held_out), picked(after.methods[m].predicted, held_out))
        << methods[m].method;
    EXPECT_NE(before.methods[m].predicted, after.methods[m].predicted) << "the other folds have seen them";
  }
}

// The classic mistake: features chosen on all rows, then scored by cross-validation. Where there is nothing to find it
// shows skill; a comparison, which chooses inside the folds, does not.
TEST(Compare, ChoosingInsideTheFoldsFindsNoSkillWhereChoosingOutsideWould) {
  CompareExample noise = compare_example("gaussian", 60, 300, /*signal=*/0);
  const DenseDesign all(noise.X.view());
  std::vector<double> products(300);
  all.transpose_multiply(all.all(), std::span<const double>(noise.y), std::span<double>(products));
  std::vector<Index> order(300);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::greater<>(), [&](Index j) { return std::abs(products[j]); });
  Matrix chosen(60, 20);
  for (Index k = 0; k < chosen.cols(); ++k) {
    std::ranges::copy(noise.X.column(order[k]), chosen.col(k));
  }
  const DenseDesign leaked(chosen.view());
  const Comparison wrong = compare(noise.problem(leaked), named({"ridge"}), 5);
  const Comparison right = compare(noise.problem(all), named({"ridge", "lasso"}), 5);
  EXPECT_LT(wrong.methods[0].error->mean, 0.85 * wrong.baseline_error->mean);
  EXPECT_GT(right.methods[0].error->mean, 0.95 * right.baseline_error->mean);
  EXPECT_GT(right.methods[1].error->mean, 0.95 * right.baseline_error->mean);
}

TEST(Compare, HoldsOutTheSameShareOfBothClasses) {
  const CompareExample example = compare_example("bernoulli", 60, 3);
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"ridge"}), 5);
  const double ones = std::accumulate(example.y.begin(), example.y.end(), 0.0);
  for (int fold = 0; fold < 5; ++fold) {
    const std::vector<double> y = picked(example.y, rows_of_fold(comparison, fold, true));
    EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0), ones / 5, 1) << "fold " << fold;
  }
  EXPECT_TRUE(comparison.methods[0].calibration_error.has_value());
  EXPECT_TRUE(comparison.methods[0].calibration_slope.has_value());
  EXPECT_FALSE(comparison.methods[0].coverage.has_value());
}

TEST(Compare, DoesNotDependOnTheNumberOfThreads) {
  const CompareExample example = compare_example("bernoulli", 60, 8);
  const DenseDesign X(example.X.view());
  const std::vector<Contender> methods = named({"lasso", "vg", "ard", "ep"});
  const Comparison one = compare(example.problem(X), methods, 3, {.threads = 1});
  const Comparison two = compare(example.problem(X), methods, 3, {.threads = 2});
  for (std::size_t m = 0; m < methods.size(); ++m) {
    EXPECT_EQ(one.methods[m].predicted, two.methods[m].predicted) << methods[m].method;
    EXPECT_EQ(one.methods[m].fit->coefficients, two.methods[m].fit->coefficients) << methods[m].method;
  }
}

TEST(Compare, SparseDataGiveWhatDenseOnesDo) {
  CompareExample example = compare_example("gaussian", 40, 5);
  SparseColumns columns{40, 5, {0}, {}, {}};
  for (Index j = 0; j < 5; ++j) {
    for (Index i = 0; i < 40; ++i) {
      if (example.X(i, j) < 0.3) example.X(i, j) = 0;
      if (example.X(i, j) == 0) continue;
      columns.indices.push_back(static_cast<std::int32_t>(i));
      columns.values.push_back(example.X(i, j));
    }
    columns.starts.push_back(std::ssize(columns.values));
  }
  const DenseDesign dense(example.X.view());
  const SparseDesign sparse(columns);
  const Comparison a = compare(example.problem(dense), named({"lasso"}), 4);
  const Comparison b = compare(example.problem(sparse), named({"lasso"}), 4);
  constexpr double rounding = 1e-6;  // lasso's certificate is relative to its penalty
  EXPECT_NEAR(a.methods[0].error->mean, b.methods[0].error->mean, rounding);
}

TEST(Compare, ARowOfWeightZeroIsNeverJudged) {
  CompareExample example = compare_example("gaussian", 30, 3);
  example.weights.assign(30, 1.0);
  example.weights[7] = 0;
  example.y[7] = 1e6;
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"ard"}), 3);
  EXPECT_EQ(comparison.fold_of_row[7], -1);
  EXPECT_TRUE(std::isnan(comparison.methods[0].predicted[7]));
  EXPECT_LT(comparison.methods[0].error->mean, 1);
}

TEST(Compare, AMethodThatCannotIsARowWithItsReason) {
  const CompareExample example = compare_example("gaussian", 40, 25);
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"exact", "ard"}), 3);
  EXPECT_THAT(comparison.methods[0].failure, HasSubstr("20"));
  EXPECT_THAT(comparison.methods[0].folds[1].failure, HasSubstr("20"));
  EXPECT_FALSE(comparison.methods[0].error.has_value());
  EXPECT_EQ(comparison.best, 1);
  EXPECT_THAT(comparison.methods[1].failure, IsEmpty());
}

TEST(Compare, KeepsWhatSelectKeeps) {
  const CompareExample example = compare_example("gaussian", 50, 6);
  const DenseDesign X(example.X.view());
  const Comparison comparison = compare(example.problem(X), named({"vg", "lasso", "ridge"}), 3);
  for (const ComparedMethod& method : comparison.methods) {
    std::vector<Index> selected;
    for (const Selected& s : select_by_threshold(*method.fit)) selected.push_back(s.feature);
    std::ranges::sort(selected);
    EXPECT_EQ(method.kept, selected) << method.method;
  }
  EXPECT_THAT(comparison.methods[2].kept, SizeIs(6));  // ridge leaves nothing out
  EXPECT_FALSE(comparison.methods[2].stability.has_value());
}

TEST(Compare, UsesTheOptionsOfEachMethod) {
  const CompareExample example = compare_example("gaussian", 50, 6);
  const DenseDesign X(example.X.view());
  const Comparison comparison =
      compare(example.problem(X), {{.method = "lasso", .options = {{"penalty", OptionValue(1e6)}}}}, 3);
  EXPECT_THAT(comparison.methods[0].kept, IsEmpty());
  constexpr double rounding = 1e-9;
  EXPECT_NEAR(comparison.methods[0].error->mean, comparison.baseline_error->mean, rounding)
      << "a lasso without features is the model without features";
}

class CancelAfter final : public Observer {
 public:
  explicit CancelAfter(double fraction) : fraction_(fraction) {}
  void progress(double fraction, std::string_view phase) override {
    EXPECT_GE(fraction, phase == phase_ ? last_ : 0.0) << "progress fell in " << phase;
    last_ = fraction;
    phase_ = phase;
    phases_.insert(phase_);
    stop_ = stop_ || (phases_.size() > 1 && fraction >= fraction_);
  }
  bool cancelled() override { return stop_; }

 private:
  double fraction_;
  double last_ = 0;
  bool stop_ = false;
  std::string phase_;
  std::set<std::string> phases_;
};

TEST(Compare, CancelledGivesWhatTheFinishedFoldsSay) {
  const CompareExample example = compare_example("gaussian", 50, 6);
  const DenseDesign X(example.X.view());
  CancelAfter observer(0.5);
  const Comparison comparison = compare(example.problem(X), named({"ard", "lasso"}), 5, {.observer = &observer});
  EXPECT_TRUE(comparison.cancelled);
  EXPECT_GT(comparison.finished_folds, 0);
  EXPECT_LT(comparison.finished_folds, 5);
  for (const ComparedMethod& method : comparison.methods) {
    EXPECT_THAT(method.folds, SizeIs(comparison.finished_folds));
    EXPECT_TRUE(method.fit.has_value());
    EXPECT_TRUE(method.error.has_value());
  }
}

void expect_refused(const std::vector<Contender>& methods, int folds, std::string_view words) {
  const CompareExample example = compare_example("gaussian", 20, 3);
  const DenseDesign X(example.X.view());
  try {
    static_cast<void>(compare(example.problem(X), methods, folds));
    ADD_FAILURE() << "was not refused: " << words;
  } catch (const InvalidOption& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr(std::string(words)));
  }
}

TEST(Compare, RefusesAWrongRequestBeforeAnyWork) {
  expect_refused({}, 5, "received no methods");
  expect_refused(named({"laso"}), 5, "did you mean 'lasso'");
  expect_refused(named({"lasso", "lasso"}), 5, "listed twice");
  expect_refused(named({"lasso"}), 1, "received 1 folds; expected at least 2");
  expect_refused({{.method = "lasso", .options = {{"gamma", OptionValue(1.0)}}}}, 5, "gamma");
}

TEST(Compare, RefusesDataThatNoFoldCanBeMadeOf) {
  CompareExample example = compare_example("bernoulli", 20, 3);
  const DenseDesign X(example.X.view());
  std::ranges::fill(example.y, 0.0);
  example.y[3] = 1;
  EXPECT_THROW(static_cast<void>(compare(example.problem(X), named({"ridge"}), 5)), InvalidInput);
}

TEST(SuitableMethods, LeavesOutWhatCannotOrWouldTakeTooLongAndSaysWhy) {
  const CompareExample wide = compare_example("gaussian", 20, 25), counts = compare_example("poisson", 20, 4);
  const DenseDesign wide_X(wide.X.view()), counts_X(counts.X.view());
  const SuitableMethods for_wide = suitable_methods(wide.problem(wide_X));
  EXPECT_THAT(for_wide.methods, Contains("vg"));
  EXPECT_THAT(for_wide.left_out, SizeIs(1));
  EXPECT_EQ(for_wide.left_out[0].method, "exact");
  EXPECT_THAT(for_wide.left_out[0].reason, HasSubstr("limited to 20 features; 25 columns are not constant"));
  EXPECT_EQ(suitable_methods(counts.problem(counts_X)).methods,
            (std::vector<std::string>{"lasso", "elastic-net", "ridge", "capped-l1", "garrote"}));
}

TEST(SuitableMethods, ASlowOneIsLeftOutOfLargeData) {
  const CompareExample large = compare_example("gaussian", 400, 400);
  const DenseDesign X(large.X.view());
  const SuitableMethods suitable = suitable_methods(large.problem(X));
  EXPECT_THAT(suitable.left_out, Contains(testing::Field(&LeftOut::method, "flas")));
  EXPECT_THAT(suitable.methods, Contains("lasso"));
}

}  // namespace
}  // namespace tamis
