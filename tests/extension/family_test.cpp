// What the library promises of a family that it does not know: it is fitted, saved, predicted, reported, compared and
// explained by factors like the others, or refused with what it lacks.
#include "tamis/family/family.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/compare/compare.hpp"
#include "tamis/method/method.hpp"
#include "tamis/report/comparison_text.hpp"
#include "tamis/report/page.hpp"
#include "tamis/report/report.hpp"
#include "tamis/report/text.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

const Family& exponential() { return family("toy-exponential"); }

// Log mean waiting time 0.5 + z_1 - z_2, and six features without effect.
struct WaitingTimes {
  explicit WaitingTimes(Index rows, std::uint64_t seed = 1) : X(rows, 8), y(rows) {
    RandomStream random(seed);
    for (Index j = 0; j < X.cols(); ++j) random.normals(X.column(j));
    for (Index i = 0; i < rows; ++i) {
      do y[i] = exponential().draw(0.5 + X(i, 0) - X(i, 1), 0, random);
      while (!(y[i] > 0));
    }
  }
  Matrix X;
  std::vector<double> y;
};

TEST(ToyFamily, IsListedWithTheMethodsThatNeedNothingOfIt) {
  EXPECT_EQ(&family("toy-exponential"), &exponential());
  for (const Method* each : methods()) {
    const std::vector<std::string_view> names = supported_families(*each);
    const bool listed = std::ranges::find(names, "toy-exponential") != names.end();
    EXPECT_EQ(listed, each->lacks(exponential()).empty()) << each->name();
  }
  for (const char* name : {"lasso", "elastic-net", "ridge", "capped-l1", "toy-screening"}) {
    EXPECT_EQ(method(name).lacks(exponential()), "") << name;
  }
}

TEST(ToyFamily, MayNotTakeANameTwice) { EXPECT_THROW(add_family(exponential()), InvalidInput); }

TEST(ToyFamily, IsRefusedWithAReasonByMethodsThatNeedMore) {
  const WaitingTimes data(40);
  const DenseDesign X(data.X);
  const auto refusal = [&](const char* method) -> std::string {
    try {
      fit({.X = X, .y = data.y, .likelihood = exponential()}, method);
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "fitted";
  };
  EXPECT_THAT(refusal("gibbs"),
              AllOf(StartsWith("method gibbs does not support family toy-exponential: it needs a conditionally "
                               "gaussian augmentation; lasso, elastic-net, ridge, capped-l1"),
                    EndsWith("and toy-screening support it")));
  EXPECT_THAT(refusal("ep"), HasSubstr("it needs the moments of its tilted distributions"));
  EXPECT_THAT(refusal("exact"), HasSubstr("it needs a quadratic loss"));
  EXPECT_THAT(refusal("vg"), HasSubstr("it needs a quadratic lower bound"));
}

TEST(ToyFamily, IsFittedByEveryMethodThatNeedsNothing) {
  const WaitingTimes data(2000);
  const DenseDesign X(data.X);
  for (const char* method : {"lasso", "elastic-net", "ridge", "capped-l1", "garrote"}) {
    const Fit fitted = fit({.X = X, .y = data.y, .likelihood = exponential()}, method);
    EXPECT_EQ(fitted.status, Status::converged) << method << ": " << fitted.message;
    // The standard error of a coefficient is 1 / sqrt(2000); penalties shrink by about as much again.
    EXPECT_NEAR(fitted.coefficients[0], 1, 0.15) << method;
    EXPECT_NEAR(fitted.coefficients[1], -1, 0.15) << method;
    EXPECT_NEAR(fitted.intercept, 0.5, 0.15) << method;
    EXPECT_FALSE(fitted.noise_variance.has_value());
  }
}

TEST(ToyFamily, IsPredictedFromItsModelFile) {
  const WaitingTimes data(500), fresh(4000, 2);
  const DenseDesign X(data.X), new_X(fresh.X);
  const Fit saved = from_json(to_json(fit({.X = X, .y = data.y, .likelihood = exponential()}, "lasso")));
  EXPECT_EQ(saved.family, "toy-exponential");
  const Prediction prediction = predict(saved, new_X);
  const std::vector<double> eta = linear_predictor(saved, new_X);
  Index inside = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    EXPECT_EQ(prediction.mean[i], std::exp(eta[i]));
    inside += fresh.y[i] >= prediction.lower[i] && fresh.y[i] <= prediction.upper[i];
  }
  EXPECT_TRUE(prediction.sd.empty());
  EXPECT_NEAR(static_cast<double>(inside) / 4000, 0.95, 0.02);
}

TEST(ToyFamily, IsReported) {
  const WaitingTimes data(300);
  const auto X = std::make_shared<DenseDesign>(data.X);
  const Fit fitted = fit({.X = *X, .y = data.y, .likelihood = exponential()}, "lasso");
  EXPECT_THAT(text_report(fitted), HasSubstr("toy-exponential"));
  Page page;
  page.sheets.push_back(report_sheet(ReportedFit{"model.json", fitted, ReportData{"data.csv", X, data.y, {}}}));
  EXPECT_THAT(to_html(page), HasSubstr("mean deviance"));
}

TEST(ToyFamily, IsCompared) {
  const WaitingTimes data(400);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = exponential()};
  const SuitableMethods suitable = suitable_methods(problem);
  for (const std::string& name : suitable.methods) EXPECT_EQ(method(name).lacks(exponential()), "") << name;
  EXPECT_THAT(suitable.methods, IsSupersetOf({"lasso", "elastic-net", "ridge", "capped-l1", "toy-screening"}));
  const Comparison comparison = compare(problem, {{"lasso"}, {"ridge"}}, 5);
  EXPECT_EQ(comparison.error_name, "deviance");
  for (const ComparedMethod& each : comparison.methods) {
    ASSERT_TRUE(each.error && each.coverage && each.log_score) << each.failure;
    EXPECT_LT(each.error->mean, comparison.baseline_error->mean);
    EXPECT_NEAR(each.coverage->mean, 0.9, 0.07);
  }
  EXPECT_THAT(text_report(comparison), HasSubstr("mean deviance of a held-out row"));
}

}  // namespace
}  // namespace tamis
