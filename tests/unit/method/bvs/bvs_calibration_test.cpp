// Simulation-based calibration: data drawn from the prior of the model itself. Inclusion probabilities must then be
// right on average in every range, and ranks of the true expected number among draws uniform. A small run here; the
// large one, 1000 data sets each, by
//   test_method --gtest_also_run_disabled_tests --gtest_filter='*BvsCalibration*Large*'
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

struct Simulated {
  Matrix X;
  std::vector<double> y;
  std::vector<char> inside;
  double noise_variance = 1;
};

constexpr double low = 1, high = 5;

// AR(.5) features, standardized, and a set drawn from the prior of the model size.
Simulated draw_design(Index n, Index p, RandomStream& random) {
  Simulated data{.X = Matrix(n, p), .y = std::vector<double>(n), .inside = std::vector<char>(p, 0)};
  for (Index j = 0; j < p; ++j) {
    random.normals(data.X.column(j));
    for (Index i = 0; i < n && j > 0; ++i) data.X(i, j) = 0.5 * data.X(i, j - 1) + std::sqrt(0.75) * data.X(i, j);
  }
  for (Index j = 0; j < p; ++j) {
    double mean = 0, square = 0;
    for (const double x : data.X.column(j)) mean += x / static_cast<double>(n);
    for (const double x : data.X.column(j)) square += (x - mean) * (x - mean) / static_cast<double>(n);
    for (double& x : data.X.column(j)) x = (x - mean) / std::sqrt(square);
  }
  const double h = low / static_cast<double>(p) * std::pow(high / low, random.uniform01());
  for (char& in : data.inside) in = random.uniform01() < h ? 1 : 0;
  return data;
}

// Coefficients from the g-prior: X_g b is g s2 times the projection of white noise on the span of X_g.
Simulated draw_gaussian(Index n, Index p, std::uint64_t seed) {
  RandomStream random(seed, 11);
  Simulated data = draw_design(n, p, random);
  const double u = std::max(random.uniform01(), 0.05);  // g beyond 400 n tells nothing new
  const double g = static_cast<double>(n) * (1 / (u * u) - 1);
  std::vector<std::vector<double>> basis;
  for (Index j = 0; j < p; ++j) {
    if (data.inside[j] == 0) continue;
    std::vector<double> v(data.X.column(j).begin(), data.X.column(j).end());
    for (const std::vector<double>& b : basis) {
      double along = 0;
      for (Index i = 0; i < n; ++i) along += v[i] * b[i];
      for (Index i = 0; i < n; ++i) v[i] -= along * b[i];
    }
    double square = 0;
    for (const double x : v) square += x * x;
    for (double& x : v) x /= std::sqrt(square);
    basis.push_back(std::move(v));
  }
  for (double& y : data.y) y = random.normal();
  for (const std::vector<double>& b : basis) {
    const double along = std::sqrt(g) * random.normal();
    for (Index i = 0; i < n; ++i) data.y[i] += along * b[i];
  }
  return data;
}

Simulated draw_bernoulli(Index n, Index p, std::uint64_t seed) {
  RandomStream random(seed, 12);
  Simulated data = draw_design(n, p, random);
  const double v = 1 / -std::log((1 - random.uniform01()) * (1 - random.uniform01()));  // inverse gamma(2, 1)
  std::vector<double> eta(n, 0.3);
  for (Index j = 0; j < p; ++j) {
    const double b = data.inside[j] != 0 ? std::sqrt(v) * random.normal() : 0.0;
    for (Index i = 0; i < n; ++i) eta[i] += b * data.X(i, j);
  }
  for (Index i = 0; i < n; ++i) data.y[i] = random.uniform01() < logistic(eta[i]) ? 1 : 0;
  return data;
}

// Promised and true inclusions by range of what was promised.
class Calibration {
 public:
  void add(const Fit& fit, const Simulated& data) {
    for (Index j = 0; j < std::ssize(fit.inclusion); ++j) {
      const double q = fit.inclusion[j];
      const Index bin = std::upper_bound(std::begin(edges), std::end(edges), q) - std::begin(edges);
      Bin& to = bins_[bin];
      to.count += 1;
      to.promised += q;
      to.variance += q * (1 - q);
      to.found += data.inside[j];
    }
  }
  // p-value of sum over ranges of (found - promised)^2 / sum q (1 - q).
  double p_value() const {
    double chi = 0, ranges = 0;
    for (const Bin& bin : bins_) {
      if (bin.variance < 2) continue;
      chi += std::pow(bin.found - bin.promised, 2) / bin.variance;
      ++ranges;
    }
    return boost::math::cdf(boost::math::complement(boost::math::chi_squared(ranges), chi));
  }
  std::string text() const {
    std::string out;
    for (const Bin& bin : bins_) {
      if (bin.count > 0) {
        out += "promised " + std::to_string(bin.promised / bin.count) + " true " +
               std::to_string(bin.found / bin.count) + " of " + std::to_string(static_cast<Index>(bin.count)) + "\n";
      }
    }
    return out;
  }

 private:
  static constexpr double edges[] = {0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97};
  struct Bin {
    double count = 0, promised = 0, variance = 0, found = 0;
  };
  Bin bins_[9];
};

struct Sizes {
  Index rows, cols, data_sets;
};

Calibration calibrate(const char* name, const Sizes& sizes, std::map<std::string, OptionValue> options) {
  Calibration calibration;
  options.emplace("expected_features", std::string("1,5"));
  options["response"] = std::string("raw");
  for (Index d = 0; d < sizes.data_sets; ++d) {
    const auto seed = static_cast<std::uint64_t>(d + 1);
    const bool gaussian = std::string(name) == "gaussian";
    const Simulated data =
        gaussian ? draw_gaussian(sizes.rows, sizes.cols, seed) : draw_bernoulli(sizes.rows, sizes.cols, seed);
    if (!response_varies(data.y, {})) continue;
    const DenseDesign X(data.X);
    const Problem problem{.X = X, .y = data.y, .likelihood = family(name)};
    calibration.add(method("bvs").fit(problem, options, {.seed = seed}), data);
  }
  return calibration;
}

constexpr double least_p = 1e-3;

TEST(BvsCalibration, OfGaussianInclusions) {
  const Calibration found = calibrate("gaussian", {60, 30, 60}, {{"max_steps", 2000.0}});
  EXPECT_GT(found.p_value(), least_p) << found.text();
}

TEST(BvsCalibration, OfBernoulliInclusions) {
  const Calibration found = calibrate("bernoulli", {60, 30, 40}, {{"max_steps", 2000.0}});
  EXPECT_GT(found.p_value(), least_p) << found.text();
}

// The check sees a wrong prior: expecting four times too many or too few.
TEST(BvsCalibration, SeesAPriorThatIsNotTheDatas) {
  const Calibration found =
      calibrate("gaussian", {60, 30, 60}, {{"max_steps", 2000.0}, {"expected_features", std::string("8,20")}});
  EXPECT_LT(found.p_value(), least_p) << found.text();
}

TEST(BvsCalibration, DISABLED_LargeGaussian) {
  const Calibration found = calibrate("gaussian", {80, 60, 1000}, {{"max_steps", 8000.0}});
  EXPECT_GT(found.p_value(), least_p);
  std::printf("p-value %.3g\n%s", found.p_value(), found.text().c_str());
}

TEST(BvsCalibration, DISABLED_LargeBernoulli) {
  const Calibration found = calibrate("bernoulli", {80, 60, 1000}, {{"max_steps", 4000.0}});
  EXPECT_GT(found.p_value(), least_p);
  std::printf("p-value %.3g\n%s", found.p_value(), found.text().c_str());
}

}  // namespace
}  // namespace tamis
