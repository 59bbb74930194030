#include "contract/method_cases.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tamis/base/random.hpp"

namespace tamis::contract {
namespace {

// Only what a method cannot say by itself. A method without an entry is tried with its `penalty`, if it has one,
// fixed, and without a search.
struct Exception {
  std::map<std::string, OptionValue> fixed = {};
  double agreement = 1e-6;
  std::map<std::string, OptionValue> wide = {};  ///< beside those, where nothing but the same bits is asked for
};
const std::map<std::string, Exception, std::less<>>& exceptions() {
  static const std::map<std::string, Exception, std::less<>> known = {
      {"vg", {.fixed = {{"gamma", -4.0}, {"tolerance", 1e-9}}}},
      {"ard", {.fixed = {{"penalty", 2.0}}}},
      {"bm", {.fixed = {{"tolerance", 1e-9}}}},
      {"pmf", {.fixed = {{"prior_inclusion", 0.1}, {"tolerance", 1e-9}}}},
      {"vb", {.fixed = {{"tolerance", 1e-9}}}},
      {"mm", {.fixed = {{"cost", 2.0}, {"start_penalty", 0.05}, {"tolerance", 1e-9}}}},
      {"ep", {.fixed = {{"prior_inclusion", 0.1}, {"slab_variance", 1.0}, {"tolerance", 1e-9}}}},
      // An expected number of features that does not depend on the rows, so that rows may be written in other ways.
      {"bvs",
       {.fixed = {{"expected_features", std::string("0.5,1")},
                  {"precision", 0.004},
                  {"max_steps", 32000.0},
                  {"response", std::string("raw")}},
        .agreement = 0.05,
        .wide = {{"max_steps", 400.0}, {"precision", 0.05}}}},
      // Other draws for the same problem written in another way: agreement is what Monte Carlo error allows.
      {"gibbs",
       {.fixed = {{"prior_inclusion", 0.1},
                  {"slab_variance", 1.0},
                  {"chains", 2.0},
                  {"samples", 5000.0},
                  {"burn_in", 100.0}},
        .agreement = 0.05,
        .wide = {{"samples", 200.0}}}}};
  return known;
}

}  // namespace

std::vector<MethodCase> method_cases() {
  std::vector<MethodCase> cases;
  for (const Method* m : methods()) {
    for (const std::string_view name : supported_families(*m)) cases.push_back({m, &family(name)});
  }
  return cases;
}

std::string name_of_case(const MethodCase& tried) {
  std::string name = std::string(tried.method->name()) + "_" + std::string(tried.family->name());
  std::ranges::replace(name, '-', '_');
  return name;
}

double draw_response(const Family& family, double predictor, std::uint64_t seed, Index row) {
  RandomStream draw(seed, /*stream=*/2, static_cast<std::uint64_t>(row));
  return family.draw(predictor, /*noise_variance=*/0.25, draw);
}

Example make_example(const Family& family, Index rows, Index cols, std::uint64_t seed, double signal) {
  Example example{.family = &family, .X = Matrix(rows, cols), .y = std::vector<double>(rows)};
  std::vector<double> shared(rows);
  RandomStream(seed, /*stream=*/0).normals(shared);
  std::vector<double> predictor(rows, 0.2);
  if (family.is_binary()) signal *= 3;  // a coin says little about its odds
  for (Index j = 0; j < cols; ++j) {
    RandomStream draw(seed, /*stream=*/1, static_cast<std::uint64_t>(j));
    const double spread = 0.5 + static_cast<double>(j % 4);
    const double weight = j == 0 ? signal : j == 3 ? -0.8 * signal : 0.0;
    for (Index i = 0; i < rows; ++i) {
      const double z = draw.uniform01() < 0.3 ? 0.0 : 0.4 * shared[i] + draw.normal() + 0.3;
      example.X(i, j) = spread * z;
      predictor[i] += weight * z;
    }
  }
  for (Index i = 0; i < rows; ++i) example.y[i] = draw_response(family, predictor[i], seed, i);
  return example;
}

std::map<std::string, OptionValue> fixed_options(const Method& method) {
  if (const auto known = exceptions().find(method.name()); known != exceptions().end()) return known->second.fixed;
  const std::vector<Field> fields = method.fields();
  if (std::ranges::find(fields, "penalty", &Field::name) != fields.end()) return {{"penalty", 0.1}};
  return {};
}

std::map<std::string, OptionValue> wide_options(const Method& method) {
  std::map<std::string, OptionValue> options = fixed_options(method);
  if (const auto known = exceptions().find(method.name()); known != exceptions().end()) {
    for (const auto& [name, value] : known->second.wide) options[name] = value;
  }
  return options;
}

Index columns_for(const Method& method, Index wanted) { return std::min(wanted, method.most_features()); }

double agreement_tolerance(const Method& method) {
  const auto known = exceptions().find(method.name());
  return known != exceptions().end() ? known->second.agreement : Exception{}.agreement;
}

Fit fit_fixed(const MethodCase& tried, const Problem& problem) {
  return tried.method->fit(problem, fixed_options(*tried.method), {.folds = 0});
}

Fit fit_fixed(const MethodCase& tried, const Example& example) {
  const DenseDesign design(example.X);
  return fit_fixed(tried, example.problem(design));
}

void expect_same_answer(const Fit& expected, const Fit& received, const Matrix& X, double tolerance) {
  ASSERT_EQ(expected.coefficients.size(), received.coefficients.size());
  const DenseDesign design(X);
  const std::vector<double> eta = linear_predictor(expected, design);
  const std::vector<double> eta_too = linear_predictor(received, design);
  double size = 1;
  for (const double e : eta) size = std::max(size, std::abs(e));
  for (std::size_t i = 0; i < eta.size(); ++i) EXPECT_NEAR(eta[i], eta_too[i], tolerance * size) << "row " << i;
  for (Index j = 0; j < X.cols(); ++j) {
    double reach = 0;
    for (const double x : X.column(j)) reach = std::max(reach, std::abs(x));
    EXPECT_NEAR(expected.coefficients[j] * reach, received.coefficients[j] * reach, tolerance * size)
        << "feature " << j;
  }
}

void expect_same_bits(const Fit& a, const Fit& b) {
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.intercept, b.intercept);
  EXPECT_EQ(a.standard_deviations, b.standard_deviations);
  EXPECT_EQ(a.inclusion, b.inclusion);
  EXPECT_EQ(a.noise_variance, b.noise_variance);
  EXPECT_EQ(a.hyper, b.hyper);
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.message, b.message);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t k = 0; k < a.path.size(); ++k) {
    EXPECT_EQ(a.path[k].value, b.path[k].value);
    EXPECT_EQ(a.path[k].validation_error, b.path[k].validation_error);
    EXPECT_EQ(a.path[k].objective, b.path[k].objective);
  }
}

void expect_sound(const Fit& fit, Index cols) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto p = static_cast<std::size_t>(cols);
  ASSERT_EQ(fit.coefficients.size(), p);
  EXPECT_TRUE(std::ranges::all_of(fit.coefficients, finite));
  EXPECT_TRUE(std::isfinite(fit.intercept));
  EXPECT_TRUE(std::isfinite(fit.objective));
  EXPECT_THAT(fit.standard_deviations.size(), testing::AnyOf(0u, p));
  EXPECT_TRUE(std::ranges::all_of(fit.standard_deviations, [](double s) { return std::isfinite(s) && s >= 0; }));
  EXPECT_THAT(fit.inclusion.size(), testing::AnyOf(0u, p));
  EXPECT_TRUE(std::ranges::all_of(fit.inclusion, [](double q) { return q >= 0 && q <= 1; }));
  if (fit.noise_variance) {
    EXPECT_TRUE(std::isfinite(*fit.noise_variance) && *fit.noise_variance >= 0);
  }
  for (const TracePoint& point : fit.trace) {
    EXPECT_TRUE(std::isfinite(point.objective) && std::isfinite(point.change) && std::isfinite(point.certificate));
  }
  for (const PathPoint& point : fit.path) EXPECT_TRUE(std::isfinite(point.value) && std::isfinite(point.objective));
  EXPECT_NE(fit.message, "");
}

Matrix select_rows(const Matrix& X, const std::vector<Index>& rows) {
  Matrix out(std::ssize(rows), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < out.rows(); ++i) out(i, j) = X(rows[i], j);
  }
  return out;
}

std::vector<double> select_rows(const std::vector<double>& v, const std::vector<Index>& rows) {
  std::vector<double> out;
  for (const Index i : rows) out.push_back(v[i]);
  return out;
}

}  // namespace tamis::contract
