// What every registered prior promises, for every family, tamis's own or not.
#include <gmock/gmock.h>

#include <set>

#include "tamis/base/error.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

using testing::Each;
using testing::HasSubstr;

struct PriorCase {
  const FactorPrior* prior;
  std::string family;
};

void PrintTo(const PriorCase& each, std::ostream* out) { *out << each.prior->name() << ", " << each.family; }

std::vector<PriorCase> all_cases() {
  std::vector<PriorCase> cases;
  for (const FactorPrior* prior : factor_priors()) {
    for (const Family* family : families()) {
      if (prior->lacks(*family).empty()) cases.push_back({prior, std::string(family->name())});
    }
  }
  return cases;
}

std::string name_of_case(const testing::TestParamInfo<PriorCase>& info) {
  std::string name = std::string(info.param.prior->name()) + "_" + info.param.family;
  std::erase(name, '-');
  return name;
}

class EveryFactorPrior : public testing::TestWithParam<PriorCase> {
 protected:
  EveryFactorPrior() : data_(two_factor_table(GetParam().family, 24, 8, 7)) {
    problem_.dense = data_;
    problem_.family = GetParam().family;
    problem_.factors = 3;
    problem_.test_cells = draw_test_cells(problem_, 0.1, 1);
  }
  FactorResult fit(const FactorControl& control = {.seed = 1, .threads = 1, .predict_cells = true}) const {
    return GetParam().prior->fit(problem_, short_run(GetParam().prior->name()), control);
  }

  Matrix data_;
  FactorProblem problem_;
};

std::vector<double> numbers_of(const FactorResult& result) {
  std::vector<double> numbers = {*result.fit.nlp_bits, *result.fit.rmse};
  for (Index n = 0; n < result.fit.scores.rows(); ++n) {
    for (Index k = 0; k < result.fit.scores.cols(); ++k) numbers.push_back(result.fit.scores(n, k));
  }
  for (Index d = 0; d < result.fit.loadings.cols(); ++d) {
    for (const double value : result.fit.loadings.column(d)) numbers.push_back(value);
  }
  for (const PredictedCell& cell : result.cells)
    numbers.insert(numbers.end(), {cell.mean, cell.sd, cell.lower, cell.upper});
  return numbers;
}

TEST_P(EveryFactorPrior, GivesFiniteNumbersOfTheRightShape) {
  const FactorResult result = fit();
  EXPECT_EQ(result.fit.scores.rows(), 24);
  EXPECT_EQ(result.fit.scores.cols(), 3);
  EXPECT_EQ(result.fit.loadings.rows(), 3);
  EXPECT_EQ(result.fit.loadings.cols(), 8);
  EXPECT_EQ(result.fit.intercept.size(), 8U);
  EXPECT_EQ(result.fit.factor_rates.size(), 3U);
  EXPECT_THAT(numbers_of(result), Each(testing::Truly([](double x) { return std::isfinite(x); })));
  EXPECT_FALSE(result.fit.message.empty());
  EXPECT_FALSE(result.fit.trace.empty());
}

TEST_P(EveryFactorPrior, PredictsEveryCellThatItDidNotSee) {
  std::set<std::pair<Index, Index>> unseen;
  for (Index n = 0; n < data_.rows(); ++n) {
    for (Index d = 0; d < data_.cols(); ++d) {
      if (std::isnan(data_(n, d))) unseen.insert({n, d});
    }
  }
  for (const TestCell& cell : problem_.test_cells) unseen.insert({cell.row, cell.column});
  std::set<std::pair<Index, Index>> predicted;
  for (const PredictedCell& cell : fit().cells) {
    predicted.insert({cell.row, cell.column});
    EXPECT_LE(cell.lower, cell.upper);
    EXPECT_GT(cell.sd, 0);
  }
  EXPECT_EQ(predicted, unseen);
}

TEST_P(EveryFactorPrior, IsBlindToTheValuesOfTestCells) {
  const FactorResult honest = fit();
  const double other = GetParam().family == "gaussian" ? 1e6 : 1;
  for (const TestCell& cell : problem_.test_cells) data_(cell.row, cell.column) = other;
  const FactorResult tempted = fit();
  EXPECT_EQ(numbers_of(honest), numbers_of(tempted));
}

TEST_P(EveryFactorPrior, GivesTheSameBitsWithAnyNumberOfThreads) {
  EXPECT_EQ(numbers_of(fit({.threads = 1, .predict_cells = true})),
            numbers_of(fit({.threads = 2, .predict_cells = true})));
}

TEST_P(EveryFactorPrior, DoesNotMindARowAndAColumnWithoutAnyCell) {
  for (Index n = 0; n < data_.rows(); ++n) data_(n, 3) = hole;
  for (Index d = 0; d < data_.cols(); ++d) data_(5, d) = hole;
  problem_.test_cells.clear();
  problem_.test_cells = draw_test_cells(problem_, 0.1, 1);
  EXPECT_THAT(numbers_of(fit()), Each(testing::Truly([](double x) { return std::isfinite(x); })));
}

TEST_P(EveryFactorPrior, FitsSparseDataLikeTheSameDenseData) {
  if (GetParam().family == "gaussian") problem_.standardize = false;  // dense data would be centered
  SparseColumns sparse{data_.rows(), data_.cols(), {0}, {}, {}};
  for (Index d = 0; d < data_.cols(); ++d) {
    for (Index n = 0; n < data_.rows(); ++n) {
      if (data_(n, d) == 0) continue;
      sparse.indices.push_back(static_cast<std::int32_t>(n));
      sparse.values.push_back(data_(n, d));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  const std::vector<double> dense = numbers_of(fit());
  problem_.sparse = &sparse;
  problem_.dense = {};
  const std::vector<double> same = numbers_of(fit());
  ASSERT_EQ(dense.size(), same.size());
  // Sums over a row may run in another order.
  for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(dense[i], same[i], 1e-6 * (1 + std::abs(dense[i])));
}

TEST_P(EveryFactorPrior, RefusesSparseColumnsThatAreNotSound) {
  problem_.dense = {};
  const auto refusal = [&](const SparseColumns& sparse) -> std::string {
    problem_.sparse = &sparse;
    problem_.test_cells.clear();
    try {
      fit();
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({3, 2, {0, 1, 2}, {0, 3}, {1, 1}}), HasSubstr("column 2 has row index 3"));
  EXPECT_THAT(refusal({3, 2, {0, 2, 2}, {1, 0}, {1, 1}}), HasSubstr("strictly increasing"));
  EXPECT_THAT(refusal({3, 2, {0, 2, 1}, {0, 1}, {1, 1}}), HasSubstr("column starts"));
}

TEST_P(EveryFactorPrior, RefusesWhatTheFamilyDoesNotAllowAndNamesTheCell) {
  const Family& own = family(GetParam().family);
  const double wrong = own.complaint(0.5).empty() ? -1 : 0.5;
  if (own.complaint(wrong).empty()) return;
  data_(2, 1) = wrong;
  problem_.test_cells.clear();
  try {
    fit();
    FAIL() << wrong << " was taken";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr(wrong < 0 ? "row 3, column 'x2' is -1" : "row 3, column 'x2' is 0.5"));
    EXPECT_THAT(error.what(), HasSubstr("use --family gaussian")) << "a family that takes it";
  }
}

INSTANTIATE_TEST_SUITE_P(Factor, EveryFactorPrior, testing::ValuesIn(all_cases()), name_of_case);

TEST(FactorPriors, AreFoundByNameAndMissedWithASuggestion) {
  EXPECT_EQ(factor_prior("spike-slab").name(), "spike-slab");
  try {
    factor_prior("spike-slap");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'spike-slab'?"));
  }
}

TEST(FactorPriors, RefuseAFamilyWhoseNoiseTheyCannotEstimate) {
  const Matrix data = two_factor_table("waiting", 24, 8, 7);
  FactorProblem problem;
  problem.dense = data;
  problem.family = "noisy-waiting";
  for (const FactorPrior* prior : factor_priors()) {
    try {
      prior->fit(problem, short_run(prior->name()));
      FAIL() << prior->name();
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.what(), "prior " + std::string(prior->name()) +
                                  " does not support family noisy-waiting: it needs a quadratic loss to estimate a "
                                  "noise variance; no prior supports this family");
    }
  }
}

TEST(FactorPriors, ChooseTheNumberOfFactorsByHeldOutCells) {
  const Matrix data = two_factor_table("gaussian", 60, 8, 3);
  FactorProblem problem;
  problem.dense = data;
  const FactorResult result = fit_best_factors(factor_prior("vb"), problem, {1, 2}, {}, {.threads = 1});
  ASSERT_EQ(result.fit.search.size(), 2U);
  EXPECT_EQ(result.fit.factors, 2);
  EXPECT_LT(result.fit.search[1].nlp_bits, result.fit.search[0].nlp_bits);
  EXPECT_FALSE(result.fit.nlp_bits) << "nothing was held out from the final fit";
}

}  // namespace
}  // namespace tamis
