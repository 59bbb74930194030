// Methods that flas is compared with, on its data: what vb and mm find, and data on which ep once diverged.
#include <gmock/gmock.h>

#include <cmath>

#include "experiments/designs.hpp"
#include "experiments/laplace/reference_methods.hpp"

namespace tamis::experiments::laplace {
namespace {

const Control one_thread{.threads = 1};

struct Example {
  Simulation drawn;
  DenseDesign X;
  Problem problem;

  Example(const std::string& design, const std::map<std::string, double>& parameters)
      : drawn(simulate(design, 3, parameters)),
        X(drawn.train.X),
        problem{.X = X, .y = drawn.train.y.column(0), .likelihood = family(drawn.family), .standardize = false} {}
};

bool is_relevant(const Example& example, std::size_t j) {
  return example.drawn.truth.coefficients(static_cast<Index>(j), 0) != 0;
}

// From the start of the literature. At prior odds of 1, where the posterior of such data is dense, the largest bound of
// several starts has a few more.
TEST(FullVariational, FindsNearlyAllFeaturesThatMatterAndNoOthers) {
  const Example example("flas.regression-n100", {{"p", 60}, {"test", 0}});
  const std::map<std::string, OptionValue> options{{"prior_inclusion", 0.5},
                                                   {"spike_variance", 1e-3},
                                                   {"slab_variance", 5.0},
                                                   {"noise_variance", 1.0},
                                                   {"start", std::string("annealed")}};
  const Fit found = fit(example.problem, "vb", options, one_thread);
  Index kept = 0;
  for (std::size_t j = 0; j < found.inclusion.size(); ++j) {
    EXPECT_TRUE(is_relevant(example, j) || found.inclusion[j] < 0.5) << j;
    kept += found.inclusion[j] > 0.5 ? 1 : 0;
  }
  EXPECT_GE(kept, 17);  // of 20 in groups correlated .81
}

TEST(FullVariational, FindsExactlyThoseThatMatterByItself) {
  const Example example("flas.regression-n100", {{"p", 200}, {"test", 0}});
  const Fit found = fit(example.problem, "vb", {}, one_thread);
  for (std::size_t j = 0; j < found.inclusion.size(); ++j) {
    EXPECT_EQ(found.inclusion[j] > 0.5, is_relevant(example, j)) << j;
  }
}

TEST(FullVariational, TellsTwoClassesApart) {
  const Example example("flas.classification-n120", {{"p", 60}});
  const Fit found = fit(example.problem, "vb", {}, one_thread);
  EXPECT_LT(test_error(found, DenseDesign(example.drawn.test.X), example.drawn.test.y.column(0)), 0.2);
}

TEST(PointMassMode, FindsTheFeaturesThatMatter) {
  const Example example("flas.regression-n120", {{"p", 200}, {"test", 0}});
  const Fit found = fit(example.problem, "mm", {}, one_thread);
  for (std::size_t j = 0; j < found.coefficients.size(); ++j) {
    EXPECT_TRUE(!is_relevant(example, j) || found.coefficients[j] != 0) << j;
  }
}

// Sites of many features that share factors feed each other, and a slab that is learned feeds on them.
TEST(ReferenceMethods, FactorizedPropagationDoesNotRunAway) {
  const Example example("flas.expression-dlbcl", {{"p", 1500}});
  const Fit fit = factorized_ep().fit(example.problem, one_thread);
  double spread = 0;
  for (const double y : example.drawn.test.y.column(0))
    spread += y * y / static_cast<double>(example.drawn.test.rows());
  EXPECT_LT(test_error(fit, DenseDesign(example.drawn.test.X), example.drawn.test.y.column(0)), 2 * std::sqrt(spread))
      << fit.message;
}

}  // namespace
}  // namespace tamis::experiments::laplace
