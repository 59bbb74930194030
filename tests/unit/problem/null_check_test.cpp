// A model that explains the training data worse than the intercept alone is not called converged.
#include "problem/null_check.hpp"

#include <gmock/gmock.h>

namespace tamis {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Returns what it was given.
class Scripted final : public Method {
 public:
  explicit Scripted(Fit result) : result_(std::move(result)) {}
  std::string_view name() const override { return "scripted"; }
  std::string_view summary() const override { return ""; }
  std::vector<Field> fields() const override { return {}; }
  bool takes_several_targets() const override { return true; }

 private:
  Fit local_fit(const Problem&, const Options&, const Control&) const override { return result_; }
  Fit result_;
};

const std::vector<double> values = {1, 2, 3, 4}, y = {2, 4, 6, 8}, coins = {0, 1, 0, 1};

Fit with(double intercept, double coefficient) {
  Fit fit;
  fit.intercept = intercept;
  fit.coefficients = {coefficient};
  fit.message = "done";
  return fit;
}

Problem problem_of(const Design& X, std::span<const double> response, const char* family = "gaussian") {
  return {.X = X, .y = response, .likelihood = tamis::family(family)};
}

class AgainstNull : public testing::Test {
 protected:
  DenseDesign X_{ConstMatrixView(values.data(), 4, 1)};
};

TEST_F(AgainstNull, GarbageIsNotConverged) {
  const Fit fit = Scripted(with(0, 1e4)).fit(problem_of(X_, y));
  EXPECT_EQ(fit.status, Status::numerical_failure);
  EXPECT_THAT(fit.message, StartsWith("the mean squared error of the training data is"));
  EXPECT_THAT(fit.message, HasSubstr("above the 5 of the model without features"));
  EXPECT_EQ(Scripted(with(0, 30)).fit(problem_of(X_, coins, "bernoulli")).status, Status::numerical_failure);
}

TEST_F(AgainstNull, FitsAndTheNullModelItselfAreLeftAlone) {
  for (const Fit& good : {with(0, 2), with(5, 0), with(4, 0.4)}) {
    const Fit fit = Scripted(good).fit(problem_of(X_, y));
    EXPECT_EQ(fit.status, Status::converged) << fit.message;
    EXPECT_EQ(fit.message, "done");
  }
}

TEST_F(AgainstNull, OnlyPosteriorMeansMayBeATenthWorse) {
  Fit little_worse = with(5.3, 0);  // 5.09 against 5
  EXPECT_EQ(Scripted(little_worse).fit(problem_of(X_, y)).status, Status::numerical_failure);
  little_worse.standard_deviations = {0.1};
  EXPECT_EQ(Scripted(little_worse).fit(problem_of(X_, y)).status, Status::converged);
  little_worse.intercept = 6;
  EXPECT_EQ(Scripted(little_worse).fit(problem_of(X_, y)).status, Status::numerical_failure);
}

TEST_F(AgainstNull, WeightsAndOffsetsCount) {
  const std::vector<double> weights = {1, 1, 0, 0}, spoiled = {2, 4, -1e9, 1e9}, offset = {1, 2, 3, 4};
  Problem problem = problem_of(X_, spoiled);
  problem.weights = weights;
  EXPECT_EQ(Scripted(with(0, 2)).fit(problem).status, Status::converged);
  EXPECT_EQ(Scripted(with(5, 0)).fit(problem).status, Status::numerical_failure);  // the null model of all rows
  Problem beside = problem_of(X_, y);
  beside.offset = offset;
  beside.intercept = false;
  EXPECT_EQ(Scripted(with(0, 1)).fit(beside).status, Status::converged);
  EXPECT_EQ(Scripted(with(0, 3)).fit(beside).status, Status::numerical_failure);
}

TEST_F(AgainstNull, EveryTargetIsLookedAt) {
  Fit fit = with(0, 2);
  fit.more_targets.push_back({.target = "second", .intercept = 0, .coefficients = {50}, .standard_deviations = {}});
  Problem problem = problem_of(X_, y);
  problem.more_responses = ConstMatrixView(y.data(), 4, 1);
  EXPECT_EQ(Scripted(fit).fit(problem).status, Status::numerical_failure);
}

TEST_F(AgainstNull, ACancelledFitStaysCancelled) {
  Fit fit = with(0, 1e4);
  fit.status = Status::cancelled;
  EXPECT_EQ(Scripted(fit).fit(problem_of(X_, y)).status, Status::cancelled);
}

}  // namespace
}  // namespace tamis
