// A family of a program's own: waiting times with exponential distribution and log link. Nothing of the library knows
// it; after add_family() it is fitted, saved, predicted, reported and compared like the others.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/compare/compare.hpp"
#include "tamis/family/family.hpp"
#include "tamis/method/method.hpp"
#include "tamis/report/comparison_text.hpp"
#include "tamis/report/page.hpp"
#include "tamis/report/report.hpp"
#include "tamis/report/text.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

// y > 0 with mean e^eta. No augmentation, no tilted moments, no quadratic bound.
class Exponential final : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "exponential", .largest_offset = 1000};
    return traits;
  }
  std::string_view complaint(double value) const override {
    return value > 0 && std::isfinite(value) ? "" : "needs positive numbers";
  }
  void check(std::span<const double> y, std::span<const double> /*weights*/) const override {
    for (Index i = 0; i < std::ssize(y); ++i) {
      if (!complaint(y[i]).empty()) {
        throw InvalidInput("response: row " + std::to_string(i + 1) + " " + std::string(complaint(y[i])));
      }
    }
  }
  double quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double>,
                   std::span<double> weights, std::span<double> working) const override {
    double constant = 0;
    derivatives(y, eta_mean, working, weights);
    for (Index i = 0; i < std::ssize(y); ++i) {
      const double residual = working[i];
      working[i] = eta_mean[i] + residual / weights[i];
      constant += log_density(y[i], eta_mean[i]) + 0.5 * residual * residual / weights[i];
    }
    return constant;
  }
  double log_density(double y, double eta) const override { return -loss(y, eta); }
  double loss(double y, double eta) const override { return eta + y * std::exp(-eta); }
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override {
    for (Index i = 0; i < std::ssize(y); ++i) {
      curvature[i] = y[i] * std::exp(-eta[i]);
      residual[i] = curvature[i] - 1;
    }
  }
  // Attained at e^-eta = (1 + residual) / y.
  double conjugate(double y, double residual) const override {
    const double u = 1 + residual;
    if (u < 0) return std::numeric_limits<double>::infinity();
    return u > 0 ? u * (std::log(u / y) - 1) : 0;
  }
  double mean(double eta) const override { return std::exp(eta); }
  double link(double mean) const override { return std::log(mean); }
  double deviance(double y, double eta) const override { return 2 * (loss(y, eta) - loss(y, std::log(y))); }
  Interval interval(double mean, double, double level) const override {
    return {-mean * std::log(0.5 * (1 + level)), -mean * std::log(0.5 * (1 - level))};
  }
  double draw(double eta, double, RandomStream& random) const override {
    return -mean(eta) * std::log1p(-random.uniform01());
  }
};

const Family& exponential() {
  static const Exponential family;
  return family;
}

[[maybe_unused]] const Family& added = add_family(exponential());

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

TEST(FamilyOfAProgram, IsListedWithTheMethodsThatNeedNothingOfIt) {
  EXPECT_EQ(&family("exponential"), &exponential());
  for (const Method* each : methods()) {
    const std::vector<std::string_view> names = supported_families(*each);
    const bool listed = std::ranges::find(names, "exponential") != names.end();
    EXPECT_EQ(listed, each->lacks(exponential()).empty()) << each->name();
    EXPECT_EQ(listed, each->name() == "lasso" || each->name() == "elastic-net" || each->name() == "ridge" ||
                          each->name() == "capped-l1")
        << each->name();
  }
}

TEST(FamilyOfAProgram, MayNotTakeANameTwice) { EXPECT_THROW(add_family(exponential()), InvalidInput); }

TEST(FamilyOfAProgram, IsRefusedWithAReasonByMethodsThatNeedMore) {
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
  EXPECT_EQ(refusal("gibbs"),
            "method gibbs does not support family exponential: it needs a conditionally gaussian augmentation; lasso, "
            "elastic-net, ridge and capped-l1 support it");
  EXPECT_THAT(refusal("ep"), HasSubstr("it needs the moments of its tilted distributions"));
  EXPECT_THAT(refusal("exact"), HasSubstr("it needs a quadratic loss"));
  EXPECT_THAT(refusal("vg"), HasSubstr("it needs a quadratic lower bound"));
}

TEST(FamilyOfAProgram, IsFittedByEveryMethodThatNeedsNothing) {
  const WaitingTimes data(2000);
  const DenseDesign X(data.X);
  for (const char* method : {"lasso", "elastic-net", "ridge", "capped-l1"}) {
    const Fit fitted = fit({.X = X, .y = data.y, .likelihood = exponential()}, method);
    EXPECT_EQ(fitted.status, Status::converged) << method << ": " << fitted.message;
    // The standard error of a coefficient is 1 / sqrt(2000); penalties shrink by about as much again.
    EXPECT_NEAR(fitted.coefficients[0], 1, 0.15) << method;
    EXPECT_NEAR(fitted.coefficients[1], -1, 0.15) << method;
    EXPECT_NEAR(fitted.intercept, 0.5, 0.15) << method;
    EXPECT_FALSE(fitted.noise_variance.has_value());
  }
}

TEST(FamilyOfAProgram, IsPredictedFromItsModelFile) {
  const WaitingTimes data(500), fresh(4000, 2);
  const DenseDesign X(data.X), new_X(fresh.X);
  const Fit saved = from_json(to_json(fit({.X = X, .y = data.y, .likelihood = exponential()}, "lasso")));
  EXPECT_EQ(saved.family, "exponential");
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

TEST(FamilyOfAProgram, IsReported) {
  const WaitingTimes data(300);
  const auto X = std::make_shared<DenseDesign>(data.X);
  const Fit fitted = fit({.X = *X, .y = data.y, .likelihood = exponential()}, "lasso");
  EXPECT_THAT(text_report(fitted), HasSubstr("exponential"));
  Page page;
  page.sheets.push_back(report_sheet(ReportedFit{"model.json", fitted, ReportData{"data.csv", X, data.y, {}}}));
  EXPECT_THAT(to_html(page), HasSubstr("mean deviance"));
}

TEST(FamilyOfAProgram, IsCompared) {
  const WaitingTimes data(400);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = exponential()};
  const SuitableMethods suitable = suitable_methods(problem);
  EXPECT_THAT(suitable.methods, testing::ElementsAre("lasso", "elastic-net", "ridge", "capped-l1"));
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
