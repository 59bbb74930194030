// Calibration of held-out predictions: reliability diagram, expected calibration error, interval coverage, slope.
//
// Model      calibration slope b of logit P(y_i = 1) = a + b eta_i, with eta_i the held-out linear predictor; 1 is
//            ideal, below 1 the predictions are overconfident (too far from the base rate), as those of an overfitted
//            model are.
// Algorithm  reliability: 10 bins of equal width, weighted means of predicted probability and of y in each.
//            calibration error: sum_k (n_k / n) |mean probability_k - mean y_k|, over the bins.
//            coverage: weighted share of |y_i - mean_i| <= z(level) sd_i for central levels 10 %, ..., 95 %.
//            slope: Newton's method in (a, b) on the standardized predictor, with step halving.
// Invariant  all rows of all folds are pooled: every y_i is predicted by the fit that was not trained on it.
// Papers     Cox (1958) Biometrika 45, slope; Guo, Pleiss, Sun & Weinberger (2017) ICML, Eq. 3, calibration error, here
//            of P(y = 1) rather than of the more probable class.
#include "compare/calibration.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

double weight_of(std::span<const double> weights, std::size_t i) { return weights.empty() ? 1.0 : weights[i]; }

// Regression of y on one standardized predictor z by the family's own link (bernoulli: logistic). A method of this
// library is not used: two parameters need no path and no penalty, and the result must not depend on the methods that
// are being compared.
class Recalibration {
 public:
  Recalibration(const Family& family, std::span<const double> y, std::vector<double> z, std::span<const double> weights)
      : family_(family), y_(y), z_(std::move(z)), weights_(weights), residual_(y.size()), curvature_(y.size()) {}

  // Newton's method with step halving; the loss is convex, so a step that does not lower it is only too long. nullopt
  // if the classes are separated: the maximum likelihood estimate is then at infinity and |b| grows until it passes
  // `separated`, or the Hessian becomes singular first.
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

  // (da, db) = H^-1 g with g = sum_i w_i r_i (1, z_i) and H = sum_i w_i c_i (1, z_i)(1, z_i)', r_i the negative
  // derivative of the loss and c_i its second derivative. The 2 x 2 system is solved by Cramer's rule; a singular H
  // gives infinities, which slope() tests for.
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

// Equal widths rather than equal counts: many rows with the same prediction (a model without features) stay in one bin.
// data_check.cpp of the report uses equal counts, because it shows intervals and needs rows in each group.
std::vector<CalibrationPoint> reliability(std::span<const double> y, std::span<const double> probability,
                                          std::span<const double> weights) {
  std::vector<CalibrationPoint> bins(10);
  for (Index i = 0; i < std::ssize(y); ++i) {
    const double w = weight_of(weights, i);
    CalibrationPoint& bin = bins[std::min<Index>(9, static_cast<Index>(probability[i] * 10.0))];
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
    // z with P(|N(0, 1)| <= z) = level.
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
  // b per unit of the predictor, not per standard deviation.
  return slope ? std::optional(*slope / spread) : std::nullopt;
}

}  // namespace tamis
