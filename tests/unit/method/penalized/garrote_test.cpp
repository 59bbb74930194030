// garrote: the optimality conditions in the shrinkage factors themselves, Breiman's closed form, starts that know
// nothing of held-out rows, and starts that do not exist.
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "support/plain_cholesky.hpp"
#include "tamis/base/error.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;
using Given = std::map<std::string, OptionValue>;

// The method stops at 1e-8 relative to the penalty, and calls ten times that converged.
constexpr double asked_tolerance = 1e-7;

PenalizedCase make(const std::string& name, Index rows, Index cols, std::uint64_t seed = 1) {
  contract::Example e = contract::make_example(family(name), rows, cols, seed);
  return {.family = name, .X = std::move(e.X), .y = std::move(e.y)};
}

Fit solve(const PenalizedCase& c, const char* method, Given options, const Control& control = {.folds = 0}) {
  const DenseDesign design(c.X);
  return fit(c.problem(design), method, options, control);
}

// Weighted least squares beside an intercept, by the normal equations of the original columns.
std::vector<double> least_squares(const PenalizedCase& c) {
  const Index p = c.X.cols(), size = p + 1;
  const auto x = [&](Index i, Index j) { return j < p ? c.X(i, j) : 1.0; };
  std::vector<double> right(size, 0.0);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < c.X.rows(); ++i) {
      right[j] += c.weight(i) * x(i, j) * (c.y[i] - (c.offset.empty() ? 0.0 : c.offset[i]));
    }
  }
  const test::PlainCholesky<double> factor(size, [&](Index j, Index k) {
    double sum = 0;
    for (Index i = 0; i < c.X.rows(); ++i) sum += c.weight(i) * x(i, j) * x(i, k);
    return sum;
  });
  return factor.solve(right);
}

// Largest violation of: the loss pulls c_j by exactly the penalty where c_j > 0 and by no more where it is 0, over the
// penalty. The pull is that of the column b_j (x_j - mean), which is how the problem is written down.
double violation(const PenalizedCase& c, const Fit& found, const std::vector<double>& start, double penalty) {
  const std::vector<double> eta = predictor_of(c, found);
  double largest = 0;
  for (Index j = 0; j < c.X.cols(); ++j) {
    double pull = 0;
    for (Index i = 0; i < c.X.rows(); ++i) {
      pull += c.weight(i) / c.total_weight() * start[j] * c.X(i, j) * (c.y[i] - mean_of(c.family, eta[i]));
    }
    const double b = found.coefficients[j];
    EXPECT_GE(b * start[j], 0) << "the sign of " << j << " turned";
    largest = std::max(largest, b == 0 ? pull - penalty : std::abs(pull - penalty));
  }
  return largest / penalty;
}

double objective(const PenalizedCase& c, const Fit& found, const std::vector<double>& start, double penalty) {
  double sum = loss_of(c, found);
  for (Index j = 0; j < c.X.cols(); ++j) {
    if (found.coefficients[j] != 0) sum += penalty * found.coefficients[j] / start[j];
  }
  return sum;
}

TEST(Garrote, OfLeastSquaresIsOptimalInTheShrinkageFactors) {
  PenalizedCase c = make("gaussian", 60, 8);
  for (Index i = 0; i < 60; ++i) {
    c.weights.push_back(0.25 * static_cast<double>(i % 5));
    c.offset.push_back(0.3 * std::sin(static_cast<double>(i)));
  }
  const std::vector<double> start = least_squares(c);
  for (const double penalty : {0.5, 0.05, 0.005, 1e-5}) {
    const Fit found = solve(c, "garrote", {{"penalty", penalty}, {"start", std::string("least-squares")}});
    EXPECT_EQ(found.status, Status::converged) << found.message;
    EXPECT_LE(violation(c, found, start, penalty), asked_tolerance) << penalty;
    EXPECT_NEAR(found.objective, objective(c, found, start, penalty), 1e-10 * (1 + found.objective));
  }
}

TEST(Garrote, OfRidgeAndLassoIsOptimalForEveryFamily) {
  for (const char* name : {"gaussian", "bernoulli", "poisson"}) {
    for (const char* start_name : {"ridge", "lasso"}) {
      const PenalizedCase c = make(name, 50, 80);
      const std::vector<double> start = solve(c, start_name, {{"penalty", 0.05}}).coefficients;
      const Fit found =
          solve(c, "garrote", {{"penalty", 0.01}, {"start", std::string(start_name)}, {"start_penalty", 0.05}});
      EXPECT_EQ(found.status, Status::converged) << found.message;
      EXPECT_LE(violation(c, found, start, 0.01), asked_tolerance) << name << " " << start_name;
      EXPECT_NEAR(found.objective, objective(c, found, start, 0.01), 1e-9 * (1 + std::abs(found.objective)));
      EXPECT_GT(select_by_threshold(found).size(), 0u);
    }
  }
}

// Breiman (1995), section 2: for orthonormal columns c_j = (1 - penalty / b_j^2)_+.
TEST(Garrote, OfOrthogonalColumnsHasAClosedForm) {
  constexpr Index n = 16, p = 4;
  PenalizedCase c{.family = "gaussian", .X = Matrix(n, p), .y = std::vector<double>(n)};
  const double truth[p] = {1.5, -0.7, 0.2, 0};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      c.X(i, j) = (i >> j & 1) != 0 ? 1.0 : -1.0;
      c.y[i] += truth[j] * c.X(i, j);
    }
    c.y[i] += 0.1 * std::sin(static_cast<double>(3 * i));
  }
  const std::vector<double> b = least_squares(c);
  const double penalty = 0.1;
  const Fit found = solve(c, "garrote", {{"penalty", penalty}});
  for (Index j = 0; j < p; ++j) {
    EXPECT_NEAR(found.coefficients[j], b[j] * std::max(0.0, 1 - penalty / (b[j] * b[j])), 1e-7) << j;
  }
  EXPECT_EQ(std::get<std::string>(found.hyper.at("start")), "least-squares");
}

// Of maximum likelihood, without an intercept to profile out: the score of the start is 0, and so is the violation at
// hardly any penalty.
TEST(Garrote, OfMaximumLikelihoodIsTheStartWhereThePenaltyVanishes) {
  for (const char* name : {"bernoulli", "poisson"}) {
    const contract::Example e = contract::make_example(family(name), 200, 4, 1, 0.4);
    PenalizedCase c{.family = name, .X = e.X, .y = e.y};
    const Fit found = solve(c, "garrote", {{"penalty", 1e-9}, {"start", std::string("least-squares")}});
    const std::vector<double> eta = predictor_of(c, found);
    for (Index j = 0; j < 4; ++j) {
      double score = 0;
      for (Index i = 0; i < 200; ++i) score += c.X(i, j) * (c.y[i] - mean_of(name, eta[i])) / 200;
      EXPECT_NEAR(score, 0, 1e-6) << name << " " << j;
    }
    EXPECT_NEAR(std::get<double>(found.hyper.at("shrinkage_sum")), 4, 1e-4) << name;
  }
}

// The error of a fold is that of a fit to the other folds' rows, whose start is theirs, on its own rows.
TEST(Garrote, HeldOutRowsHaveNoPartInTheirStart) {
  const PenalizedCase c = make("gaussian", 60, 8);
  const DenseDesign design(c.X);
  std::vector<int> folds;
  for (Index i = 0; i < 60; ++i) folds.push_back(static_cast<int>(i % 3));
  const Given start{{"start", std::string("least-squares")}};
  const Fit searched = fit(c.problem(design), "garrote", start, {.fold_of_row = folds});
  const Index k = 30;
  ASSERT_GT(std::ssize(searched.path), k);
  double mean = 0;
  for (int fold = 0; fold < 3; ++fold) {
    PenalizedCase training = c;
    for (Index i = 0; i < 60; ++i) training.weights.push_back(folds[i] == fold ? 0 : 1);
    Given options = start;
    options["penalty"] = searched.path[k].value;
    const std::vector<double> eta = predictor_of(c, solve(training, "garrote", options));
    for (Index i = 0; i < 60; ++i) mean += folds[i] == fold ? std::pow(c.y[i] - eta[i], 2) / 60 : 0;
  }
  constexpr double path_tolerance = 1e-4;  // points of the path are coarser than the returned one
  EXPECT_NEAR(*searched.path[k].validation_error, mean, path_tolerance * mean);
}

// Twenty rows per feature, dense: products of the columns suffice. Sparse columns are streamed.
TEST(Garrote, FromProductsAndFromColumnsIsTheSame) {
  const PenalizedCase c = make("gaussian", 160, 5);
  SparseColumns columns{.rows = 160, .cols = 5, .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < 5; ++j) {
    for (Index i = 0; i < 160; ++i) {
      if (c.X(i, j) == 0) continue;
      columns.indices.push_back(static_cast<std::int32_t>(i));
      columns.values.push_back(c.X(i, j));
    }
    columns.starts.push_back(std::ssize(columns.values));
  }
  const DenseDesign dense(c.X);
  const SparseDesign sparse(std::move(columns));
  const Given options{{"rule", std::string("min")}};
  const Fit products = fit(c.problem(dense), "garrote", options), streamed = fit(c.problem(sparse), "garrote", options);
  EXPECT_EQ(products.status, Status::converged) << products.message;
  constexpr double path_tolerance = 1e-4;
  for (std::size_t k = 0; k < std::min(products.path.size(), streamed.path.size()); ++k) {
    EXPECT_NEAR(products.path[k].value, streamed.path[k].value, 1e-9 * streamed.path[k].value);
    EXPECT_NEAR(*products.path[k].validation_error, *streamed.path[k].validation_error, path_tolerance) << k;
  }
  const Fit fixed = solve(c, "garrote", {{"penalty", 0.05}});
  EXPECT_LE(violation(c, fixed, least_squares(c), 0.05), asked_tolerance);
}

std::string refusal(const PenalizedCase& c, const Given& options) {
  try {
    solve(c, "garrote", options);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "fitted";
}

TEST(Garrote, RefusesLeastSquaresThatDoNotExist) {
  const Given start{{"start", std::string("least-squares")}};
  EXPECT_THAT(refusal(make("gaussian", 20, 30), start),
              testing::AllOf(HasSubstr("20 rows x 30 features"), HasSubstr("use start=ridge")));
  PenalizedCase separable = make("bernoulli", 60, 3);
  for (Index i = 0; i < 60; ++i) separable.y[i] = separable.X(i, 0) > 0.3 ? 1 : 0;
  EXPECT_THAT(refusal(separable, start), HasSubstr("separable classes"));
}

TEST(Garrote, BeginsByTheDataIfNothingIsSaid) {
  const auto start = [](const Fit& found) { return std::get<std::string>(found.hyper.at("start")); };
  EXPECT_EQ(start(solve(make("gaussian", 20, 10), "garrote", {})), "least-squares");
  EXPECT_EQ(start(solve(make("gaussian", 20, 11), "garrote", {})), "ridge");
  EXPECT_EQ(start(solve(make("bernoulli", 60, 4), "garrote", {})), "ridge");
}

TEST(Garrote, LeavesOutWhatTheLassoLeftOut) {
  const PenalizedCase c = make("gaussian", 40, 60);
  const Fit lasso = solve(c, "lasso", {{"penalty", 0.1}});
  const Fit found = solve(c, "garrote", {{"penalty", 1e-3}, {"start", std::string("lasso")}, {"start_penalty", 0.1}});
  for (Index j = 0; j < 60; ++j) {
    EXPECT_TRUE(lasso.coefficients[j] != 0 || found.coefficients[j] == 0) << j;
  }
}

// Of equal columns the minimum-norm start makes two equal halves; one of them gets the coefficient.
TEST(Garrote, SelectsOneOfTwoEqualColumns) {
  PenalizedCase c = make("gaussian", 40, 6);
  std::ranges::copy(c.X.column(0), c.X.column(4).begin());
  const Fit found = solve(c, "garrote", {{"penalty", 0.01}});
  EXPECT_TRUE((found.coefficients[0] != 0) != (found.coefficients[4] != 0));
}

}  // namespace
}  // namespace tamis
