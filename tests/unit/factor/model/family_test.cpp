// What factor models ask of a family agrees with what regression asks of it, for every family.
#include "tamis/family/family.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tamis/base/logarithm.hpp"
#include "unit/factor/waiting_times.hpp"

namespace tamis {
namespace {

constexpr double largest_cell = 30;
const std::vector<double> predictors = {-5.0, -1.3, -0.2, 0.0, 1e-5, 0.04, 0.7, 2.5};  // below the limit of counts
constexpr double step = 1e-4;
constexpr double difference_error = 1e-6;  // of a central difference, relative to the function

class FamilyOfCells : public testing::TestWithParam<std::string> {
 protected:
  FamilyOfCells() : named_(tamis::family(GetParam())), limited_(named_.limited({}, largest_cell)) {}
  const Family& family() const { return limited_ ? *limited_ : named_; }

  // Values that may be seen, in a line with every predictor.
  std::vector<double> values() const {
    std::vector<double> found;
    for (const double x : {0.0, 1.0, 2.0, 7.0, 0.25, -1.5}) {
      if (family().complaint(x).empty()) found.push_back(x);
    }
    return found;
  }

  struct Cell {
    double loss = 0, residual = 0, weight = 0;
  };
  Cell at(double x, double psi) const {
    Cell cell;
    family().quadratic_losses(std::span(&x, 1), std::span(&psi, 1), std::span(&cell.loss, 1),
                              std::span(&cell.residual, 1), std::span(&cell.weight, 1));
    return cell;
  }
  QuadraticModel expected(double x, const NormalBelief& psi, double noise_precision = 1) const {
    QuadraticModel model;
    family().expected_quadratic(std::span(&x, 1), {std::span(&psi.mean, 1), std::span(&psi.variance, 1)},
                                noise_precision, std::span(&model.residual, 1), std::span(&model.weight, 1));
    return model;
  }
  double expected_log_density(double x, const NormalBelief& psi, double noise_precision = 1) const {
    double out = 0;
    family().expected_log_density(std::span(&x, 1), {std::span(&psi.mean, 1), std::span(&psi.variance, 1)},
                                  noise_precision, std::span(&out, 1));
    return out;
  }

 private:
  const Family& named_;
  std::unique_ptr<const Family> limited_;
};

TEST_P(FamilyOfCells, HasQuadraticModelsThatTouchItsLoss) {
  for (const double x : values()) {
    for (const double psi : predictors) {
      const Cell cell = at(x, psi);
      EXPECT_NEAR(cell.loss, family().loss(x, psi), 1e-13 * (1 + std::abs(cell.loss)));
      double residual = 0, curvature = 0;
      family().derivatives(std::span(&x, 1), std::span(&psi, 1), std::span(&residual, 1), std::span(&curvature, 1));
      EXPECT_NEAR(cell.residual, residual, 1e-13 * (1 + std::abs(residual)));
      if (!family().quadratic_is_bound()) {
        EXPECT_NEAR(cell.weight, curvature, 1e-13 * (1 + curvature));
        continue;
      }
      for (const double t : {-4.0, -0.5, 0.3, 3.0}) {
        const double bound = cell.loss - cell.residual * t + 0.5 * cell.weight * t * t;
        EXPECT_GE(bound, family().loss(x, psi + t) - 1e-12) << x << " at " << psi << " + " << t;
      }
    }
  }
}

TEST_P(FamilyOfCells, HasExpectedModelsWithTheSlopeOfTheExpectedDensity) {
  for (const double x : values()) {
    for (const double mean : predictors) {
      for (const double variance : {0.01, 0.8}) {
        const double up = expected_log_density(x, {mean + step, variance}, 0.7);
        const double slope = (up - expected_log_density(x, {mean - step, variance}, 0.7)) / (2 * step);
        EXPECT_NEAR(expected(x, {mean, variance}, 0.7).residual, slope, difference_error * (1 + std::abs(up)));
      }
    }
  }
}

TEST_P(FamilyOfCells, ExpectsOfAPointWhatThePointIs) {
  for (const double x : values()) {
    for (const double psi : predictors) {
      const Cell cell = at(x, psi);
      EXPECT_NEAR(expected_log_density(x, {psi, 0}), -cell.loss, 1e-9 * (1 + std::abs(cell.loss)));
      const QuadraticModel model = expected(x, {psi, 0});
      EXPECT_NEAR(model.residual, cell.residual, 1e-9 * (1 + std::abs(cell.residual)));
      EXPECT_NEAR(model.weight, cell.weight, 1e-8 * (1 + cell.weight));
    }
  }
}

// By the trapezoidal rule over 16 deviations.
TEST_P(FamilyOfCells, PredictsWithTheMeanOfItsDensity) {
  constexpr double quadrature_error = 1e-3;  // of 15 nodes, of the log
  const NormalBelief belief{0.4, 0.3};
  for (const double x : values()) {
    double sum = 0, total = 0;
    for (double z = -8; z <= 8; z += 0.001) {
      const double share = std::exp(-0.5 * z * z);
      sum += share * std::exp(family().cell_log_density(x, belief.mean + std::sqrt(belief.variance) * z, 1.3));
      total += share;
    }
    EXPECT_NEAR(family().predictive_log_density(x, belief, 1.3), std::log(sum / total), quadrature_error) << x;
  }
}

TEST_P(FamilyOfCells, AddsTheBaseThatTheLossLeavesOut) {
  if (family().is_quadratic()) return;  // its base is that of its noise
  for (const double x : values()) {
    double base = 0;
    family().log_base(std::span(&x, 1), std::span(&base, 1));
    EXPECT_NEAR(base - at(x, 0.7).loss, family().cell_log_density(x, 0.7, 1), 1e-12);
  }
}

TEST_P(FamilyOfCells, HasALoadingPriorWhoseDerivativesAgree) {
  const std::unique_ptr<const LoadingPrior> prior = family().loading_prior();
  EXPECT_GT(prior->count(), 0);
  for (const double theta : predictors) {
    const double scale = 1 + std::abs(prior->log_density(theta));
    const double slope = (prior->log_density(theta + step) - prior->log_density(theta - step)) / (2 * step);
    EXPECT_NEAR(prior->slope(theta), slope, difference_error * scale);
    EXPECT_NEAR(prior->quadratic(theta).residual, slope, difference_error * scale);
    const double rise = prior->expected_log_density({theta, 0}) - prior->expected_log_density({0, 0});
    EXPECT_NEAR(rise, prior->log_density(theta) - prior->log_density(0), 1e-9 * scale);
    for (const double variance : {0.01, 0.8}) {
      const double up = prior->expected_log_density({theta + step, variance});
      const double mean_slope = (up - prior->expected_log_density({theta - step, variance})) / (2 * step);
      EXPECT_NEAR(prior->expected_quadratic({theta, variance}).residual, mean_slope,
                  difference_error * (1 + std::abs(up)));
    }
  }
  EXPECT_LT(prior->log_density(-60), prior->log_density(0) - 20) << "it is a density";
  EXPECT_LT(prior->log_density(60), prior->log_density(0) - 20);
}

TEST_P(FamilyOfCells, BeginsWhereAColumnHasItsMean) {
  const double begin = family().start_predictor(0.3);
  EXPECT_NEAR(family().mean(begin), 0.3, 1e-12);
  EXPECT_GT(family().typical_curvature(6, 20), 0);
  EXPECT_TRUE(std::isfinite(family().typical_curvature(0, 0)));
}

// The own forecast of a family and the one by simulation, which any family has.
TEST_P(FamilyOfCells, ForecastsWhatItDraws) {
  if (family().is_binary() || family().is_quadratic()) return;  // these need no forecast
  for (const NormalBelief& belief : {NormalBelief{2, 0.0}, NormalBelief{1.5, 0.2}}) {
    const Family::Forecast own = family().forecast(belief, 1), drawn = family().Family::forecast(belief, 1);
    EXPECT_EQ(own.mean, family().mean(belief.mean));
    EXPECT_NEAR(own.sd, drawn.sd, 0.1 * own.sd);
    constexpr double draws_error = 0.3;  // of 2000 draws at the tails, in standard deviations
    EXPECT_NEAR(own.lower, drawn.lower, draws_error * own.sd + 1);
    EXPECT_NEAR(own.upper, drawn.upper, draws_error * own.sd + 1);
    const double rate = std::exp(belief.mean);
    EXPECT_LT(drawn.lower, rate);
    EXPECT_GT(drawn.upper, rate);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, FamilyOfCells, testing::Values("gaussian", "bernoulli", "poisson", "waiting"),
                         [](const auto& info) { return info.param; });

TEST(LimitedCounts, DoNotChangeBeyondTheLimit) {
  const std::unique_ptr<const Family> counts = family("poisson").limited(3, largest_cell);
  EXPECT_EQ(counts->predictor_limit(), 3);
  const std::vector<double> x = {0, 4, 9}, psi = {3.5, 20, 900};
  std::vector<double> loss(3), residual(3), weight(3);
  counts->quadratic_losses(x, psi, loss, residual, weight);
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(loss[i], std::exp(3) - 3 * x[i], 1e-12);
  EXPECT_THAT(residual, testing::Each(0));
  EXPECT_THAT(weight, testing::Each(0));
  EXPECT_EQ(counts->mean(900), std::exp(3.0));
}

TEST(LimitedCounts, ReachTwiceTheLargestCellAndTwo) {
  EXPECT_NEAR(std::exp(*family("poisson").limited({}, 30)->predictor_limit()), 62, 1e-12);
  EXPECT_EQ(family("gaussian").limited({}, 30), nullptr);
}

}  // namespace
}  // namespace tamis
