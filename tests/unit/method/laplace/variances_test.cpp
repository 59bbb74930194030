// Posterior variances by Laplace's method where they are known in closed form.
#include "method/laplace/variances.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "contract/method_cases.hpp"

namespace tamis {
namespace {

// With orthogonal columns a landmark has its exact variance and every other feature that of the prior. Of 25 features
// each is in one of the five disjoint sets of five.
TEST(PosteriorVariances, OfTheEnsembleAreMeansOverDisjointSets) {
  constexpr Index n = 32, p = 25;
  Matrix columns(n, p);
  for (Index j = 0; j < p; ++j) {  // Walsh functions but the constant one: orthogonal, of mean 0 and square 1
    for (Index i = 0; i < n; ++i) {
      columns(i, j) = std::popcount(static_cast<unsigned>(i & (j + 1))) % 2 == 0 ? 1 : -1;
    }
  }
  std::vector<double> y(n);
  for (Index i = 0; i < n; ++i) y[i] = columns(i, 0) + 0.1 * columns(i, 30 % p);
  const DenseDesign X(columns);
  const Problem problem{.X = X, .y = y, .likelihood = family("gaussian")};
  const ScaledProblem scaled(problem);
  constexpr double precision = 0.3, prior = 0.5;
  const std::vector<double> information(n, precision), priors(p, prior);
  const double exact = 1 / (precision * n + 1 / prior);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> variances =
        posterior_variances(scaled, information, priors, HessianKind::nystrom, {}, seed);
    for (Index j = 0; j < p; ++j) EXPECT_NEAR(variances[j], (exact + 4 * prior) / 5, 1e-9) << j;
  }
}

}  // namespace
}  // namespace tamis
