#include "compare/calibration.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

double weight_of(std::span<const double> weights, std::size_t i) { return weights.empty() ? 1.0 : weights[i]; }

// The regression of y on one standardized predictor, by the family's own link.
class Recalibration {
 public:
  Recalibration(const Family& family, std::span<const double> y, std::vector<double> z, std::span<const double> weights)
      : family_(family), y_(y), z_(std::move(z)), weights_(weights), residual_(y.size()), curvature_(y.size()) {}

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
    for (Index i = 0; i < std::ssize(z_); ++i) eta[i] = a + b * z_[i];
    return eta;
  }
  double loss_at(double a, double b) const { return family_.total_loss(y_, line(a, b), weights_); }

  std::pair<double, double> newton_step(double a, double b) {
    family_.derivatives(y_, line(a, b), residual_, curvature_);
    double ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0;
    for (Index i = 0; i < std::ssize(z_); ++i) {
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

  const Family& family_;
  std::span<const double> y_;
  std::vector<double> z_;
  std::span<const double> weights_;
  std::vector<double> residual_, curvature_;
};

}  // namespace

std::vector<CalibrationPoint> reliability(std::span<const double> y, std::span<const double> probability,
                                          std::span<const double> weights) {
  std::vector<CalibrationPoint> bins(10);
  for (Index i = 0; i < std::ssize(y); ++i) {
    const double w = weight_of(weights, i);
    CalibrationPoint& bin = bins[std::min<std::size_t>(9, static_cast<std::size_t>(probability[i] * 10))];
    bin.weight += w;
    bin.expected += w * probability[i];
    bin.observed += w * y[i];
  }
  std::erase_if(bins, [](const CalibrationPoint& bin) { return bin.weight <= 0; });
  for (CalibrationPoint& bin : bins) {
    bin.expected /= bin.weight;
    bin.observed /= bin.weight;
  }
  return bins;
}

std::optional<double> calibration_error(std::span<const CalibrationPoint> points) {
  double total = 0, distance = 0;
  for (const CalibrationPoint& point : points) {
    total += point.weight;
    distance += point.weight * std::abs(point.expected - point.observed);
  }
  return total > 0 ? std::optional(distance / total) : std::nullopt;
}

std::vector<CalibrationPoint> interval_coverage(std::span<const double> y, std::span<const double> mean,
                                                std::span<const double> sd, std::span<const double> weights) {
  if (y.empty() || std::ranges::any_of(sd, [](double s) { return !(s > 0); })) return {};
  std::vector<CalibrationPoint> points;
  for (const double level : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}) {
    const double deviate = std::numbers::sqrt2 * boost::math::erf_inv(level);
    CalibrationPoint point{level, 0, 0};
    for (Index i = 0; i < std::ssize(y); ++i) {
      const double w = weight_of(weights, i);
      point.weight += w;
      if (std::abs(y[i] - mean[i]) <= deviate * sd[i]) point.observed += w;
    }
    point.observed /= point.weight;
    points.push_back(point);
  }
  return points;
}

std::optional<double> calibration_slope(const Family& family, std::span<const double> y,
                                        std::span<const double> predictor, std::span<const double> weights) {
  double total = 0, mean = 0, square = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    total += weight_of(weights, i);
    mean += weight_of(weights, i) * predictor[i];
  }
  mean /= total;
  for (Index i = 0; i < std::ssize(y); ++i) {
    square += weight_of(weights, i) * (predictor[i] - mean) * (predictor[i] - mean);
  }
  const double spread = std::sqrt(square / total);
  // What is left of a constant after rounding is no spread.
  if (!(spread > 1e-9 * std::max(1.0, std::abs(mean))) || !std::isfinite(spread)) return std::nullopt;
  std::vector<double> z(predictor.begin(), predictor.end());
  for (double& value : z) value = (value - mean) / spread;
  const std::optional<double> slope = Recalibration(family, y, std::move(z), weights).slope();
  return slope ? std::optional(*slope / spread) : std::nullopt;
}

}  // namespace tamis
