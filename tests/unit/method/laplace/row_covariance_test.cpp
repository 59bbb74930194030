// Covariances of rows three ways, and the logistic model that uses them where there are many rows.
#include "method/laplace/row_covariance.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <optional>

#include "design/row_gram.hpp"
#include "design/sparse_row_gram.hpp"
#include "linalg/dense_algebra.hpp"
#include "method/laplace/logistic_rows.hpp"
#include "tamis/base/random.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr Index n = 12, p = 30, k = 3;
constexpr double common = 0.02;

Matrix normals(Index rows, Index cols, std::uint64_t seed) {
  Matrix X(rows, cols);
  for (Index j = 0; j < cols; ++j) RandomStream(seed, static_cast<std::uint64_t>(j)).normals(X.column(j));
  return X;
}

struct Example {
  Matrix X = normals(n, p, 1), large_variance = normals(n, k, 2);
  Matrix outer = row_gram(DenseDesign(X), DenseDesign(X).all());
  std::vector<double> b = std::vector<double>(n), root = std::vector<double>(n);

  Example() {
    RandomStream(3).normals(b);
    for (double& r : root) r = 0.3;
    root[4] = 0;  // a row of weight 0
  }
};

TEST(RowCovariance, IterationsAgreeWithAFactor) {
  const Example e;
  const auto dense = dense_covariance(e.outer, common, e.large_variance);
  const std::vector<double> diagonal(n, 0.5);  // any positive one: it only makes the iterations few
  const auto large_variance = large_variance_columns(e.large_variance);
  const auto iterated = iterated_covariance([&](std::span<const double> d) { return multiply_transposed(e.outer, d); },
                                            common, diagonal, *large_variance, 1e-12);
  EXPECT_THAT(iterated->times(e.b), Pointwise(DoubleNear(1e-12), dense->times(e.b)));
  const std::vector<double> exact = dense->system(e.root)->solve(e.b, {});
  EXPECT_THAT(iterated->system(e.root)->solve(e.b, {}), Pointwise(DoubleNear(1e-10), exact));
  EXPECT_THAT(iterated->system(e.root)->solve(e.b, exact), Pointwise(DoubleNear(1e-10), exact));
}

// With a diagonal in the place of XX' nothing is approximate about it.
TEST(RowCovariance, TheApproximateOneIsTheSystemOfItsDiagonal) {
  const Example e;
  Matrix diagonal_outer(n, n);
  std::vector<double> diagonal;
  for (Index i = 0; i < n; ++i) {
    diagonal_outer(i, i) = 1 + static_cast<double>(i);
    diagonal.push_back(common * diagonal_outer(i, i));
  }
  for (const Index columns : {Index{0}, k}) {
    const auto large_variance = large_variance_columns(normals(n, columns, 2));
    const auto dense = dense_covariance(diagonal_outer, common, normals(n, columns, 2));
    const auto approximate = approximate_covariance(diagonal, *large_variance);
    EXPECT_THAT(approximate->times(e.b), Pointwise(DoubleNear(1e-12), dense->times(e.b)));
    const auto exact = dense->system(e.root), found = approximate->system(e.root);
    EXPECT_THAT(found->solve(e.b, {}), Pointwise(DoubleNear(1e-12), exact->solve(e.b, {})));
    EXPECT_NEAR(found->log_determinant(), exact->log_determinant(), 1e-12);
  }
}

TEST(LargeVarianceColumns, FewEntriesDoWhatWholeColumnsDo) {
  SparseColumns sparse{.rows = n, .cols = 4, .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < 4; ++j) {
    for (const Index i : {j, 2 * j + 4}) {
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(1 + static_cast<double>(i + j));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  const SparseDesign entries(sparse);
  const StandardizedDesign design(entries, {0.3, 0.1, 0.2, 0.4}, {1.7, 0.9, 2, 1.1});
  const std::vector<Index> some{0, 1, 3};
  const std::vector<double> scale{0.7, 1.3, 2};
  Matrix U(n, k);
  design.gather(some, U);
  for (Index l = 0; l < k; ++l) {
    for (double& u : U.column(l)) u *= scale[l];
  }
  const auto few = large_variance_columns(design, some, scale), whole = large_variance_columns(U);
  const Example e;
  EXPECT_EQ(few->count(), k);
  EXPECT_THAT(few->times(e.b), Pointwise(DoubleNear(1e-12), whole->times(e.b)));
  const auto found = few->system(e.root), expected = whole->system(e.root);
  EXPECT_THAT(found->solve(e.b), Pointwise(DoubleNear(1e-12), expected->solve(e.b)));
  EXPECT_NEAR(found->log_determinant(), expected->log_determinant(), 1e-12);
}

TEST(OuterDiagonal, IsThatOfTheOuterProduct) {
  const Matrix X = normals(n, p, 5);
  SparseColumns sparse{.rows = n, .cols = p, .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < p; ++j) {
    sparse.indices.push_back(static_cast<std::int32_t>(j % n));
    sparse.values.push_back(X(j % n, j));
    sparse.starts.push_back(j + 1);
  }
  const DenseDesign dense(X);
  const SparseDesign entries(sparse);
  for (const Design* inner : {static_cast<const Design*>(&dense), static_cast<const Design*>(&entries)}) {
    const StandardizedDesign design(*inner, std::vector<double>(p, 0.3), std::vector<double>(p, 1.7));
    const Matrix outer = row_gram(design, design.all());
    const std::vector<double> found = row_gram_diagonal(design, design.all());
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(found[i], outer(i, i), 1e-12);
  }
}

TEST(SparseRowGram, MultiplyAsTheOuterProductDoes) {
  SparseColumns sparse{.rows = 40, .cols = 50, .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < 50; ++j) {
    for (Index i = j % 7; i < 40; i += 11 + j) {
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(1 + 0.1 * static_cast<double>(i - j));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  const SparseDesign entries(sparse);
  const StandardizedDesign design(entries, std::vector<double>(50, 0.3), std::vector<double>(50, 1.7));
  std::vector<double> d(40);
  RandomStream(6).normals(d);
  const std::vector<Index> some{3, 4, 17, 40};
  for (const Columns c : {design.all(), Columns(some)}) {
    const std::optional<SparseRowGram> passes = SparseRowGram::over(design, c);
    ASSERT_TRUE(passes);
    const Matrix outer = row_gram(design, c);
    EXPECT_THAT(passes->times(d), Pointwise(DoubleNear(1e-12), multiply_transposed(outer, d)));
    EXPECT_THAT(passes->diagonal(), Pointwise(DoubleNear(1e-12), row_gram_diagonal(design, c)));
  }
  EXPECT_FALSE(SparseRowGram::over(
      StandardizedDesign(entries, std::vector<double>(50, 1e5), std::vector<double>(50, 1)), Columns(some)));
}

// More columns of D than one pass takes.
TEST(SparseRowGram, MultiplySeveralAtOnceToSixDigits) {
  SparseColumns sparse{.rows = 40, .cols = 30, .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < 30; ++j) {
    for (Index i = j % 5; i < 40; i += 9 + j) {
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(1 + 0.1 * static_cast<double>(i + j));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  const SparseDesign entries(sparse);
  const StandardizedDesign design(entries, std::vector<double>(30, 0.2), std::vector<double>(30, 1.3));
  std::vector<double> scale(30);
  for (std::size_t j = 0; j < scale.size(); ++j) scale[j] = 0.1 * static_cast<double>(1 + j % 4);
  constexpr Index wide = 35;
  const Matrix D = normals(40, wide, 9);
  const std::optional<SparseRowGram> passes = SparseRowGram::over(design, design.all());
  ASSERT_TRUE(passes);
  const Matrix expected = multiply(row_gram(design, design.all(), scale), D), found = passes->times(D, scale);
  constexpr double digits = 1e-4;  // of numbers of about 100 that are held to seven digits
  for (Index l = 0; l < wide; ++l) EXPECT_THAT(found.column(l), Pointwise(DoubleNear(digits), expected.column(l)));
  Matrix along(30, wide);
  design.transpose_multiply(design.all(), D, along);
  const std::vector<double> squares = passes->squares(D);
  Matrix large(30, wide);
  passes->large_products(D, 2.0, [&](Index j, Index l, double product) { large(j, l) = product; });
  passes->large_products(normals(40, 3, 9), 2.0, [&](Index j, Index l, double product) {
    EXPECT_NEAR(large(j, l), product, digits);  // the first three columns again, as few
  });
  for (Index j = 0; j < 30; ++j) {
    double square = 0;
    for (Index l = 0; l < wide; ++l) {
      square += along(j, l) * along(j, l);
      EXPECT_NEAR(large(j, l), std::abs(along(j, l)) < 2 ? 0 : along(j, l), digits);
    }
    EXPECT_NEAR(squares[j] / square, 1, digits);
  }
}

// Sparse columns, whose large correlations are found without the others, beside dense copies of them.
TEST(LogisticRows, FindTheSameLargeCorrelationsInSparseAndDenseColumns) {
  constexpr Index rows = 160, cols = 170;
  SparseColumns sparse{.rows = rows, .cols = cols, .starts = {0}, .indices = {}, .values = {}};
  Matrix copy(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = j % 23; i < rows; i += 17 + j % 5) {
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(copy(i, j) = 1 + static_cast<double>((i + j) % 3));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  std::vector<double> y;
  for (Index i = 0; i < rows; ++i) y.push_back(static_cast<double>(i % 2));
  const SparseDesign entries(sparse);
  const DenseDesign dense(copy);
  const Matrix duals = normals(rows, 2, 11);
  const DualModel::Slabs slabs{{3, 5, 8, 40}, {}};
  std::vector<DualModel::Slabs> found;
  for (const Design* X : {static_cast<const Design*>(&entries), static_cast<const Design*>(&dense)}) {
    const Problem problem{.X = *X, .y = y, .likelihood = family("bernoulli")};
    const ScaledProblem scaled(problem);
    const LogisticRows model(scaled);
    EXPECT_EQ(model.passes() != nullptr, X == &entries);
    found.push_back(model.large_correlations(duals, slabs, 5, 20));
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_GT(found[0][1].size(), 0U);
  EXPECT_LT(found[0][1].size(), 60U);
}

struct Classes {
  Matrix X = normals(200, 220, 7);
  std::vector<double> y;
  DenseDesign design{X};

  Classes() {
    RandomStream coins(8);
    for (Index i = 0; i < X.rows(); ++i) {
      const double eta = 2 * X(i, 0) - 1.5 * X(i, 1);
      y.push_back(coins.uniform01() < 1 / (1 + std::exp(-2 * eta)) ? 1 : 0);
    }
  }
  Problem problem() const { return {.X = design, .y = y, .likelihood = family("bernoulli")}; }
};

TEST(LogisticRows, WithManyRowsModesAreStationary) {
  const Classes classes;
  const Problem problem = classes.problem();
  const ScaledProblem scaled(problem);
  const LogisticRows model(scaled);
  ASSERT_TRUE(model.is_approximate());
  const PriorVariances variances{0.01, {0, 1}, {1.0, 2.0}};
  const RidgeMode mode = model.ridge(variances, {}, nullptr);
  const std::vector<double> prior = variances.all(scaled.features());
  std::vector<double> w(prior.size());
  model.correlations(std::span<const double>(mode.dual), std::span(w));
  for (std::size_t j = 0; j < w.size(); ++j) w[j] *= prior[j];
  constexpr double step_tolerance = 1e-6;  // the last step of a predictor; its score follows by a quarter
  EXPECT_THAT(model.score(model.predictor(w), mode.intercept), Pointwise(DoubleNear(step_tolerance), mode.dual));
}

// Without a common variance the many features make no noise: the approximate mode is near the exact one, and equals it
// when it starts from there again.
TEST(LogisticRows, TheApproximateModeLeadsToTheExactOneWithoutSpikes) {
  const Classes classes;
  const Problem problem = classes.problem();
  const ScaledProblem scaled(problem);
  const LogisticRows model(scaled);
  const PriorVariances variances{1e-12, {0, 1}, {1.0, 2.0}};
  const RidgeMode exact = model.ridge(variances, {}, nullptr);
  RidgeMode approximate = model.approximate_ridge(variances, nullptr);
  EXPECT_THAT(approximate.dual, Pointwise(DoubleNear(1e-3), exact.dual));
  EXPECT_NEAR(approximate.log_evidence, exact.log_evidence, 0.1);
  for (int again = 0; again < 2; ++again) approximate = model.approximate_ridge(variances, &approximate);
  EXPECT_THAT(approximate.dual, Pointwise(DoubleNear(1e-5), exact.dual));
  EXPECT_NEAR(approximate.log_evidence, exact.log_evidence, 1e-5);
}

TEST(Flas, WithManyRowsItFindsTheFeaturesThatMatter) {
  const Classes classes;
  const Fit found = fit(classes.problem(), "flas", {}, {.threads = 1});
  EXPECT_EQ(found.status, Status::converged);
  const std::vector<Selected> best = select_top(found, 2);
  EXPECT_EQ(best[0].feature + best[1].feature, 1);
  EXPECT_GT(best[1].inclusion, 0.9);
}

}  // namespace
}  // namespace tamis
