// flas: what the contract cannot know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contract/method_cases.hpp"
#include "design/row_gram.hpp"
#include "method/laplace/gaussian_rows.hpp"
#include "method/laplace/logistic_rows.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

struct Data {
  Matrix X;
  std::vector<double> y;
};

// Three features matter.
Data draw(Index n, Index p, bool classes, std::uint64_t seed = 1) {
  Data data{Matrix(n, p), std::vector<double>(n)};
  RandomStream random(seed, 1);
  for (Index j = 0; j < p; ++j) random.normals(data.X.column(j));
  for (Index i = 0; i < n; ++i) {
    const double eta = 2 * data.X(i, 0) - 1.5 * data.X(i, 1) + data.X(i, 2);
    data.y[i] = classes ? (random.uniform01() < 1 / (1 + std::exp(-2 * eta)) ? 1.0 : 0.0) : eta + random.normal();
  }
  return data;
}

const std::map<std::string, OptionValue> fixed{
    {"spike_variance", 1e-3}, {"slab_variance", 5.0}, {"prior_inclusion", 0.5}};

std::map<std::string, OptionValue> with(std::string name, OptionValue value) {
  std::map<std::string, OptionValue> options = fixed;
  options[std::move(name)] = std::move(value);
  return options;
}

TEST(Flas, FindsTheFeaturesThatMatterAmongMany) {
  for (const bool classes : {false, true}) {
    const Data data = draw(classes ? 200 : 100, 300, classes);
    const DenseDesign X(data.X);
    const Fit found = fit({.X = X, .y = data.y, .likelihood = family(classes ? "bernoulli" : "gaussian")}, "flas");
    EXPECT_EQ(found.status, Status::converged);
    std::vector<Index> kept;
    for (const Selected& s : select_by_threshold(found)) kept.push_back(s.feature);
    EXPECT_THAT(kept, testing::UnorderedElementsAre(0, 1, 2)) << classes;
  }
}

// At the dense default a third of two classes' features are expected, and chance features enter.
TEST(Flas, PriorInclusionOfTwoClassesIsChosenByHeldOutDeviance) {
  const Data data = draw(100, 250, /*classes=*/true);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = family("bernoulli")};
  const Fit found = fit(problem, "flas"), dense = fit(problem, "flas", {{"prior_inclusion", 0.35}}),
            alone = fit(problem, "flas", {}, {.folds = 0});
  EXPECT_LT(std::get<double>(found.hyper.at("prior_inclusion")), 0.2);
  EXPECT_THAT(found.message, testing::HasSubstr("by cross-validated deviance"));
  EXPECT_LE(select_by_threshold(found).size(), select_by_threshold(dense).size());
  EXPECT_EQ(std::get<double>(dense.hyper.at("prior_inclusion")), 0.35);
  EXPECT_EQ(std::get<double>(alone.hyper.at("prior_inclusion")), 0.35);
}

TEST(Flas, ExactVariancesAgreeInTheSpaceOfRowsAndOfFeatures) {
  constexpr double rounding = 1e-8;
  for (const bool classes : {false, true}) {
    for (const Index p : {20, 80}) {
      const Data data = draw(40, p, classes);
      const DenseDesign X(data.X);
      const Problem problem{.X = X, .y = data.y, .likelihood = family(classes ? "bernoulli" : "gaussian")};
      const Fit dual = fit(problem, "flas", with("hessian", std::string("dual")));
      const Fit full = fit(problem, "flas", with("hessian", std::string("full")));
      for (std::size_t j = 0; j < dual.standard_deviations.size(); ++j) {
        EXPECT_NEAR(dual.standard_deviations[j], full.standard_deviations[j], rounding);
        EXPECT_NEAR(dual.inclusion[j], full.inclusion[j], rounding);
      }
    }
  }
}

TEST(Flas, ApproximateVariancesAreNeverBelowTheExactOnes) {
  const Data data = draw(40, 60, false);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian")};
  const Fit exact = fit(problem, "flas", with("hessian", std::string("dual")));
  for (const char* kind : {"landmark", "nystrom"}) {
    const Fit approximate = fit(problem, "flas", with("hessian", std::string(kind)));
    for (std::size_t j = 0; j < exact.standard_deviations.size(); ++j) {
      EXPECT_GE(approximate.standard_deviations[j], exact.standard_deviations[j] * (1 - 1e-8)) << kind;
    }
  }
}

TEST(Flas, SelectionIsAThirdOfOneMoreThanInclusionUnderEvenOdds) {
  const Data data = draw(50, 70, false);
  const DenseDesign X(data.X);
  const Fit found = fit({.X = X, .y = data.y, .likelihood = family("gaussian")}, "flas", fixed);
  const auto& selection = std::get<std::vector<double>>(found.hyper.at("selection_mean"));
  const auto& variance = std::get<std::vector<double>>(found.hyper.at("selection_variance"));
  for (std::size_t j = 0; j < selection.size(); ++j) {
    EXPECT_NEAR(selection[j], (1 + found.inclusion[j]) / 3, 1e-12);
    EXPECT_GE(variance[j], 0);
  }
}

// The evidence of a choice of features by its definition: the density of the response under its covariance.
TEST(Flas, EvidenceIsTheDensityOfTheResponse) {
  for (const Index p : {12, 45}) {  // fewer features than rows, and more
    const Data data = draw(30, p, false);
    const DenseDesign X(data.X);
    const Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian"), .intercept = false};
    const ScaledProblem scaled(problem);
    GaussianRows model(scaled);
    model.set_noise_variance(0.2);
    const PriorVariances variances{0.01, {1, 5}, {0.5, 2.0}};
    const std::vector<double> prior = variances.all(scaled.features());
    Matrix C = row_gram(scaled.X(), scaled.kept(), prior);
    for (Index i = 0; i < 30; ++i) C(i, i) += 0.2;
    // By elimination: log determinant and square.
    std::vector<double> left(scaled.response().begin(), scaled.response().end());
    double expected = -0.5 * 30 * std::log(2 * 3.14159265358979323846);
    for (Index k = 0; k < 30; ++k) {
      const double pivot = C(k, k), value = left[k];
      expected -= 0.5 * (std::log(pivot) + value * value / pivot);
      for (Index i = k + 1; i < 30; ++i) {
        const double share = C(i, k) / pivot;
        left[i] -= share * value;
        for (Index j = k + 1; j < 30; ++j) C(i, j) -= share * C(k, j);
      }
    }
    EXPECT_NEAR(model.ridge(variances, {}, nullptr).log_evidence, expected, 1e-9);
  }
}

// Both roads of logistic ridge regression end where the gradient vanishes.
TEST(Flas, LogisticModesAreStationaryInBothSpaces) {
  for (const Index p : {10, 60}) {
    const Data data = draw(40, p, true);
    const DenseDesign X(data.X);
    const Problem problem{.X = X, .y = data.y, .likelihood = family("bernoulli")};
    const ScaledProblem scaled(problem);
    const LogisticRows model(scaled);
    const PriorVariances variances{0.05, {0, 3}, {1.0, 2.0}};
    const RidgeMode mode = model.ridge(variances, {}, nullptr);
    const std::vector<double> prior = variances.all(p);
    std::vector<double> w(p);
    model.correlations(std::span<const double>(mode.dual), std::span(w));
    for (std::size_t j = 0; j < w.size(); ++j) w[j] *= prior[j];
    const std::vector<double> pull = model.score(model.predictor(w), mode.intercept);
    double sum = 0;
    for (std::size_t i = 0; i < pull.size(); ++i) {
      EXPECT_NEAR(pull[i], mode.dual[i], 1e-7);  // w = R X' pull
      sum += pull[i];
    }
    EXPECT_NEAR(sum, 0, 1e-7);  // the intercept's own
  }
}

TEST(OuterProduct, OfSparseColumnsIsThatOfTheirDenseCopies) {
  Matrix X(40, 30);
  SparseColumns sparse{.rows = 40, .cols = 30, .starts = {0}, .indices = {}, .values = {}};
  RandomStream random(3, 1);
  for (Index j = 0; j < 30; ++j) {
    for (Index i = j % 7; i < 40; i += 17) {
      X(i, j) = random.normal();
      sparse.indices.push_back(static_cast<std::int32_t>(i));
      sparse.values.push_back(X(i, j));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  std::vector<double> center(30), spread(30), scale(30);
  for (std::size_t j = 0; j < 30; ++j) {
    center[j] = 0.1 * static_cast<double>(j % 5);
    spread[j] = 0.5 + 0.1 * static_cast<double>(j % 3);
    scale[j] = static_cast<double>(j % 4);
  }
  const DenseDesign dense(X);
  const SparseDesign columns(std::move(sparse));
  const StandardizedDesign a(dense, center, spread), b(columns, center, spread);
  const Matrix expected = row_gram(a, a.all(), scale), found = row_gram(b, b.all(), scale);
  for (Index j = 0; j < 40; ++j) {
    for (Index i = 0; i < 40; ++i) EXPECT_NEAR(found(i, j), expected(i, j), 1e-10);
  }
}

TEST(Flas, ChoosesVariancesOfThePapersGridByFoldsOrByValidation) {
  for (const bool classes : {false, true}) {
    const Data data = draw(80, 20, classes), more = draw(80, 20, classes, 2);
    const DenseDesign X(data.X), Z(more.X);
    const Problem problem{.X = X, .y = data.y, .likelihood = family(classes ? "bernoulli" : "gaussian")};
    for (const Validation& validation : {Validation{}, Validation{.X = &Z, .y = more.y}}) {
      const Fit found = fit(problem, "flas", {{"search", "cv"}}, {.folds = 3, .validation = validation});
      const double slab = std::get<double>(found.hyper.at("slab_variance"));
      EXPECT_EQ(found.status, Status::converged);
      EXPECT_EQ(slab, std::round(slab)) << "1, 2, 3, 4 or 5";
      for (const std::size_t j : {0, 1, 2}) EXPECT_GT(found.inclusion[j], 0.9) << j;
    }
  }
}

TEST(Flas, RefusesASpikeThatIsNoNarrowerThanTheSlab) {
  const Data data = draw(20, 5, false);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian")};
  EXPECT_THROW(fit(problem, "flas", {{"spike_variance", 1.0}, {"slab_variance", 1.0}}), InvalidOption);
}

}  // namespace
}  // namespace tamis
