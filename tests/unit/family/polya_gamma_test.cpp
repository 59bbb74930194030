#include "family/polya_gamma.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr Index draws = 30'000;
constexpr double standard_errors = 4;  // 1 in 16,000 by chance; the seeds are fixed

struct Kind {
  double shape, tilt;
};

std::vector<double> drawn(const Kind& kind) {
  RandomStream random(17, static_cast<std::uint64_t>(16 * kind.shape), static_cast<std::uint64_t>(16 * kind.tilt));
  std::vector<double> values(draws);
  for (double& value : values) value = draw_polya_gamma(kind.shape, kind.tilt, random);
  return values;
}

// Mean of f over the draws, and its standard error.
template <typename Function>
std::pair<double, double> average(const std::vector<double>& values, Function f) {
  double mean = 0, square = 0;
  for (const double value : values) {
    mean += f(value) / draws;
    square += f(value) * f(value) / draws;
  }
  return {mean, std::sqrt((square - mean * mean) / draws)};
}

class PolyaGamma : public testing::TestWithParam<Kind> {};

TEST_P(PolyaGamma, MeanAndVarianceAreThoseOfTheLaw) {
  const auto [shape, tilt] = GetParam();
  const std::vector<double> values = drawn(GetParam());
  const double expected = polya_gamma_mean(shape, tilt);
  const auto [mean, error] = average(values, [](double x) { return x; });
  EXPECT_NEAR(mean, expected, standard_errors * error);
  const auto [variance, its_error] = average(values, [&](double x) { return (x - expected) * (x - expected); });
  EXPECT_NEAR(variance, polya_gamma_variance(shape, tilt), standard_errors * its_error);
  EXPECT_GT(*std::ranges::min_element(values), 0);
}

// E exp(-s omega) of PG(shape, tilt) is (cosh(tilt/2) / cosh(sqrt(2 s + tilt^2)/2))^shape: it decides the law.
TEST_P(PolyaGamma, LaplaceTransformIsThatOfTheLaw) {
  const auto [shape, tilt] = GetParam();
  const std::vector<double> values = drawn(GetParam());
  const auto log_cosh = [](double x) { return x + log1pexp(-2 * x) - std::numbers::ln2; };
  for (const double means : {0.3, 1.0, 3.0}) {
    const double s = means / polya_gamma_mean(shape, tilt);
    const double expected =
        std::exp(shape * (log_cosh(0.5 * std::abs(tilt)) - log_cosh(0.5 * std::sqrt(2 * s + tilt * tilt))));
    const auto [mean, error] = average(values, [&](double x) { return std::exp(-s * x); });
    EXPECT_NEAR(mean, expected, standard_errors * error) << "at " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PolyaGamma,
                         testing::Values(Kind{1, 0}, Kind{1, 0.3}, Kind{1, 2}, Kind{1, 3.2}, Kind{1, 12}, Kind{1, 90},
                                         Kind{3, 1}, Kind{0.4, 0}, Kind{2.5, 1.5}, Kind{1.5, 25}, Kind{40, 0.7}));

TEST(PolyaGammaMoments, AreContinuousWhereTheSeriesTakesOver) {
  EXPECT_NEAR(polya_gamma_mean(1, 1.99999e-4), polya_gamma_mean(1, 2.00001e-4), 1e-12);
  EXPECT_NEAR(polya_gamma_variance(1, 0.0099999), polya_gamma_variance(1, 0.0100001), 1e-9);
  EXPECT_DOUBLE_EQ(polya_gamma_mean(2, 0), 0.5);
  EXPECT_DOUBLE_EQ(polya_gamma_variance(2, 0), 1.0 / 12);
}

TEST(PolyaGammaDraws, OfTheSignOfTheTiltAreTheSame) {
  RandomStream one(5), other(5);
  EXPECT_EQ(draw_polya_gamma(1, 1.7, one), draw_polya_gamma(1, -1.7, other));
}

TEST(PolyaGammaDraws, AreFiniteForTiltsThatOverflowAnExponential) {
  RandomStream random(5);
  for (const double tilt : {800.0, 1e5, 1e9}) {
    for (int k = 0; k < 100; ++k) {
      const double value = draw_polya_gamma(1, tilt, random);
      EXPECT_TRUE(std::isfinite(value) && value > 0 && value < 2 / tilt) << tilt << ": " << value;
    }
  }
}

}  // namespace
}  // namespace tamis
