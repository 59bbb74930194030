// vg on responses without noise, where it is compressed sensing: exact recovery, and nothing that is not finite.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "method/mean_field/interpolation.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using Given = std::map<std::string, OptionValue>;

struct Noiseless {
  Matrix X;
  std::vector<double> y, truth;
};

Noiseless draw(Index n, Index p, Index k, std::uint64_t seed, double unit = 1) {
  Noiseless data{Matrix(n, p), std::vector<double>(n), std::vector<double>(p)};
  RandomStream random(seed, 1);
  for (Index j = 0; j < p; ++j) random.normals(data.X.column(j));
  for (Index j = 0; j < k; ++j) data.truth[3 * j % p] = unit * random.normal();
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) data.y[i] += data.truth[j] * data.X(i, j);
  }
  return data;
}

double relative_error(const std::vector<double>& b, const std::vector<double>& truth) {
  double error = 0, size = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    error += (b[j] - truth[j]) * (b[j] - truth[j]);
    size += truth[j] * truth[j];
  }
  return std::sqrt(error / size);
}

struct Shape {
  Index n, p, k;
};

void expect_recovery(const Shape& shape, double unit, bool plain, const Given& options) {
  constexpr double exact = 1e-6;
  const Noiseless data = draw(shape.n, shape.p, shape.k, 1, unit);
  const DenseDesign X(data.X);
  const Problem problem{
      .X = X, .y = data.y, .likelihood = family("gaussian"), .intercept = !plain, .standardize = !plain};
  const Fit found = fit(problem, "vg", options);
  const std::string where =
      fmt::format("{} x {}, unit {}, {}: {}", shape.n, shape.p, unit, plain ? "plain" : "standardized", found.message);
  EXPECT_LT(relative_error(found.coefficients, data.truth), exact) << where;
  EXPECT_EQ(found.status, Status::converged) << where;
  for (const double sd : found.standard_deviations) EXPECT_TRUE(std::isfinite(sd)) << where;
  EXPECT_TRUE(std::isfinite(found.objective)) << where;
}

// Wide, wider, of features about as rows, tall (on moments), and with every feature relevant.
TEST(NoiselessGarrote, RecoversExactlyAndConvergesForEveryShapeAndUnit) {
  for (const Shape& shape : {Shape{50, 100, 8}, {60, 400, 6}, {200, 30, 10}, {800, 20, 5}, {30, 10, 10}}) {
    for (const double unit : {1e-100, 1.0, 1e100}) expect_recovery(shape, unit, unit == 1, {});
  }
}

// 20 of 70 rows: training folds of 63 rows would leave it out more often.
TEST(NoiselessGarrote, IsNotLeftToCrossValidationIfAFitOfAllRowsLeavesNoNoise) {
  Noiseless data = draw(70, 100, 20, 3);
  const DenseDesign X(data.X);
  const Problem problem{.X = X, .y = data.y, .likelihood = family("gaussian"), .intercept = false};
  const Fit found = fit(problem, "vg", {});
  EXPECT_LT(relative_error(found.coefficients, data.truth), 1e-6) << found.message;
  EXPECT_NE(found.message.find("leaves no noise"), std::string::npos) << found.message;
  RandomStream random(5, 1);
  for (double& y : data.y) y += 1e-3 * random.normal();
  const Fit noisy = fit(problem, "vg", {});
  EXPECT_EQ(noisy.message.find("leaves no noise"), std::string::npos) << noisy.message;
  EXPECT_NE(noisy.message.find("cross-validation"), std::string::npos) << noisy.message;
}

// Any 20 rows of noise can be fitted by some of 2000 features; more rows than features cannot.
TEST(NoiselessGarrote, IsNotClaimedForPureNoise) {
  for (const Index p : {15, 2000}) {
    Noiseless data = draw(20, p, 0, 3);
    RandomStream random(6, 1);
    random.normals(data.y);
    const DenseDesign X(data.X);
    const Fit found = fit({.X = X, .y = data.y, .likelihood = family("gaussian")}, "vg", {});
    EXPECT_EQ(found.message.find("leaves no noise"), std::string::npos) << found.message;
  }
}

// Twenty rows, each twice: 18 features fit them by accident.
TEST(NoiselessGarrote, IsNotClaimedBecauseRowsAreRepeated) {
  Noiseless half = draw(20, 300, 0, 3), data = draw(40, 300, 0, 3);
  RandomStream random(7, 1);
  random.normals(half.y);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 300; ++j) data.X(i, j) = half.X(i % 20, j);
    data.y[i] = half.y[i % 20];
  }
  const DenseDesign X(data.X);
  const Fit found = fit({.X = X, .y = data.y, .likelihood = family("gaussian")}, "vg", {});
  EXPECT_EQ(found.message.find("leaves no noise"), std::string::npos) << found.message;
}

TEST(Interpolation, IsCountedAgainstTheNumberOfFeatureSets) {
  constexpr double none = 0, some = 1e-3;
  EXPECT_FALSE(features_interpolate(30, 50, 100, none, true));
  EXPECT_TRUE(features_interpolate(40, 50, 1000000, none, true)) << "some 40 of a million fit anything";
  EXPECT_FALSE(features_interpolate(40, 50, 1000000, some, false));
  EXPECT_TRUE(features_interpolate(40, 50, 1000000, some, true)) << "on its way there";
  EXPECT_TRUE(features_interpolate(45, 50, 100, some, false)) << "nearly as many as rows";
}

TEST(NoiselessGarrote, EquationsOfThePaperRecoverExactlyToo) {
  for (const char* solver : {"primal", "dual"}) {
    expect_recovery({30, 40, 3}, 1, true, {{"solver", std::string(solver)}, {"gamma", -10.0}, {"steps", 20.0}});
  }
}

}  // namespace
}  // namespace tamis
