// A toy family: waiting times y > 0 with exponential distribution, mean e^eta. It has no augmentation, no tilted
// moments and no quadratic bound, so methods that need one refuse it; what factor models ask follows from what is here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// Predictors beyond it keep the slope that the loss has there, so that sums stay finite.
constexpr double largest_predictor = 300;

double clipped(double eta) { return std::clamp(eta, -largest_predictor, largest_predictor); }

class ToyExponential final : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "toy-exponential", .largest_offset = 1000};
    return traits;
  }
  std::string_view complaint(double value) const override {
    return value > 0 && std::isfinite(value) ? "" : "expects a positive number";
  }
  void check(std::span<const double> y, std::span<const double> weights) const override;

  double loss(double y, double eta) const override {
    const double beyond = std::max(-largest_predictor - eta, 0.0);
    return eta + y * std::exp(-std::max(eta, -largest_predictor)) * (1 + beyond);
  }
  double log_density(double y, double eta) const override { return -loss(y, eta); }
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override {
    for (Index i = 0; i < std::ssize(y); ++i) {
      curvature[i] = y[i] * std::exp(-clipped(eta[i]));
      residual[i] = curvature[i] - 1;
    }
  }
  double quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double>,
                   std::span<double> weights, std::span<double> working) const override {
    double constant = 0;
    derivatives(y, eta_mean, working, weights);
    for (Index i = 0; i < std::ssize(y); ++i) {
      const double residual = working[i];
      working[i] = eta_mean[i] + residual / weights[i];
      constant += log_density(y[i], eta_mean[i]) + 0.5 * residual * residual / weights[i];
    }
    return constant;
  }
  // Attained at e^-eta = (1 + residual) / y.
  double conjugate(double y, double residual) const override {
    const double u = 1 + residual;
    if (u < 0) return std::numeric_limits<double>::infinity();
    return u > 0 ? u * (std::log(u / y) - 1) : 0;
  }
  double mean(double eta) const override { return std::exp(clipped(eta)); }
  double link(double mean) const override { return std::log(mean); }
  double deviance(double y, double eta) const override {
    return 2 * std::max(loss(y, eta) - loss(y, std::log(y)), 0.0);
  }
  Interval interval(double mean, double, double level) const override {
    return {-mean * std::log(0.5 * (1 + level)), -mean * std::log(0.5 * (1 - level))};
  }
  double draw(double eta, double, RandomStream& random) const override {
    return mean(eta) * std::max(-std::log1p(-random.uniform01()), std::numeric_limits<double>::min());
  }
};

void ToyExponential::check(std::span<const double> y, std::span<const double> weights) const {
  if (!weights.empty() && weights.size() != y.size())
    throw InvalidInput(fmt::format("weights: received {} for {} responses", weights.size(), y.size()));
  bool counts = false;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (!weights.empty() && weights[i] == 0) continue;
    if (!complaint(y[i]).empty())
      throw InvalidInput(fmt::format("response: row {} is {}; {} {}", i + 1, y[i], name(), complaint(y[i])));
    counts = true;
  }
  if (!counts) throw InvalidInput("response: received no row of positive weight; expected at least one");
}

const ToyExponential family;
[[maybe_unused]] const Family& added = add_family(family);

}  // namespace
}  // namespace tamis
