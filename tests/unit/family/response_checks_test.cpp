// What each family refuses, and in which words.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view family, const std::vector<double>& y, const std::vector<double>& weights = {}) {
  try {
    tamis::family(family).check(y, weights);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GaussianCheck, RefusesNumbersWithoutAFiniteVariance) {
  EXPECT_EQ(refusal("gaussian", {1, 2e200}),
            "response: row 2 is 2e+200; values above 1e+150 overflow when squared; rescale the response");
  EXPECT_EQ(refusal("gaussian", {1, 1e149}), "accepted");
  EXPECT_EQ(refusal("gaussian", {1, 2e200}, {1, 0}), "accepted");  // does not count
}

TEST(GaussianCheck, ComplainsOfEveryValueThatItRefuses) {
  for (const double value : {0.0, -1e149, 1e150, 1.1e150, -2e200, 1e308}) {
    EXPECT_EQ(family("gaussian").complaint(value).empty(), refusal("gaussian", {1, value}) == "accepted") << value;
  }
}

TEST(BernoulliCheck, RefusesAThirdClassAndProposesCounts) {
  std::vector<double> y(20, 0.0);
  y[3] = 1;
  y[16] = 2;
  EXPECT_EQ(refusal("bernoulli", y),
            "response: row 17 is 2; family bernoulli expects 0 or 1; use --family poisson for counts");
}

TEST(BernoulliCheck, ProposesGaussianForMeasurementsAndRecodingForSigns) {
  EXPECT_EQ(refusal("bernoulli", {0, 1, 0.5}),
            "response: row 3 is 0.5; family bernoulli expects 0 or 1; use --family gaussian for measurements");
  EXPECT_EQ(refusal("bernoulli", {-1, 1}), "response: row 1 is -1; family bernoulli expects 0 or 1; recode -1 as 0");
}

TEST(BernoulliCheck, ProposesACodeForAnyTwoClasses) {
  EXPECT_EQ(refusal("bernoulli", {1, 2, 1}),
            "response: row 2 is 2; family bernoulli expects 0 or 1; recode 1 as 0 and 2 as 1");
  EXPECT_THAT(refusal("bernoulli", {0, 2, 2}), HasSubstr("; recode 2 as 1"));
  EXPECT_THAT(refusal("bernoulli", {0.5, 1}), HasSubstr("; recode 0.5 as 0"));
}

TEST(BernoulliCheck, DoesNotProposeACodeThatMergesClasses) {
  EXPECT_EQ(refusal("bernoulli", {1, -1, 0}),
            "response: row 2 is -1; family bernoulli expects 0 or 1; use --family gaussian for scores, or keep the "
            "rows of two classes and code them as 0 and 1");
  EXPECT_THAT(refusal("bernoulli", {1, 2, 3}), HasSubstr("use --family poisson for counts"));
}

TEST(BernoulliCheck, RefusesOneClassOnly) {
  EXPECT_EQ(refusal("bernoulli", {1, 1, 1}),
            "response: only one class, every row is 1; family bernoulli expects both 0 and 1; choose another target or "
            "add rows");
}

TEST(BernoulliCheck, DoesNotCountRowsOfWeightZero) {
  EXPECT_THAT(refusal("bernoulli", {1, 0, 0}, {0, 1, 2}), HasSubstr("only one class, every row is 0"));
  EXPECT_EQ(refusal("bernoulli", {1, 0, 0}, {0.5, 1, 2}), "accepted");
}

TEST(PoissonCheck, RefusesNegativeAndFractionalCounts) {
  EXPECT_EQ(
      refusal("poisson", {3, -2}),
      "response: row 2 is -2; family poisson expects nonnegative integers; use --family gaussian for measurements");
  EXPECT_THAT(refusal("poisson", {3, 2.5}), HasSubstr("row 2 is 2.5; family poisson expects nonnegative integers"));
}

TEST(PoissonCheck, RefusesNothingButZeros) {
  EXPECT_EQ(refusal("poisson", {0, 0}),
            "response: every count is 0; family poisson expects at least one positive count; choose another target or "
            "add rows");
  EXPECT_THAT(refusal("poisson", {0, 4}, {1, 0}), HasSubstr("every count is 0"));
  EXPECT_EQ(refusal("poisson", {4, 4}), "accepted");
}

TEST(GaussianCheck, AcceptsAConstantAndASingleRow) {
  EXPECT_EQ(refusal("gaussian", {3, 3, 3}), "accepted");
  EXPECT_EQ(refusal("gaussian", {3}), "accepted");
}

TEST(GaussianCheck, NamesTheRowThatIsNotANumber) {
  EXPECT_EQ(refusal("gaussian", {3, std::nan("")}),
            "response: row 2 is missing (NaN); expected a finite number; correct or remove this row");
  EXPECT_EQ(refusal("gaussian", {-std::numeric_limits<double>::infinity()}),
            "response: row 1 is infinite; expected a finite number; correct or remove this row");
}

TEST(GaussianCheck, RefusesWeightsThatDoNotMatchOrCount) {
  EXPECT_EQ(refusal("gaussian", {1, 2}, {1}), "weights: received 1 values for 2 rows");
  EXPECT_THAT(refusal("gaussian", {1, 2}, {0, 0}), HasSubstr("all weights are zero"));
}

TEST(ResponseVaries, LooksAtRowsOfPositiveWeight) {
  const std::vector<double> y = {1, 1, 2};
  EXPECT_TRUE(response_varies(y, {}));
  EXPECT_FALSE(response_varies(y, std::vector<double>{1, 1, 0}));
  EXPECT_FALSE(response_varies(std::vector<double>{5}, {}));
  EXPECT_FALSE(response_varies({}, {}));
}

TEST(CheckResponseVaries, SaysThatAConstantCannotBeExplained) {
  EXPECT_NO_THROW(check_response_varies(std::vector<double>{1, 2}, {}));
  try {
    check_response_varies(std::vector<double>{2.5, 2.5}, {});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "response: every row is 2.5; a constant response cannot be explained by features; choose another target");
  }
  EXPECT_THROW(check_response_varies({}, {}), InvalidInput);
}

TEST(CheckResponseVaries, SaysThatOnlyOneRowCounts) {
  const auto sentence = [](const std::vector<double>& y, const std::vector<double>& weights) -> std::string {
    try {
      check_response_varies(y, weights);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence({1, 2, 3}, {0, 5, 0}),
            "response: only row 2 counts, all others have weight 0; at least two rows are needed; give more rows a "
            "positive weight");
  EXPECT_EQ(sentence({1}, {}), "response: only row 1 counts; at least two rows are needed; add rows");
  EXPECT_THAT(refusal("bernoulli", {1, 0, 1}, {0, 0, 3}), HasSubstr("only row 3 counts"));
}

TEST(Family, RefusesAnUnknownNameWithTheKnownOnes) {
  try {
    family("binomial");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_STREQ(error.what(), "family: received 'binomial'; expected one of gaussian, bernoulli, poisson");
  }
}

TEST(GuessFamily, TakesTwoClassesForBernoulliAndNothingElse) {
  EXPECT_EQ(guess_family(std::vector<double>{0, 1, 1}), "bernoulli");
  EXPECT_EQ(guess_family(std::vector<double>{0, 0, 0}), "gaussian");
  EXPECT_EQ(guess_family(std::vector<double>{0, 1, 2}), "gaussian");
  EXPECT_EQ(guess_family(std::vector<double>{0, 1, std::nan("")}), "gaussian");
  EXPECT_EQ(guess_family(std::vector<double>{0.5, 1.5}), "gaussian");
  EXPECT_EQ(guess_family({}), "gaussian");
}

}  // namespace
}  // namespace tamis
