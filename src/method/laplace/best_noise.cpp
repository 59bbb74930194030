#include "method/laplace/best_noise.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr int most_looks = 60;
constexpr double settled = 1e-3;   // last step of the logarithm
constexpr double flattest = 0.05;  // slope that a secant is taken for

// Evidence is largest where what noise explains is what it has freedom for: log(residual / freedom) falls through 0, by
// about 1 for each unit of log noise.
double imbalance(const NoiseEvaluation& look) {
  constexpr double tiny = 1e-300;
  return std::log(std::max(tiny, look.residual)) - std::log(std::max(tiny, look.freedom));
}

}  // namespace

// In log noise, log |C| is convex and lies above its tangent; y'C^-1 y is a mean of 1 / (noise + eigenvalue) and so, by
// Jensen, no less than the square over what its terms grow by in the mean. Between these the largest value is at an end
// or where s (P + v)^2 = square^2 v, v = residual * growth of the noise and P = square - residual.
double most_evidence(const NoiseEvaluation& look, double noise, NoiseRange range) {
  const double own = std::max(0.0, look.square - look.residual);
  const auto above = [&](double growth) {
    const double square = look.square * look.square / (own + look.residual * growth);
    return look.log_evidence - 0.5 * (look.freedom * std::log(growth) + square - look.square);
  };
  const double least = range.least / noise, most = range.most / noise;
  if (!(look.square > 0)) return look.log_evidence - 0.5 * look.freedom * std::log(least);
  double best = std::max(above(least), above(most));
  const double b = look.square * look.square / look.freedom - 2 * own, d = b * b - 4 * own * own;
  if (b > 0 && d >= 0) {
    const double growth = (b + std::sqrt(d)) / (2 * look.residual);
    if (growth > least && growth < most) best = std::max(best, above(growth));
  }
  return best;
}

// Secants of the imbalance, kept between what is too little and what is too much.
std::optional<double> best_noise(const std::function<NoiseEvaluation(double)>& evaluate_noise, double first,
                                 NoiseRange range, double worth) {
  double low = std::log(range.least), high = std::log(range.most);
  bool low_seen = false, high_seen = false;
  double x = std::clamp(std::log(first), low, high), before = x, imbalance_before = 0;
  for (int looks = 0; looks < most_looks; ++looks) {
    const NoiseEvaluation look = evaluate_noise(std::exp(x));
    const double now = imbalance(look);
    (now > 0 ? low : high) = x;
    (now > 0 ? low_seen : high_seen) = true;
    if (most_evidence(look, std::exp(x), {std::exp(low), std::exp(high)}) < worth) return std::nullopt;
    const double slope = looks > 0 ? (now - imbalance_before) / (x - before) : -1;
    double next = std::clamp(x - now / std::min(slope, -flattest), low, high);
    if ((next == low && low_seen && x != low) || (next == high && high_seen && x != high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= settled) return std::exp(next);
    before = x;
    imbalance_before = now;
    x = next;
  }
  return std::exp(x);
}

}  // namespace tamis
