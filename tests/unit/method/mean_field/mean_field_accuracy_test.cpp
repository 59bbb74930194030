// vg and pmf against exact enumeration of all subsets.
#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

constexpr Index n = 100, p = 12;
constexpr double prior_inclusion = 0.3;

// A draw from the model itself: slab and noise of unit variance. `carry` correlates neighbors.
struct Draw {
  Matrix X{n, p};
  std::vector<double> y = std::vector<double>(n);

  Draw(std::uint64_t seed, double carry) {
    RandomStream(seed, 1).normals(y);
    RandomStream coins(seed, 3);
    for (Index j = 0; j < p; ++j) {
      RandomStream(seed, 2, static_cast<std::uint64_t>(j)).normals(X.column(j));
      for (Index i = 0; i < n && j > 0; ++i) X(i, j) = carry * X(i, j - 1) + std::sqrt(1 - carry * carry) * X(i, j);
      const double weight = coins.uniform01() < prior_inclusion ? coins.normal() : 0.0;
      for (Index i = 0; i < n; ++i) y[i] += weight * X(i, j);
    }
  }
  Fit fit(std::string_view method, const std::map<std::string, OptionValue>& options) const {
    const DenseDesign design(X);
    return tamis::fit({.X = design, .y = y, .likelihood = family("gaussian"), .intercept = false, .standardize = false},
                      method, options);
  }
};

const std::map<std::string, OptionValue> truth = {
    {"prior_inclusion", prior_inclusion}, {"slab_variance", 1.0}, {"noise_variance", 1.0}};

double mean_error(std::string_view method, const std::map<std::string, OptionValue>& options, double carry) {
  constexpr int sets = 20;
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const Draw data(seed, carry);
    const Fit exact = data.fit("exact", truth), found = data.fit(method, options);
    for (std::size_t j = 0; j < p; ++j) sum += std::abs(exact.inclusion[j] - found.inclusion[j]) / (p * sets);
  }
  return sum;
}

const std::map<std::string, OptionValue> plain_garrote = {{"gamma", std::log(prior_inclusion / (1 - prior_inclusion))},
                                                          {"noise_precision", 1.0}};

TEST(MeanFieldAccuracy, PmfInclusionIsCloseToExact) { EXPECT_LT(mean_error("pmf", truth, 0), 0.02); }

TEST(MeanFieldAccuracy, CorrectedGarroteIsCloseToExactAndThePlainOneIsNot) {
  auto corrected = plain_garrote;
  corrected["slab_variance"] = 1.0;
  EXPECT_LT(mean_error("vg", corrected, 0), 0.03);
  EXPECT_LT(mean_error("vg", corrected, 0.5), 0.06);
  EXPECT_GT(mean_error("vg", plain_garrote, 0), 0.1);
}

TEST(MeanFieldAccuracy, TheBoundLiesBelowTheEvidence) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Draw data(seed, 0.5);
    EXPECT_LE(data.fit("pmf", truth).objective, data.fit("exact", truth).objective + 1e-8) << seed;
  }
}

TEST(MeanFieldAccuracy, LearntHyperParametersRaiseTheBound) {
  const Draw data(3, 0.5);
  EXPECT_GE(data.fit("pmf", {}).objective, data.fit("pmf", truth).objective - 1e-6);
}

TEST(MeanFieldAccuracy, AnnealingNeverEndsBelowItsBackwardPath) {
  const Draw data(5, 0.9);
  const Fit annealed = data.fit("pmf", {{"anneal", true}});
  ASSERT_FALSE(annealed.path.empty());
  for (const PathPoint& point : annealed.path) EXPECT_LE(point.objective, annealed.objective + 1e-6);
}

}  // namespace
}  // namespace tamis
