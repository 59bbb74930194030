// What counts as selected by lasso, elastic-net and capped-l1: no coefficients of rounding size, and one of identical
// columns.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "contract/method_cases.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

// Column `copy` repeats column `original`, which matters.
constexpr Index original = 3, copy = 5;

class PenalizedSupport : public testing::TestWithParam<const char*> {
 protected:
  PenalizedCase make(Index rows, Index cols, std::uint64_t seed) const {
    contract::Example e = contract::make_example(family(GetParam()), rows, cols, seed);
    std::ranges::copy(e.X.column(original), e.X.column(copy).begin());
    return {.family = GetParam(), .X = std::move(e.X), .y = std::move(e.y), .penalty = 0.03};
  }
  // The same without the copy: a constant column has no coefficient.
  static PenalizedCase alone(PenalizedCase c) {
    std::ranges::fill(c.X.column(copy), 0.0);
    return c;
  }
  static Fit fit_of(const PenalizedCase& c, const char* method, int threads = 1) {
    const DenseDesign design(c.X);
    return fit(c.problem(design), method, {{"penalty", c.penalty}}, {.threads = threads, .folds = 0});
  }
  // Tall enough for cross-products, square, and wide.
  static constexpr Index shapes[][2] = {{200, 8}, {40, 8}, {25, 60}};
};

TEST_P(PenalizedSupport, OfEqualColumnsOneHasTheCoefficient) {
  for (const auto& [rows, cols] : shapes) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      PenalizedCase c = make(rows, cols, seed);
      c.standardize = seed % 2 == 0;
      SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", seed " << seed);
      const Fit both = fit_of(c, "lasso"), one = fit_of(alone(c), "lasso");
      EXPECT_EQ(both.status, Status::converged) << both.message;
      EXPECT_TRUE(both.coefficients[copy] == 0 || both.coefficients[original] == 0);
      EXPECT_NEAR(both.coefficients[copy] + both.coefficients[original], one.coefficients[original], 1e-6);
      EXPECT_EQ(select_by_threshold(both).size(), select_by_threshold(one).size());
      EXPECT_LE(kkt_violation(c, both), 1e-7);
    }
  }
}

TEST_P(PenalizedSupport, DoesNotDependOnTheNumberOfThreads) {
  for (const char* method : {"lasso", "elastic-net", "capped-l1"}) {
    for (const auto& [rows, cols] : shapes) {
      const PenalizedCase c = make(rows, cols, 1);
      EXPECT_EQ(fit_of(c, method, 1).coefficients, fit_of(c, method, 2).coefficients) << method;
    }
  }
}

TEST_P(PenalizedSupport, HasNoCrumbs) {
  for (const char* method : {"lasso", "elastic-net", "capped-l1"}) {
    for (const auto& [rows, cols] : shapes) {
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const PenalizedCase c = make(rows, cols, seed);
        const Fit found = fit_of(c, method);
        EXPECT_EQ(found.status, Status::converged) << found.message;
        for (Index j = 0; j < cols; ++j) {
          const double b = std::abs(found.coefficients[j]) * scale_of(c, j).spread;
          EXPECT_TRUE(b == 0 || b > 1e-8 * c.penalty) << method << " feature " << j << ": " << b;
        }
      }
    }
  }
}

TEST_P(PenalizedSupport, CappedKeepsOneOfEqualColumns) {
  for (const auto& [rows, cols] : shapes) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Fit found = fit_of(make(rows, cols, seed), "capped-l1");
      EXPECT_TRUE(found.coefficients[copy] == 0 || found.coefficients[original] == 0) << seed;
    }
  }
}

TEST_P(PenalizedSupport, ElasticNetSharesAmongEqualColumns) {
  const Fit found = fit_of(make(40, 8, 1), "elastic-net");
  EXPECT_NE(found.coefficients[copy], 0);
  EXPECT_NEAR(found.coefficients[copy], found.coefficients[original], 1e-6);
}

TEST_P(PenalizedSupport, KeepsUnpenalizedFeaturesHoweverSmall) {
  PenalizedCase c = make(40, 8, 1);
  c.factors.assign(8, 1.0);
  c.factors[0] = 0;
  c.penalty = 100;  // beside which any coefficient is nothing
  const Fit found = fit_of(c, "lasso");
  EXPECT_NE(found.coefficients[0], 0);
  EXPECT_EQ(select_by_threshold(found).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, PenalizedSupport, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tamis
