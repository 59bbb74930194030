#include "compare/calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tamis/likelihood/likelihood.hpp"

namespace tamis {
namespace {

double weight_of(std::span<const double> weights, std::size_t i) { return weights.empty() ? 1.0 : weights[i]; }

// The logistic regression of y on one standardised predictor.
class Recalibration {
 public:
  Recalibration(std::span<const double> y, std::vector<double> z, std::span<const double> weights)
      : y_(y), z_(std::move(z)), weights_(weights), residual_(y.size()), curvature_(y.size()) {}

  // The slope, by Newton steps that are halved until the loss falls.
  std::optional<double> slope() {
    constexpr int most_steps = 100;
    constexpr double tolerance = 1e-9;
    constexpr double separated = 1e3;  // in units of the predictor's spread: only a step function is so steep
    double a = 0, b = 0, loss = loss_at(a, b);
    for (int step = 0; step < most_steps; ++step) {
      auto [da, db] = newton_step(a, b);
      if (!std::isfinite(da) || !std::isfinite(db)) return std::nullopt;
      for (int halving = 0; halving < 40 && !(loss_at(a + da, b + db) <= loss); ++halving) {
        da /= 2;
        db /= 2;
      }
      a += da;
      b += db;
      loss = loss_at(a, b);
      if (std::abs(b) > separated) return std::nullopt;
      if (std::abs(da) + std::abs(db) <= tolerance * (1 + std::abs(b))) return b;
    }
    return std::nullopt;
  }

 private:
  std::vector<double> line(double a, double b) const {
    std::vector<double> eta(z_.size());
    for (std::size_t i = 0; i < z_.size(); ++i) eta[i] = a + b * z_[i];
    return eta;
  }
  double loss_at(double a, double b) const { return bernoulli_.total_loss(y_, line(a, b), weights_); }

  std::pair<double, double> newton_step(double a, double b) {
    bernoulli_.derivatives(y_, line(a, b), residual_, curvature_);
    double ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double w = weight_of(weights_, i), c = w * curvature_[i];
      ga += w * residual_[i];
      gb += w * residual_[i] * z_[i];
      haa += c;
      hab += c * z_[i];
      hbb += c * z_[i] * z_[i];
    }
    const double determinant = haa * hbb - hab * hab;
    return {(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant};
  }

  const Likelihood& bernoulli_ = likelihood("bernoulli");
  std::span<const double> y_;
  std::vector<double> z_;
  std::span<const double> weights_;
  std::vector<double> residual_, curvature_;
};

}  // namespace

std::optional<double> calibration_error(std::span<const double> y, std::span<const double> probability,
                                        std::span<const double> weights) {
  struct Bin {
    double weight = 0, predicted = 0, observed = 0;
  };
  std::array<Bin, 10> bins;
  double total = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight_of(weights, i);
    Bin& bin = bins[std::min<std::size_t>(bins.size() - 1, static_cast<std::size_t>(probability[i] * 10))];
    bin.weight += w;
    bin.predicted += w * probability[i];
    bin.observed += w * y[i];
    total += w;
  }
  if (!(total > 0)) return std::nullopt;
  double distance = 0;
  for (const Bin& bin : bins) distance += std::abs(bin.predicted - bin.observed) / total;
  return distance;
}

std::optional<double> calibration_slope(std::span<const double> y, std::span<const double> predictor,
                                        std::span<const double> weights) {
  double total = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    total += weight_of(weights, i);
    mean += weight_of(weights, i) * predictor[i];
  }
  mean /= total;
  for (std::size_t i = 0; i < y.size(); ++i) {
    square += weight_of(weights, i) * (predictor[i] - mean) * (predictor[i] - mean);
  }
  const double spread = std::sqrt(square / total);
  // What is left of a constant after rounding is no spread.
  if (!(spread > 1e-9 * std::max(1.0, std::abs(mean))) || !std::isfinite(spread)) return std::nullopt;
  std::vector<double> z(predictor.begin(), predictor.end());
  for (double& value : z) value = (value - mean) / spread;
  const std::optional<double> slope = Recalibration(y, std::move(z), weights).slope();
  return slope ? std::optional(*slope / spread) : std::nullopt;
}

}  // namespace tamis
