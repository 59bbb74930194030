// The Variational Garrote: fixed points of its equations, agreement of its solvers, and what it does where the
// published recipe fails.
#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Data {
  Matrix X;
  std::vector<double> y;
};

// Independent normal columns; the first `relevant` have weight 1.
Data draw(Index n, Index p, Index relevant, double noise, std::uint64_t seed) {
  Data data{Matrix(n, p), std::vector<double>(n)};
  RandomStream(seed, 1).normals(data.y);
  for (double& y : data.y) y *= noise;
  for (Index j = 0; j < p; ++j) {
    RandomStream(seed, 2, static_cast<std::uint64_t>(j)).normals(data.X.column(j));
    for (Index i = 0; i < n && j < relevant; ++i) data.y[i] += data.X(i, j);
  }
  return data;
}

using Settings = std::map<std::string, OptionValue>;

Fit fit_vg(const Data& data, const Settings& options, const Control& control = {},
           std::string_view family = "gaussian") {
  const DenseDesign X(data.X);
  return fit({.X = X, .y = data.y, .likelihood = tamis::family(family)}, "vg", options, control);
}

double number(const Fit& fit, const std::string& name) { return std::get<double>(fit.hyper.at(name)); }

TEST(VariationalGarrote, SolversAgreeInFreeEnergy) {
  const Data data = draw(50, 100, 3, 1.0, 7);
  for (const double gamma : {-15.0, -10.0, -6.0}) {
    const double coordinate = fit_vg(data, {{"gamma", gamma}, {"solver", std::string("coordinate")}}).objective;
    for (const char* solver : {"primal", "dual"}) {
      const Fit other = fit_vg(data, {{"gamma", gamma}, {"solver", std::string(solver)}});
      EXPECT_NEAR(other.objective, coordinate, 1e-5) << solver << " at " << gamma;
    }
  }
}

TEST(VariationalGarrote, SolversAgreeAlongThePath) {
  const Data data = draw(80, 20, 3, 1.0, 8);
  const Fit coordinate = fit_vg(data, {{"steps", 20.0}}, {.folds = 0});
  for (const char* solver : {"primal", "dual"}) {
    const Fit other = fit_vg(data, {{"steps", 20.0}, {"solver", std::string(solver)}}, {.folds = 0});
    ASSERT_EQ(other.path.size(), coordinate.path.size());
    for (std::size_t k = 0; k < other.path.size(); ++k) {
      EXPECT_NEAR(other.path[k].objective, coordinate.path[k].objective, 1e-5) << solver << " at point " << k;
    }
  }
}

// Tall data take another road: cross-products instead of passes over X.
TEST(VariationalGarrote, SolversAgreeOnTallData) {
  const Data data = draw(800, 12, 3, 1.0, 9);
  const Fit tall = fit_vg(data, {{"steps", 10.0}}, {.folds = 0});
  const Fit primal = fit_vg(data, {{"steps", 10.0}, {"solver", std::string("primal")}}, {.folds = 0});
  ASSERT_EQ(tall.path.size(), primal.path.size());
  for (std::size_t k = 0; k < tall.path.size(); ++k) {
    EXPECT_NEAR(tall.path[k].objective, primal.path[k].objective, 1e-5) << "point " << k;
  }
  EXPECT_THAT(fit_vg(data, {}, {.folds = 5}).message, HasSubstr("5-fold"));
}

// More features than fit into the working set, so that most of them are in the remainder.
TEST(VariationalGarrote, AWideSolutionIsAFixedPointOfItsEquations) {
  const Index n = 80, p = 3000;
  const Data data = draw(n, p, 3, 0.5, 11);
  for (const double gamma : {-14.0, -10.0}) {
    const Fit found = fit_vg(data, {{"gamma", gamma}});
    ASSERT_EQ(found.status, Status::converged);
    const auto& w = std::get<std::vector<double>>(found.hyper.at("weights"));
    const double precision = number(found, "noise_precision") * n;
    std::vector<double> residual = data.y;
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) {
        residual[i] -= found.coefficients[j] * data.X(i, j);
      }
    }
    for (double& r : residual) r -= found.intercept;
    for (Index j = 0; j < p; ++j) {
      const auto s = static_cast<std::size_t>(j);
      double mean = 0, chi = 0, c = 0;
      for (const double x : data.X.column(j)) mean += x / n;
      for (Index i = 0; i < n; ++i) {
        chi += std::pow(data.X(i, j) - mean, 2) / n;
        c += (data.X(i, j) - mean) * residual[i] / n;
      }
      // Two sides of Eqs. 8 and 9; what is not negligible is settled to the tolerance of 1e-5.
      const double wanted = (c + chi * found.coefficients[s]) / chi;
      const double tolerance = 1e-4 / std::sqrt(precision * chi);
      EXPECT_NEAR(w[s], wanted, tolerance) << "feature " << j;
      EXPECT_NEAR(found.inclusion[s], logistic(gamma + 0.5 * precision * chi * wanted * wanted), 1e-4);
    }
  }
}

TEST(VariationalGarrote, FreeEnergyNeverRisesOnWideData) {
  const Data data = draw(60, 2500, 4, 0.5, 5);
  const Fit found = fit_vg(data, {{"gamma", -11.0}, {"tolerance", 1e-9}});
  ASSERT_GT(found.trace.size(), 2u);
  for (std::size_t k = 1; k < found.trace.size(); ++k) {
    const double rise = found.trace[k].objective - found.trace[k - 1].objective;
    EXPECT_LT(rise, 1e-9 * std::abs(found.trace[k].objective)) << "step " << k;
  }
}

// With one feature of squared correlation rho the two solutions have equal free energy at (N/2) log(1 - rho), which is
// also where the exact MAP solution switches.
// A thousand columns that say nearly the same, none of them probable: together they are as strong as one.
TEST(VariationalGarrote, ManyNearDuplicatesComeToRest) {
  Data data = draw(80, 2500, 1, 1.0, 21);
  for (Index j = 1; j < 2000; ++j) {
    for (Index i = 0; i < 80; ++i) data.X(i, j) = data.X(i, 0) + 0.05 * data.X(i, j);
  }
  for (const double gamma : {-20.0, -14.0, -10.0}) {
    EXPECT_EQ(fit_vg(data, {{"gamma", gamma}}).status, Status::converged) << gamma;
  }
}

TEST(VariationalGarrote, OneFeatureSwitchesWhereFreeEnergiesAreEqual) {
  const Index n = 100;
  Data data{Matrix(n, 1), std::vector<double>(n)};
  for (Index i = 0; i < n; ++i) {
    const auto s = static_cast<std::size_t>(i);
    data.X(i, 0) = i % 2 == 0 ? 1 : -1;
    data.y[s] = data.X(i, 0) + (i % 4 < 2 ? 1 : -1);  // squared correlation 1/2
  }
  const double equal = 50 * std::log(0.5);
  EXPECT_NEAR(equal, -34.657, 1e-3);
  EXPECT_LT(fit_vg(data, {{"gamma", equal - 0.01}}).inclusion[0], 0.5);
  EXPECT_GT(fit_vg(data, {{"gamma", equal + 0.01}}).inclusion[0], 0.5);
}

TEST(VariationalGarrote, TheBackwardPassNeverEndsAboveTheForwardOne) {
  const Data data = draw(50, 100, 5, 1.0, 3);
  const Fit found = fit_vg(data, {}, {.folds = 0});
  const auto& forward = std::get<std::vector<double>>(found.hyper.at("path_forward_objective"));
  const auto& backward = std::get<std::vector<double>>(found.hyper.at("path_backward_objective"));
  ASSERT_EQ(forward.size(), found.path.size());
  ASSERT_EQ(backward.size(), found.path.size());
  for (std::size_t k = 0; k < forward.size(); ++k) {
    EXPECT_LE(backward[k], forward[k] + 1e-6) << "point " << k;
    EXPECT_DOUBLE_EQ(found.path[k].objective, std::min(forward[k], backward[k]));
  }
}

// Features enough to interpolate: the free energy falls without bound, and the literal recipe ends there.
TEST(VariationalGarrote, APathEndsBeforeItInterpolates) {
  const Index n = 40;
  const Data data = draw(n, 100, 2, 1.0, 4);
  const Fit found = fit_vg(data, {}, {.folds = 0});
  EXPECT_LT(found.path.size(), 50u);
  for (const PathPoint& point : found.path) EXPECT_LT(point.active, 0.9 * n);
  EXPECT_GT(*found.noise_variance, 1e-3);
}

TEST(VariationalGarrote, AGammaThatInterpolatesIsSaid) {
  const Fit found = fit_vg(draw(20, 60, 2, 1.0, 4), {{"gamma", 5.0}});
  EXPECT_THAT(found.message, HasSubstr("a smaller gamma"));
  EXPECT_THAT(found.coefficients, Each(0.0));
}

TEST(VariationalGarrote, NoiseFreeDataAreRecovered) {
  const Data data = draw(60, 30, 3, 0.0, 2);
  const Fit found = fit_vg(data, {}, {.folds = 5});
  for (std::size_t j = 0; j < 30; ++j) EXPECT_NEAR(found.coefficients[j], j < 3 ? 1.0 : 0.0, 1e-5) << j;
}

TEST(VariationalGarrote, CrossValidationFindsTheRelevantFeatures) {
  const Data data = draw(200, 2000, 6, 1.0, 6);
  const Fit found = fit_vg(data, {}, {.folds = 10});
  EXPECT_EQ(found.status, Status::converged);
  const std::vector<Selected> kept = select_by_threshold(found);
  ASSERT_EQ(kept.size(), 6u);
  for (const Selected& s : kept) EXPECT_LT(s.feature, 6);
  EXPECT_NEAR(*found.noise_variance, 1.0, 0.3);
}

TEST(VariationalGarrote, BernoulliFindsTheRelevantFeatures) {
  Data data = draw(300, 500, 3, 0.5, 12);
  for (double& y : data.y) y = y > 0 ? 1 : 0;
  const Fit found = fit_vg(data, {}, {.folds = 5}, "bernoulli");
  EXPECT_EQ(found.status, Status::converged);
  for (Index j = 0; j < 3; ++j) EXPECT_GT(found.inclusion[j], 0.9);
  EXPECT_LE(select_by_threshold(found).size(), 5u);
  EXPECT_FALSE(found.noise_variance.has_value());
}

TEST(VariationalGarrote, SeparableClassesGiveFiniteWeights) {
  Data data = draw(60, 5, 1, 0.0, 13);
  for (double& y : data.y) y = y > 0 ? 1 : 0;
  const Fit found = fit_vg(data, {{"gamma", -3.0}}, {}, "bernoulli");
  EXPECT_TRUE(std::isfinite(found.coefficients[0]));
  EXPECT_GT(found.inclusion[0], 0.9);
}

TEST(VariationalGarrote, OptionsThatDoNotFitAreRefusedWithAReason) {
  Data data = draw(30, 5, 1, 1.0, 14);
  for (double& y : data.y) y = y > 0 ? 1 : 0;
  EXPECT_THAT(
      [&] {
        fit_vg(data, {{"noise_precision", 1.0}}, {}, "bernoulli");
      },
      ThrowsMessage<InvalidOption>(HasSubstr("family bernoulli has no noise variance")));
  EXPECT_THAT(
      [&] {
        fit_vg(data, {{"solver", std::string("dual")}}, {}, "bernoulli");
      },
      ThrowsMessage<InvalidOption>(HasSubstr("use solver=coordinate")));
  const Data wide = draw(4, 5001, 1, 1.0, 15);
  EXPECT_THAT(
      [&] {
        fit_vg(wide, {{"solver", std::string("primal")}});
      },
      ThrowsMessage<InvalidOption>(HasSubstr("5001 unknowns")));
}

TEST(VariationalGarrote, TwoClassesThatAnyFeaturesExplainLeaveTheLogOdds) {
  Data data = draw(40, 60, 2, 0.1, 3);
  for (double& y : data.y) y = y > 0.8 ? 1 : 0;
  double ones = 0;
  for (const double y : data.y) ones += y;
  const Fit found = fit_vg(data, {{"gamma", 10.0}}, {}, "bernoulli");
  EXPECT_THAT(found.message, HasSubstr("interpolate"));
  EXPECT_THAT(found.coefficients, Each(0.0));
  EXPECT_NEAR(found.intercept, std::log(ones / (40 - ones)), 1e-12);
}

// More features than rows: half of the rows' number of features that leave a few percent of the response explain noise.
TEST(VariationalGarrote, NoGammaOfWideDataKeepsHalfOfTheRowsAndNoNoise) {
  for (const char* solver : {"coordinate", "primal"}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Data data = draw(30, 60, 8, 1.0, seed);
      double mean = 0, square = 0;
      for (const double y : data.y) mean += y / 30;
      for (const double y : data.y) square += (y - mean) * (y - mean) / 30;
      for (const double gamma : {-4.0, -3.0}) {
        const Fit found = fit_vg(data, {{"gamma", gamma}, {"solver", std::string(solver)}});
        if (!found.hyper.contains("expected_features")) continue;  // the null model: every solution interpolated
        EXPECT_FALSE(number(found, "expected_features") > 16 && *found.noise_variance < 0.05 * square)
            << seed << " at " << gamma << ": " << found.message;
      }
    }
  }
}

// Every feature has a weak effect: the held-out error falls up to the last gamma, near even odds, and beyond.
TEST(VariationalGarrote, APathGoesOnWhereItsLastGammaIsTheBest) {
  int extended = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Data data = draw(100, 10, 10, 5.0, seed);
    const Fit found = fit_vg(data, {{"steps", 6.0}});
    EXPECT_EQ(found.status, Status::converged) << found.message;
    for (std::size_t k = 1; k < found.path.size(); ++k) EXPECT_GT(found.path[k].value, found.path[k - 1].value);
    extended += found.path.size() > 6 ? 1 : 0;
  }
  EXPECT_GT(extended, 0);
}

}  // namespace
}  // namespace tamis
