// The evidence bound of the mean field may only improve.
#include "factor/variational/mean_field.hpp"

#include <gmock/gmock.h>

#include "unit/factor/factor_start.hpp"

namespace tamis {
namespace {

class MeanFieldBound : public testing::TestWithParam<const char*> {};

TEST_P(MeanFieldBound, NeverFalls) {
  if (!family(GetParam()).quadratic_is_bound()) return;  // Newton steps promise nothing
  const Matrix data = two_factor_table(GetParam(), 30, 8, 4);
  FactorProblem problem;
  problem.dense = data;
  problem.family = GetParam();
  problem.factors = 3;
  const factor::Cells cells(problem);
  factor::MeanField field(cells, {}, random_start(cells));
  double last = field.objective();
  const auto rises = [&](const char* step) {
    const double now = field.objective();
    EXPECT_GE(now, last - 1e-9 * std::abs(last)) << step;  // rounding
    last = now;
  };
  for (int i = 0; i < 30; ++i) {
    field.update_scores();
    rises("scores");
    field.update_loadings();
    rises("loadings");
    field.update_hyper();
    rises("hyperparameters");
  }
}

INSTANTIATE_TEST_SUITE_P(Families, MeanFieldBound, testing::Values("gaussian", "bernoulli", "poisson", "waiting"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tamis
