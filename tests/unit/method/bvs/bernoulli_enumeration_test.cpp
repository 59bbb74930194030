// bvs for two classes against all models: the logistic likelihood integrated over intercept, coefficients and slab
// variance by quadrature.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "contract/method_cases.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

// Grid in every dimension about the mode, by coordinate: crude, but the integrand is smooth and log-concave, so that
// the trapezoidal rule over +-6 standard deviations is exact to many digits.
class LogisticModel {
 public:
  LogisticModel(const Example& example, std::vector<Index> in, double slab) : example_(example), slab_(slab) {
    const Index n = example.X.rows();
    columns_.assign(n, 1);
    for (const Index j : in) {
      double mean = 0, square = 0, total = 0;
      for (Index i = 0; i < n; ++i) total += weight(i), mean += weight(i) * example.X(i, j);
      mean /= total;
      for (Index i = 0; i < n; ++i) square += weight(i) / total * std::pow(example.X(i, j) - mean, 2);
      for (Index i = 0; i < n; ++i) columns_.push_back((example.X(i, j) - mean) / std::sqrt(square));
    }
    dims_ = std::ssize(in) + 1;
  }

  // log of the integral, and the mean of every coefficient.
  double log_evidence(std::vector<double>& mean) const {
    std::vector<double> mode(dims_, 0.0), spread(dims_, 1.0);
    climb(mode, spread);
    const double top = log_density(mode);
    constexpr int half = 7;
    constexpr double reach = 6;
    std::vector<int> at(dims_, -half);
    std::vector<double> point(dims_);
    double sum = 0;
    mean.assign(dims_, 0.0);
    while (true) {
      for (Index d = 0; d < dims_; ++d) point[d] = mode[d] + spread[d] * reach * at[d] / half;
      const double density = std::exp(log_density(point) - top);
      sum += density;
      for (Index d = 0; d < dims_; ++d) mean[d] += density * point[d];
      Index d = 0;
      for (; d < dims_ && ++at[d] > half; ++d) at[d] = -half;
      if (d == dims_) break;
    }
    double log_volume = 0;
    for (Index d = 0; d < dims_; ++d) {
      mean[d] /= sum;
      log_volume += std::log(spread[d] * reach / half);
    }
    return top + std::log(sum) + log_volume;
  }

 private:
  double weight(Index i) const { return example_.weights.empty() ? 1.0 : example_.weights[i]; }

  double log_density(const std::vector<double>& b) const {
    const Index n = example_.X.rows();
    double sum = 0;
    for (Index d = 1; d < dims_; ++d) sum -= 0.5 * (b[d] * b[d] / slab_ + std::log(2 * M_PI * slab_));
    for (Index i = 0; i < n; ++i) {
      double eta = example_.offset.empty() ? 0.0 : example_.offset[i];
      for (Index d = 0; d < dims_; ++d) eta += b[d] * columns_[d * n + i];
      sum -= weight(i) * (std::max(eta, 0.0) + std::log1p(std::exp(-std::abs(eta))) - example_.y[i] * eta);
    }
    return sum;
  }

  // Coordinate-wise Newton; marginal spreads from conditional curvatures, widened for correlation.
  void climb(std::vector<double>& mode, std::vector<double>& spread) const {
    for (int sweep = 0; sweep < 200; ++sweep) {
      for (Index d = 0; d < dims_; ++d) {
        constexpr double h = 1e-4;
        std::vector<double> up = mode, down = mode;
        up[d] += h, down[d] -= h;
        const double f = log_density(mode), fu = log_density(up), fd = log_density(down);
        const double slope = (fu - fd) / (2 * h), curvature = (2 * f - fu - fd) / (h * h);
        mode[d] += std::clamp(slope / std::max(curvature, 1e-3), -1.0, 1.0);
        spread[d] = 1.25 / std::sqrt(std::max(curvature, 1e-3));
      }
    }
  }

  const Example& example_;
  double slab_;
  Index dims_ = 1;
  std::vector<double> columns_;
};

std::vector<double> enumerate(const Example& example, double prior_inclusion, double slab) {
  const Index p = example.X.cols();
  std::vector<double> logs, slabs, slab_weights;
  if (slab > 0) {
    slabs = {slab}, slab_weights = {1.0};
  } else {  // inverse gamma(2, 1), on a grid of log v
    for (double log_v = -3.5; log_v < 6; log_v += 0.25) {
      slabs.push_back(std::exp(log_v));
      slab_weights.push_back(std::exp(-2 * log_v - std::exp(-log_v)));
    }
  }
  std::vector<double> inclusion(p, 0.0);
  std::vector<std::pair<Index, double>> all;
  double largest = -1e300;
  for (Index model = 0; model < Index{1} << p; ++model) {
    std::vector<Index> in;
    for (Index j = 0; j < p; ++j) {
      if ((model >> j & 1) != 0) in.push_back(j);
    }
    const auto k = static_cast<double>(in.size());
    for (Index s = 0; s < std::ssize(slabs); ++s) {
      std::vector<double> mean;
      const double log_mass = LogisticModel(example, in, slabs[s]).log_evidence(mean) + std::log(slab_weights[s]) +
                              k * std::log(prior_inclusion) +
                              (static_cast<double>(p) - k) * std::log1p(-prior_inclusion);
      all.emplace_back(model, log_mass);
      largest = std::max(largest, log_mass);
    }
  }
  double total = 0;
  for (const auto& [model, log_mass] : all) {
    const double mass = std::exp(log_mass - largest);
    total += mass;
    for (Index j = 0; j < p; ++j) inclusion[j] += (model >> j & 1) != 0 ? mass : 0;
  }
  for (double& value : inclusion) value /= total;
  return inclusion;
}

void expect_agreement(const Example& example, double prior_inclusion, double slab) {
  const DenseDesign X(example.X);
  std::map<std::string, OptionValue> options = {
      {"chains", 16.0}, {"max_steps", 16'000.0}, {"precision", 1e-6}, {"prior_inclusion", prior_inclusion}};
  if (slab > 0) options["slab_variance"] = slab;
  const Fit fit = method("bvs").fit(example.problem(X), options);
  const std::vector<double>& error = fit.inclusion_error;
  const std::vector<double> exact = enumerate(example, prior_inclusion, slab);
  for (Index j = 0; j < std::ssize(exact); ++j) {
    EXPECT_NEAR(fit.inclusion[j], exact[j], 4 * error[j] + 5e-4) << "feature " << j;
  }
  EXPECT_LT(std::ranges::max(error), 0.01);
}

TEST(BvsBernoulli, AgreesWithAllModelsAtAGivenSlab) {
  expect_agreement(make_example(family("bernoulli"), 40, 3, 1, 0.3), 0.25, 1.5);
}

TEST(BvsBernoulli, AgreesWithAllModelsWithASampledSlab) {
  expect_agreement(make_example(family("bernoulli"), 50, 2, 2, 0.3), 0.3, 0);
}

TEST(BvsBernoulli, AgreesWithAllModelsWithWeightsAndOffset) {
  Example example = make_example(family("bernoulli"), 40, 3, 3, 0.3);
  for (Index i = 0; i < 40; ++i) {
    example.weights.push_back(static_cast<double>(i % 4));
    example.offset.push_back(0.5 * static_cast<double>(i % 3) - 0.5);
  }
  expect_agreement(example, 0.3, 1);
}

}  // namespace
}  // namespace tamis
