// Cross-validation folds that the caller gives: they are used like drawn ones, and unusable ones are refused.
#include <gmock/gmock.h>

#include "contract/method_cases.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

std::string refusal(const Problem& problem, const std::vector<int>& fold_of_row) {
  try {
    fit(problem, "lasso", {}, {.fold_of_row = fold_of_row});
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

class GivenFolds : public testing::TestWithParam<std::string> {
 protected:
  // flas searches only if it is told to.
  static std::map<std::string, OptionValue> options() {
    if (GetParam() != "flas") return {};
    return {{"search", std::string("cv")}, {"slab_variance", 1.0}};
  }
};

TEST_P(GivenFolds, JudgeAsTheSameFoldsDrawn) {
  const contract::Example e = contract::make_example(family("gaussian"), 40, 6);
  const DenseDesign design(e.X);
  const Problem problem = e.problem(design);
  const Folds drawn = make_folds(problem, 4, /*seed=*/1);
  Fit expected = fit(problem, GetParam(), options(), {.folds = 4});
  Fit received = fit(problem, GetParam(), options(), {.fold_of_row = drawn.fold_of_row});
  expected.seconds = received.seconds = 0;
  EXPECT_EQ(to_json(received), to_json(expected));
}

TEST_P(GivenFolds, DecideTheSearch) {
  if (GetParam() == "flas") GTEST_SKIP() << "flas does not report how its search was scored";
  const contract::Example e = contract::make_example(family("gaussian"), 40, 6);
  const DenseDesign design(e.X);
  std::vector<int> halves(40, 0);
  std::fill(halves.begin() + 20, halves.end(), 7);  // any two numbers will do
  const Fit drawn = fit(e.problem(design), GetParam(), options(), {.folds = 2});
  const Fit given = fit(e.problem(design), GetParam(), options(), {.fold_of_row = halves});
  EXPECT_EQ(std::get<double>(given.options.at("folds")), 2);
  ASSERT_FALSE(given.path.empty());
  EXPECT_NE(given.path.front().validation_error, drawn.path.front().validation_error);
}

INSTANTIATE_TEST_SUITE_P(Searching, GivenFolds, testing::Values("lasso", "ridge", "capped-l1", "garrote", "vg", "flas"),
                         [](const auto& info) { return info.param == "capped-l1" ? "capped_l1" : info.param; });

TEST(GivenFoldsOfRows, LeaveOutFoldsWithoutWeight) {
  contract::Example e = contract::make_example(family("gaussian"), 30, 4);
  std::vector<int> thirds(30);
  e.weights.assign(30, 1.0);
  for (std::size_t i = 0; i < 30; ++i) {
    thirds[i] = static_cast<int>(i % 3);
    if (thirds[i] == 1) e.weights[i] = 0;
  }
  const DenseDesign design(e.X);
  const Folds folds = make_folds(e.problem(design), {.fold_of_row = thirds});
  EXPECT_EQ(folds.count, 2);
  EXPECT_THAT(std::vector<int>(folds.fold_of_row.begin(), folds.fold_of_row.begin() + 4),
              testing::ElementsAre(0, -1, 1, 0));
}

TEST(GivenFoldsOfRows, AreRefusedWhenTheyCannotJudge) {
  contract::Example e = contract::make_example(family("bernoulli"), 6, 2);
  e.y = {0, 0, 0, 1, 1, 1};
  const DenseDesign design(e.X);
  const Problem problem = e.problem(design);
  EXPECT_THAT(refusal(problem, {0, 1}), HasSubstr("received 2 fold indices for 6 rows"));
  EXPECT_THAT(refusal(problem, {0, 1, -1, 0, 1, 2}), HasSubstr("row 3 has fold index -1"));
  EXPECT_THAT(refusal(problem, {5, 5, 5, 5, 5, 5}), HasSubstr("in one fold"));
  EXPECT_THAT(refusal(problem, {0, 0, 0, 0, 0, 1}), HasSubstr("fewer than 2 rows"));
  EXPECT_THAT(refusal(problem, {0, 0, 0, 1, 1, 1}), HasSubstr("only one class"));
  EXPECT_EQ(refusal(problem, {0, 1, 2, 0, 1, 2}), "accepted");
}

TEST(GivenFoldsOfRows, LeaveCountsThatAreNotZeroInEveryTrainingSet) {
  contract::Example e = contract::make_example(family("poisson"), 6, 2);
  e.y = {0, 0, 0, 1, 2, 3};
  const DenseDesign design(e.X);
  EXPECT_THAT(refusal(e.problem(design), {0, 0, 0, 1, 1, 1}), HasSubstr("only zero counts"));
}

}  // namespace
}  // namespace tamis
