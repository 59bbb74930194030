// What every Family promises of random numbers and integrals: draws, intervals, and the abilities that samplers and
// expectation propagation need. A new family is tested by being in families().
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tamis/base/random.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

class FamilyDraws : public testing::TestWithParam<const Family*> {
 protected:
  const Family& family() const { return *GetParam(); }
  std::vector<double> responses() const {
    std::vector<double> allowed;
    for (const double y : {0.0, 1.0, 2.0, 7.0, -1.5, 0.25}) {
      if (family().complaint(y).empty()) allowed.push_back(y);
    }
    return allowed;
  }
  double residual(double y, double eta) const { return derivatives(y, eta).first; }
  double curvature(double y, double eta) const { return derivatives(y, eta).second; }

 private:
  std::pair<double, double> derivatives(double y, double eta) const {
    double r = 0, c = 0;
    family().derivatives(std::span(&y, 1), std::span(&eta, 1), std::span(&r, 1), std::span(&c, 1));
    return {r, c};
  }
};

// 20,000 draws at a predictor, of noise variance 1 where the family has noise.
std::vector<double> draws_of(const Family& family, double eta) {
  std::vector<double> draws(20'000);
  for (Index i = 0; i < std::ssize(draws); ++i) {
    RandomStream random(17, 0, static_cast<std::uint64_t>(i));
    draws[i] = family.draw(eta, 1, random);
  }
  return draws;
}

// Mean and its standard error.
template <class Function>
std::pair<double, double> average(const std::vector<double>& draws, const Function& f) {
  double sum = 0, squares = 0;
  for (const double y : draws) {
    sum += f(y);
    squares += f(y) * f(y);
  }
  const double n = static_cast<double>(draws.size()), mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
}

constexpr double standard_errors = 4.5;  // a chance of 7e-6 for each comparison

TEST_P(FamilyDraws, DrawsAreAllowedResponsesWithTheRightMean) {
  for (const double eta : {-1.0, 0.3, 2.0}) {
    const std::vector<double> draws = draws_of(family(), eta);
    for (const double y : draws) ASSERT_EQ(family().complaint(y), "") << y;
    const auto [mean, error] = average(draws, [](double y) { return y; });
    EXPECT_NEAR(mean, family().mean(eta), standard_errors * error) << eta;
  }
}

// The residual is the derivative of the log density: its mean is 0 and its variance is the mean curvature.
TEST_P(FamilyDraws, DrawsFollowTheLogDensity) {
  for (const double eta : {-1.0, 0.3, 2.0}) {
    const std::vector<double> draws = draws_of(family(), eta);
    const auto [slope, error] = average(draws, [&](double y) { return residual(y, eta); });
    EXPECT_NEAR(slope, 0, standard_errors * error) << eta;
    const auto [information, spread] =
        average(draws, [&](double y) { return residual(y, eta) * residual(y, eta) - curvature(y, eta); });
    EXPECT_NEAR(information, 0, standard_errors * spread) << eta;
  }
}

TEST_P(FamilyDraws, IntervalsCoverDraws) {
  for (const double level : {0.5, 0.9}) {
    for (const double eta : {-1.0, 0.3, 2.0}) {
      const Family::Interval inside = family().interval(family().mean(eta), 1, level);
      if (family().is_binary()) {
        EXPECT_TRUE(std::isnan(inside.lower) && std::isnan(inside.upper));
        continue;
      }
      const std::vector<double> draws = draws_of(family(), eta);
      const auto share = [&](const auto& holds) {
        return average(draws, [&](double y) { return holds(y) ? 1.0 : 0.0; }).first;
      };
      const double tail = 0.5 * (1 - level), error = standard_errors * std::sqrt(tail * (1 - tail) / 20'000);
      EXPECT_LE(share([&](double y) { return y < inside.lower; }), tail + error);
      EXPECT_LE(share([&](double y) { return y > inside.upper; }), tail + error);
      // No wider than it has to be: without its ends it holds less than the level.
      EXPECT_GE(share([&](double y) { return y <= inside.lower; }), tail - error);
      EXPECT_GE(share([&](double y) { return y >= inside.upper; }), tail - error);
    }
  }
}

// exp(shift eta - precision eta^2 / 2), averaged over the precisions that belong to a predictor, is the likelihood: at
// any other predictor relative to there.
TEST_P(FamilyDraws, AugmentationAveragesToTheLikelihood) {
  const Augmentation* augmentation = family().augmentation();
  if (augmentation == nullptr) GTEST_SKIP() << "has none";
  for (const double weight : {1.0, 2.5}) {
    for (const double y : {0.0, 1.0}) {
      const double from = 0.5, to = 1.5, shift = augmentation->shift(y, weight);
      std::vector<double> precisions(20'000);
      for (Index i = 0; i < std::ssize(precisions); ++i) {
        RandomStream random(18, 0, static_cast<std::uint64_t>(i));
        precisions[i] = augmentation->draw_precision(y, weight, from, random);
      }
      const auto [ratio, error] = average(precisions, [&](double precision) {
        return std::exp(shift * (to - from) - 0.5 * precision * (to * to - from * from));
      });
      const double expected = std::exp(weight * (family().log_density(y, to) - family().log_density(y, from)));
      EXPECT_NEAR(ratio, expected, standard_errors * error + 1e-13) << "y " << y << " weight " << weight;
    }
  }
}

TEST_P(FamilyDraws, TiltedMomentsAreThoseOfQuadrature) {
  const TiltedMoments* tilted = family().tilted();
  if (tilted == nullptr) GTEST_SKIP() << "has none";
  for (const double y : responses()) {
    for (const double power : {1.0, 0.3}) {
      for (const auto& [offset, mean, precision] : {std::tuple{0.0, 0.4, 1.0}, {1.5, -2.0, 0.25}, {-0.5, 3.0, 30.0}}) {
        const double sd = 1 / std::sqrt(precision), step = 0.001 * sd,
                     height = power * family().log_density(y, offset + mean);
        double mass = 0, first = 0, second = 0;
        for (double x = -40 * sd; x <= 40 * sd; x += step) {
          const double log_density = power * family().log_density(y, offset + mean + x) - height;
          const double density = std::exp(log_density - 0.5 * precision * x * x);
          mass += density;
          first += density * x;
          second += density * x * x;
        }
        const double shift = first / mass;
        const TiltedNormal found = tilted->tilted(y, power, offset, mean, precision);
        EXPECT_NEAR(found.log_mass, height + std::log(mass * step / sd / std::sqrt(2 * std::numbers::pi)),
                    1e-9 * (1 + std::abs(height)));
        EXPECT_NEAR(found.mean, mean + shift, 1e-9 * (1 + std::abs(mean + shift)));
        EXPECT_NEAR(found.variance * precision, (second / mass - shift * shift) * precision, 1e-8);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FamilyDraws, testing::ValuesIn(families()), [](const auto& info) {
  std::string name(info.param->name());
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace tamis
