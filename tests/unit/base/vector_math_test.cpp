#include "base/vector_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/simd_dispatch.hpp"

namespace tamis {
namespace {

// Two units in the last place: what the header promises.
constexpr double tolerance = 2 * std::numeric_limits<double>::epsilon();

TEST(BranchFree, ExpIsWithinTwoUnitsInTheLastPlace) {
  for (double x = -708; x <= 709; x += 0.0137) {
    ASSERT_NEAR(vector_math::exp(x) / std::exp(x), 1, tolerance) << x;
  }
  for (double x = -1e-3; x <= 1e-3; x += 1.7e-6) ASSERT_NEAR(vector_math::exp(x) / std::exp(x), 1, tolerance) << x;
}

TEST(BranchFree, ExpVanishesFarBelowAndKeepsNaN) {
  EXPECT_EQ(vector_math::exp(-709), 0);
  EXPECT_EQ(vector_math::exp(-1e300), 0);
  EXPECT_EQ(vector_math::exp(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(vector_math::exp(0), 1);
  EXPECT_TRUE(std::isnan(vector_math::exp(std::nan(""))));
}

TEST(BranchFree, Log1pIsWithinTwoUnitsInTheLastPlace) {
  for (double t = 1; t > 1e-300; t *= 0.9731) ASSERT_NEAR(vector_math::log1p(t) / std::log1p(t), 1, tolerance) << t;
  EXPECT_EQ(vector_math::log1p(0), 0);
}

TEST(BranchFree, LogIsWithinTwoUnitsInTheLastPlace) {
  for (double x = 1e-300; x < 1e300; x *= 1.0173) {
    ASSERT_NEAR(vector_math::log(x), std::log(x), tolerance * std::abs(std::log(x))) << x;
  }
  for (double x = 0.5; x < 2; x += 1.7e-4) {
    ASSERT_NEAR(vector_math::log(x), std::log(x), tolerance * std::abs(std::log(x))) << x;
  }
  EXPECT_EQ(vector_math::log(1), 0);
}

TEST(Vectorized, RunsTheLoopOnceWithTheSameNumbers) {
  std::vector<double> x(1003), out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -700 + 1.4 * static_cast<double>(i);
  int runs = 0;
  simd_dispatch([&] {
    ++runs;
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = vector_math::log1p(vector_math::exp(-std::abs(x[i])));
  });
  EXPECT_EQ(runs, 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Fused multiply-add rounds once where the plain version rounds twice.
    ASSERT_NEAR(out[i] / vector_math::log1p(vector_math::exp(-std::abs(x[i]))), 1, tolerance) << x[i];
  }
}

}  // namespace
}  // namespace tamis
