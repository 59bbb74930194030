#include "solver/smooth/batched_newton_cg.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/random.hpp"

namespace tamis {
namespace {

TEST(BatchedNewtonCg, TheLevelOfAnOffsetIsTheInterceptsBusiness) {
  constexpr Index n = 60, m = 4;
  Matrix A(n, m);
  std::vector<double> y(n);
  for (Index j = 0; j < m; ++j) RandomStream(5, 1, static_cast<std::uint64_t>(j)).normals(A.column(j));
  for (Index i = 0; i < n; ++i) y[i] = std::floor(20 * std::exp(0.3 * A(i, 0) - 0.2 * A(i, 1)));
  const DenseDesign design(A.view());
  const std::vector<double> penalized(m, 1.0);
  const auto solved = [&](const std::vector<double>& offset) {
    BatchedNewtonCg team({.A = design,
                          .likelihood = family("poisson"),
                          .y = y,
                          .offset = offset,
                          .penalized = penalized,
                          .metric = {std::vector<double>(m, 1.0)}},
                         {std::vector<double>(n, 1.0 / n)});
    EXPECT_TRUE(team.solve(0.1, 1e-10, 1));
    std::vector<double> all(team.coefficients(0));
    all.push_back(team.intercept(0));
    return all;
  };
  const std::vector<double> plain = solved({});
  for (const double level : {0.0, -30.0, 300.0}) {
    const std::vector<double> moved = solved(std::vector<double>(n, level));
    for (Index j = 0; j < m; ++j) EXPECT_NEAR(moved[j], plain[j], 1e-8) << level;
    EXPECT_NEAR(moved[m], plain[m] - level, 1e-8) << level;
  }
}

}  // namespace
}  // namespace tamis
