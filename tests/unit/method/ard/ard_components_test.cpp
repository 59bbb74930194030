// ard with covariance components: agreement with features, with each other and with the truth; input and output.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/report/text.hpp"
#include "unit/method/ard/ard_component_examples.hpp"
#include "unit/method/ard/ard_examples.hpp"

namespace tamis {
namespace {

using ard_test::Planted;
using ard_test::random_matrix;
using ard_test::random_regression;
using ard_test::Regression;
using ard_test::transposed;
using testing::HasSubstr;

using Settings = std::map<std::string, OptionValue>;

double number_of(const Fit& fit, const char* name) { return std::get<double>(fit.hyper.at(name)); }

TEST(ArdComponents, OfRankOneAreFeatures) {
  Regression made = random_regression(60, 30, 4, 0.5, 21, /*targets=*/2);
  std::vector<Matrix> unit(30, Matrix(30, 1));
  std::vector<CovarianceComponent> components;
  for (Index j = 0; j < 30; ++j) {
    unit[j](j, 0) = 1;
    components.push_back({"e" + std::to_string(j), false, unit[j]});
  }
  std::vector<double> weights(60, 1.0), offset(60, 0.0);
  for (Index i = 0; i < 60; ++i) {
    weights[i] = 0.5 + static_cast<double>(i % 3);
    offset[i] = static_cast<double>(i % 5);
  }
  const DenseDesign design(made.X);
  for (const Settings& settings :
       {Settings{{"noise_variance", 0.5}}, Settings{}, Settings{{"noise_variance", 0.5}, {"penalty", 2.0}},
        Settings{{"noise", "evidence"}, {"tolerance", 1e-8}, {"iterations", 10000.0}}}) {
    Problem problem = made.problem(design);
    problem.intercept = true;
    problem.weights = weights;
    problem.offset = offset;
    problem.more_responses = ConstMatrixView(made.Y.col(1), 60, 1);
    const Fit single = fit(problem, "ard", settings);
    problem.components = components;
    const Fit joint = fit(problem, "ard", settings);
    EXPECT_EQ(joint.status, Status::converged) << joint.message;
    // The feature-wise search ends its noise by EM, which creeps.
    const double tolerance = settings.contains("noise") ? 1e-3 : 1e-8;
    EXPECT_NEAR(joint.objective, single.objective, tolerance);
    EXPECT_NEAR(*joint.noise_variance, *single.noise_variance, tolerance);
    EXPECT_NEAR(joint.intercept, single.intercept, tolerance);
    const auto& gamma = std::get<std::vector<double>>(single.hyper.at("gamma"));
    for (Index j = 0; j < 30; ++j) {
      EXPECT_NEAR(joint.components[j].variance, gamma[j], tolerance) << "feature " << j;
      EXPECT_NEAR(joint.coefficients[j], single.coefficients[j], tolerance) << "feature " << j;
      EXPECT_NEAR(joint.more_targets[0].coefficients[j], single.more_targets[0].coefficients[j], tolerance);
      EXPECT_NEAR(joint.standard_deviations[j], single.standard_deviations[j], tolerance) << "feature " << j;
      if (!settings.contains("noise")) {
        EXPECT_NEAR(joint.inclusion[j], single.inclusion[j], 1e-6) << "feature " << j;
      }
    }
  }
}

TEST(ArdComponents, FeaturesInNoneHaveTheirOwnVariance) {
  const Regression made = random_regression(60, 30, 4, 0.5, 22);
  Matrix first(30, 1);
  first(0, 0) = 1;
  const CovarianceComponent component{"first", false, first};
  const DenseDesign design(made.X);
  Problem problem = made.problem(design);
  problem.intercept = problem.standardize = true;
  const Fit single = fit(problem, "ard");
  problem.components = std::span(&component, 1);
  const Fit joint = fit(problem, "ard");
  const auto &gamma = std::get<std::vector<double>>(single.hyper.at("gamma")),
             &own = std::get<std::vector<double>>(joint.hyper.at("gamma")),
             &theta = std::get<std::vector<double>>(single.hyper.at("theta")),
             &own_theta = std::get<std::vector<double>>(joint.hyper.at("theta"));
  EXPECT_NEAR(joint.components[0].variance, gamma[0], 1e-8);
  EXPECT_EQ(own[0], 0);
  for (Index j = 1; j < 30; ++j) {
    EXPECT_NEAR(own[j], gamma[j], 1e-8);
    EXPECT_NEAR(own_theta[j], theta[j], 1e-5 * (1 + theta[j]));
    EXPECT_NEAR(joint.coefficients[j], single.coefficients[j], 1e-8);
    EXPECT_NEAR(joint.inclusion[j], single.inclusion[j], 1e-6);
  }
}

TEST(ArdComponents, AsKernelsOrFactorsAreTheSame) {
  Planted made(60, 20, 5, 3, 37);
  made.respond(std::vector<Index>{2}, 3, 38);
  const DenseDesign design(made.X);
  const Fit factors = fit(made.problem(design), "ard", {{"noise_variance", 1.0}});
  Planted kernels = made;
  for (Matrix& values : kernels.values) {
    const Matrix XL = multiply(made.X, values);
    values = multiply(XL, transposed(XL));
  }
  kernels.list();
  Matrix nothing(60, 1);  // no feature of its own
  const DenseDesign constant(nothing);
  const Fit rows = fit(kernels.problem(constant), "ard", {{"noise_variance", 1.0}});
  EXPECT_NEAR(rows.objective, factors.objective, 1e-8);
  const std::vector<double> predictor = linear_predictor(factors, design);
  const auto& effects = std::get<std::vector<double>>(rows.hyper.at("row_effects"));
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(rows.components[i].variance, factors.components[i].variance, 1e-7);
  for (Index i = 0; i < 60; ++i) EXPECT_NEAR(rows.intercept + effects[i], predictor[i], 1e-7);
  // A new row has the prior variance of the effect, that of its average, and the noise.
  const Prediction prediction = predict(rows, constant);
  EXPECT_GT(prediction.sd[0] * prediction.sd[0], *rows.noise_variance + number_of(rows, "row_effect_variance"));
}

TEST(ArdComponents, ReachTheSameMinimumByEveryAlgorithmAndNeverRise) {
  Planted made(80, 25, 10, 4, 41);
  made.respond(std::vector<Index>{0, 7}, 3, 42);
  const DenseDesign design(made.X);
  const Settings given{{"noise_variance", 1.0}};
  const Fit first = fit(made.problem(design), "ard", given);
  for (const std::string algorithm : {"reweighted-l2", "em", "mackay"}) {
    Settings settings = given;
    settings["algorithm"] = algorithm;
    const Fit other = fit(made.problem(design), "ard", settings);
    EXPECT_EQ(other.status, Status::converged) << other.message;
    EXPECT_NEAR(other.objective, first.objective, 1e-7) << algorithm;
    for (Index k = 1; k < std::ssize(other.trace) && algorithm != "mackay"; ++k) {
      EXPECT_LE(other.trace[k].objective, other.trace[k - 1].objective + 1e-10) << algorithm;
    }
  }
  for (Settings settings : {Settings{{"start", "lasso"}}, Settings{{"anneal", true}}}) {
    settings["noise_variance"] = 1.0;
    EXPECT_NEAR(fit(made.problem(design), "ard", settings).objective, first.objective, 1e-7);
  }
}

// Exactly the planted ones have an inclusion of one half or more.
Index exact_supports(Index sets) {
  Index exact = 0;
  for (Index s = 0; s < sets; ++s) {
    const auto seed = static_cast<std::uint64_t>(100 + s);
    Planted made(100, 60, 40, 5, seed);
    const std::vector<Index> planted = {s % 40, (s + 13) % 40, (s + 29) % 40};
    made.respond(planted, 4, seed + 5000);
    const DenseDesign design(made.X);
    const Fit found = fit(made.problem(design), "ard");
    bool right = found.status == Status::converged;
    for (Index i = 0; i < 40; ++i) {
      const bool in = std::ranges::find(planted, i) != planted.end();
      right = right && (found.components[i].variance > 0) == in && (found.components[i].inclusion >= 0.5) == in;
    }
    exact += right ? 1 : 0;
  }
  return exact;
}

TEST(ArdComponents, ThatWerePlantedAreFoundAndNoOthers) {
  const Index exact = exact_supports(100);
  RecordProperty("exact", std::to_string(exact));
  EXPECT_GE(exact, 95);
}

TEST(ArdComponents, AreWrittenReadAndPrinted) {
  Planted made(60, 20, 5, 3, 51);
  made.respond(std::vector<Index>{2}, 4, 52);
  const DenseDesign design(made.X);
  const Fit found = fit(made.problem(design), "ard");
  const Fit again = from_json(to_json(found));
  ASSERT_EQ(again.components.size(), 5u);
  EXPECT_EQ(to_json(again), to_json(found));
  EXPECT_EQ(again.components[2].variance, found.components[2].variance);
  EXPECT_EQ(predict(again, design).sd, predict(found, design).sd);
  EXPECT_GT(found.components[2].inclusion, 0.5);
  EXPECT_EQ(found.components[0].variance, 0);
  const std::string text = text_report(found);
  EXPECT_THAT(text, HasSubstr("component  rank  inclusion"));
  EXPECT_THAT(text, HasSubstr("1 of 5 components retained"));
}

TEST(ArdComponents, WeightsCountRowsAndRowsOfWeightZeroDoNotCount) {
  Planted made(50, 20, 6, 3, 55);
  made.respond(std::vector<Index>{1}, 4, 56);
  Matrix Z = random_matrix(50, 4, 57);
  made.values.push_back(multiply(Z, transposed(Z)));
  made.list();
  std::vector<double> weights(50, 1.0);
  for (Index i = 0; i < 10; ++i) weights[i] = i < 5 ? 2.0 : 0.0;
  const DenseDesign design(made.X);
  Problem weighted = made.problem(design);
  weighted.weights = weights;
  // The same with rows repeated and left out.
  std::vector<Index> rows;
  for (Index i = 0; i < 50; ++i) rows.insert(rows.end(), static_cast<std::size_t>(weights[i]), i);
  Planted repeated = made;
  repeated.X = Matrix(std::ssize(rows), 20);
  repeated.Y = Matrix(std::ssize(rows), 1);
  repeated.values.back() = Matrix(std::ssize(rows), std::ssize(rows));
  for (Index i = 0; i < std::ssize(rows); ++i) {
    for (Index j = 0; j < 20; ++j) repeated.X(i, j) = made.X(rows[i], j);
    repeated.Y(i, 0) = made.Y(rows[i], 0);
    for (Index k = 0; k < std::ssize(rows); ++k) repeated.values.back()(i, k) = made.values.back()(rows[i], rows[k]);
  }
  repeated.list();
  const DenseDesign repeated_design(repeated.X);
  const Fit a = fit(weighted, "ard", {{"noise_variance", 1.0}});
  const Fit b = fit(repeated.problem(repeated_design), "ard", {{"noise_variance", 1.0}});
  EXPECT_NEAR(a.objective, b.objective, 1e-8);
  EXPECT_NEAR(a.intercept, b.intercept, 1e-8);
  for (Index i = 0; i < 7; ++i) EXPECT_NEAR(a.components[i].variance, b.components[i].variance, 1e-7) << i;
  for (Index j = 0; j < 20; ++j) EXPECT_NEAR(a.coefficients[j], b.coefficients[j], 1e-8);
}

std::string refusal(const Planted& made, const Settings& settings = {}, std::string_view method = "ard") {
  const DenseDesign design(made.X);
  try {
    fit(made.problem(design), method, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ArdComponents, ThatAreNoneAreRefused) {
  Planted made(12, 8, 2, 3, 61);
  made.respond(std::vector<Index>{0}, 3, 62);
  EXPECT_EQ(refusal(made), "");
  const auto with = [&](Matrix values, bool of_rows, std::string name = "odd") {
    Planted other = made;
    other.values.push_back(std::move(values));
    other.list();
    other.components.back().of_rows = of_rows;
    other.components.back().name = std::move(name);
    return refusal(other);
  };
  Matrix identity(12, 12), broken = random_matrix(8, 2, 63), lopsided(12, 12);
  for (Index i = 0; i < 12; ++i) identity(i, i) = lopsided(i, i) = 1;
  Matrix indefinite = identity;
  indefinite(3, 3) = -0.5;
  lopsided(4, 2) = 0.5;
  broken(6, 1) = std::nan("");
  EXPECT_EQ(with(identity, true), "");
  EXPECT_THAT(with(random_matrix(7, 2, 1), false), HasSubstr("component odd: received a factor of shape 7 x 2"));
  EXPECT_THAT(with(random_matrix(12, 11, 1), true), HasSubstr("expected 12 x 12"));
  EXPECT_THAT(with(Matrix(8, 0), false), HasSubstr("at least one column"));
  EXPECT_THAT(with(Matrix(8, 2), false), HasSubstr("all its numbers are zero"));
  Matrix huge = random_matrix(8, 2, 65);
  for (double& v : huge.column(0)) v *= 1e200;
  EXPECT_THAT(with(huge, false), HasSubstr("multiply all its numbers by a common factor"));
  EXPECT_THAT(with(broken, false), HasSubstr("row 7, column 2 is NaN"));
  EXPECT_THAT(with(indefinite, true), HasSubstr("smallest eigenvalue is -0.5"));
  EXPECT_THAT(with(lopsided, true), HasSubstr("row 5, column 3 is 0.5, and row 3, column 5 is 0"));
  EXPECT_THAT(with(identity, true, "c1"), HasSubstr("the name c1 occurs twice"));
  EXPECT_THAT(with(identity, true, ""), HasSubstr("without a name"));
}

TEST(ArdComponents, AreRefusedWhereTheyMeanNothing) {
  Planted made(12, 8, 2, 3, 64);
  made.respond(std::vector<Index>{0}, 3, 65);
  EXPECT_THAT(refusal(made, {{"penalty", 1.0}}, "lasso"), HasSubstr("method lasso does not support covariance"));
  EXPECT_THAT(refusal(made, {{"nonnegative", true}}), HasSubstr("nonnegative"));
  EXPECT_THAT(refusal(made, {{"algorithm", "sequential"}}), HasSubstr("sequential"));
  EXPECT_THAT(refusal(made, {{"noise", "evidence"}, {"penalty", 1.0}}), HasSubstr("noise=evidence"));
  const DenseDesign design(made.X);
  Problem problem = made.problem(design);
  const std::vector<Index> groups = {0, 0, 1, 1, 2, 2, 3, 3};
  problem.groups = groups;
  EXPECT_THROW(fit(problem, "ard"), InvalidOption);
  problem.groups = {};
  const std::vector<double> classes = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  const Problem binary{.X = design, .y = classes, .likelihood = family("bernoulli"), .components = made.components};
  EXPECT_THROW(fit(binary, "ard"), InvalidOption);
}

TEST(ArdComponents, OfHardDataEndInAStatusAndFiniteNumbers) {
  Planted made(30, 10, 4, 3, 71);
  made.respond(std::vector<Index>{0}, 3, 72);
  made.values[1] = made.values[0];  // the same twice
  for (double& v : made.values[2].column(0)) v *= 1e90;
  for (double& x : made.X.column(3)) x = 5;  // constant
  made.list();
  for (const double size : {1.0, 1e140, 1e-140}) {
    Planted scaled = made;
    for (double& y : scaled.Y.column(0)) y *= size;
    const DenseDesign design(scaled.X);
    const Fit found = fit(scaled.problem(design), "ard");
    EXPECT_TRUE(std::isfinite(found.objective)) << found.message;
    EXPECT_EQ(found.status, Status::converged) << found.message;
    EXPECT_EQ(found.coefficients[3] == 0, false) << "its posterior follows from the covariance with others";
    EXPECT_GT(found.components[0].variance + found.components[1].variance, 0);
  }
  // A kernel that the intercept takes up.
  Matrix ones(30, 30);
  for (Index j = 0; j < 30; ++j) std::ranges::fill(ones.column(j), 0.1);
  made.values.push_back(ones);
  made.list();
  const DenseDesign same(made.X);
  EXPECT_EQ(fit(made.problem(same), "ard").components[4].variance, 0);
  made.values.pop_back();
  made.list();
  for (double& y : made.Y.column(0)) y = 3;
  const DenseDesign design(made.X);
  const Fit nothing = fit(made.problem(design), "ard");
  EXPECT_EQ(nothing.components.size(), 4u);
  EXPECT_THAT(nothing.message, HasSubstr("constant"));
}

TEST(ArdComponents, HaveTheSameBitsWhateverTheThreads) {
  Planted made(280, 20, 4, 3, 75);  // enough rows for a factorization that threads share
  made.respond(std::vector<Index>{0}, 3, 76);
  const Matrix Z = random_matrix(280, 300, 77);
  made.values.push_back(multiply(Z, transposed(Z)));
  made.list();
  const DenseDesign design(made.X);
  Control one, two;
  one.threads = 1;
  two.threads = 2;
  const Fit a = fit(made.problem(design), "ard", {}, one), b = fit(made.problem(design), "ard", {}, two);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.standard_deviations, b.standard_deviations);
  EXPECT_EQ(a.objective, b.objective);
}

TEST(ArdComponents, EndWhenTheObserverCancels) {
  struct Impatient : Observer {
    bool cancelled() override { return ++asked > 2; }
    int asked = 0;
  } observer;
  Planted made(60, 20, 12, 5, 81);
  made.respond(std::vector<Index>{0, 3}, 3, 82);
  const DenseDesign design(made.X);
  Control control;
  control.observer = &observer;
  const Fit found = fit(made.problem(design), "ard", {}, control);
  EXPECT_EQ(found.status, Status::cancelled);
  EXPECT_EQ(found.components.size(), 12u);
}

}  // namespace
}  // namespace tamis
