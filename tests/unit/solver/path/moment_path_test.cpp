// Tall dense data go through cross-products, the same data in sparse storage are streamed: two independent roads.
#include "solver/path/moment_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

struct TallData {
  Matrix X{400, 12};
  std::vector<double> y = std::vector<double>(400);
  std::vector<double> weights = std::vector<double>(400);
  std::vector<double> offset = std::vector<double>(400);

  TallData() {
    RandomStream random(7);
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index i = 0; i < X.rows(); ++i) X(i, j) = random.normal() + (j > 0 ? 0.6 * X(i, j - 1) : 3.0);
    }
    for (Index i = 0; i < X.rows(); ++i) {
      const auto s = static_cast<std::size_t>(i);
      offset[s] = 0.3 * random.normal();
      weights[s] = random.uniform01() < 0.1 ? 0.0 : 0.5 + random.uniform01();
      y[s] = 5 + offset[s] + X(i, 1) - 2 * X(i, 5) + random.normal();
    }
  }

  SparseDesign streamed() const {
    SparseColumns columns;
    columns.rows = X.rows();
    columns.cols = X.cols();
    columns.starts = {0};
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index i = 0; i < X.rows(); ++i) {
        columns.indices.push_back(static_cast<std::int32_t>(i));
        columns.values.push_back(X(i, j));
      }
      columns.starts.push_back(std::ssize(columns.values));
    }
    return SparseDesign(std::move(columns));
  }
};

// Both are polished to KKT violations below 1e-8 of the penalty, on problems of condition about 10.
constexpr double coefficients_agree = 1e-6;
// Path points are stepping stones solved to 1e-5 of the penalty.
constexpr double errors_agree = 1e-4;

void expect_same_fit(const Problem& tall, const Problem& streamed, std::map<std::string, OptionValue> options,
                     const Control& control) {
  const Fit a = fit(tall, options.contains("l1_ratio") ? "elastic-net" : "lasso", options, control);
  const Fit b = fit(streamed, options.contains("l1_ratio") ? "elastic-net" : "lasso", options, control);
  EXPECT_EQ(a.status, Status::converged) << a.message;
  EXPECT_EQ(b.status, Status::converged) << b.message;
  EXPECT_NEAR(a.intercept, b.intercept, coefficients_agree * 10);
  for (std::size_t j = 0; j < a.coefficients.size(); ++j) {
    EXPECT_NEAR(a.coefficients[j], b.coefficients[j], coefficients_agree) << "feature " << j;
  }
  EXPECT_NEAR(a.objective, b.objective, 1e-9 * b.objective);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t k = 0; k < a.path.size(); ++k) {
    EXPECT_NEAR(a.path[k].value, b.path[k].value, 1e-10 * b.path[k].value);
    if (!b.path[k].validation_error) continue;
    EXPECT_NEAR(*a.path[k].validation_error, *b.path[k].validation_error, errors_agree * *b.path[k].validation_error);
  }
}

TEST(MomentPath, AgreesWithStreamingAtAFixedPenalty) {
  const TallData data;
  const DenseDesign dense(data.X);
  const SparseDesign sparse = data.streamed();
  for (const bool intercept : {true, false}) {
    Problem tall{.X = dense,
                 .y = data.y,
                 .likelihood = family("gaussian"),
                 .weights = data.weights,
                 .offset = data.offset,
                 .intercept = intercept};
    Problem streamed{.X = sparse,
                     .y = data.y,
                     .likelihood = family("gaussian"),
                     .weights = data.weights,
                     .offset = data.offset,
                     .intercept = intercept};
    expect_same_fit(tall, streamed, {{"penalty", 0.05}}, {});
    expect_same_fit(tall, streamed, {{"penalty", 0.05}, {"nonnegative", true}}, {});
    expect_same_fit(tall, streamed, {{"penalty", 0.05}, {"l1_ratio", 0.3}}, {});
  }
}

TEST(MomentPath, AgreesWithStreamingUnderCrossValidation) {
  const TallData data;
  const DenseDesign dense(data.X);
  const SparseDesign sparse = data.streamed();
  const Problem tall{
      .X = dense, .y = data.y, .likelihood = family("gaussian"), .weights = data.weights, .offset = data.offset};
  const Problem streamed{
      .X = sparse, .y = data.y, .likelihood = family("gaussian"), .weights = data.weights, .offset = data.offset};
  expect_same_fit(tall, streamed, {}, {.folds = 5});
}

TEST(MomentPath, LeavesUnpenalizedFeaturesFreeAndExcludedOnesOut) {
  const TallData data;
  const DenseDesign dense(data.X);
  const SparseDesign sparse = data.streamed();
  std::vector<double> factors(12, 1.0);
  factors[0] = 0;
  factors[5] = std::numeric_limits<double>::infinity();
  Problem tall{.X = dense, .y = data.y, .likelihood = family("gaussian"), .penalty_factors = factors};
  Problem streamed{.X = sparse, .y = data.y, .likelihood = family("gaussian"), .penalty_factors = factors};
  expect_same_fit(tall, streamed, {{"penalty", 0.2}}, {});
  const Fit result = fit(tall, "lasso", {{"penalty", 0.2}}, {});
  EXPECT_NE(result.coefficients[0], 0);
  EXPECT_EQ(result.coefficients[5], 0);
}

// Squares of 1e25 overflow single precision, in which Gram matrices are held: other roads must be taken.
TEST(MomentPath, LeavesUnscaledGiantsToOthers) {
  const TallData data;
  Matrix giant = data.X;
  for (Index j = 0; j < giant.cols(); ++j) {
    for (double& x : giant.column(j)) x *= 1e25;
  }
  const DenseDesign plain(data.X), big(giant);
  const Problem usual{.X = plain, .y = data.y, .likelihood = family("gaussian"), .standardize = false};
  const Problem huge{.X = big, .y = data.y, .likelihood = family("gaussian"), .standardize = false};
  const Fit a = fit(usual, "lasso", {{"penalty", 0.05}}, {});
  const Fit b = fit(huge, "lasso", {{"penalty", 0.05e25}}, {});
  EXPECT_EQ(b.status, Status::converged) << b.message;
  for (std::size_t j = 0; j < a.coefficients.size(); ++j) {
    EXPECT_NEAR(a.coefficients[j], 1e25 * b.coefficients[j], coefficients_agree);
  }
}

TEST(CrossProducts, OfFoldsAddUpToTheWhole) {
  const TallData data;
  const DenseDesign dense(data.X);
  CrossProducts<double> total;
  for (Index fold = 0; fold < 3; ++fold) {
    std::vector<Index> rows;
    for (Index i = fold; i < 400; i += 3) rows.push_back(i);
    add(cross_products(dense, data.y, data.weights, rows), total);
  }
  const CrossProducts<double> whole = cross_products(dense, data.y, data.weights);
  EXPECT_NEAR(total.weight, whole.weight, 1e-12 * whole.weight);
  EXPECT_NEAR(total.yy, whole.yy, 1e-12 * whole.yy);
  for (Index j = 0; j < 12; ++j) {
    EXPECT_NEAR(total.xy[j], whole.xy[j], 1e-9);
    for (Index i = j; i < 12; ++i) EXPECT_NEAR(total.entry(i, j), whole.entry(i, j), 1e-9);
  }
}

}  // namespace
}  // namespace tamis
