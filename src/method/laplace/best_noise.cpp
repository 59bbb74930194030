// Noise variance of largest evidence by a bracketed secant method, with an upper bound that stops hopeless searches.
//
// Model      y ~ N(0, C), C = noise I + K. d log evidence / d log noise = (noise |C^-1 y|^2 - noise tr C^-1) / 2: at
//            the maximum the residual square equals the degrees of freedom of the noise.
// Algorithm  root of log(residual / freedom) in log noise, which falls with slope about -1: secants inside a bracket.
// Why bound  the caller compares hundreds of supports; most can be given up after one evaluation.
#include "method/laplace/best_noise.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr int max_evaluations = 60;
constexpr double log_noise_tolerance = 1e-3;  // last step in log noise
constexpr double flattest = 0.05;             // least slope of a secant: flatter ones would leave the bracket

// log(residual / freedom): 0 at the maximum, positive where the noise is too small.
double imbalance(const NoiseEvaluation& evaluation) {
  constexpr double tiny = 1e-300;
  return std::log(std::max(tiny, evaluation.residual)) - std::log(std::max(tiny, evaluation.freedom));
}

}  // namespace

// Upper bound of the evidence at every noise in the range, from one evaluation. As functions of log noise: log |C| is
// convex and lies above its tangent; y'C^-1 y is a mean of 1 / (noise + eigenvalue) and by Jensen's inequality no less
// than square^2 over the mean growth of its terms. With growth v = new / old noise and P = square - residual the
// bound is
//   evidence - (freedom log v + square^2 / (P + residual v) - square) / 2,
// largest at an end of the range or where square^2 s = freedom (P + s)^2 with s = residual v.
double evidence_bound(const NoiseEvaluation& evaluation, double noise, NoiseRange range) {
  const double own = std::max(0.0, evaluation.square - evaluation.residual);
  const auto above = [&](double growth) {
    const double square = evaluation.square * evaluation.square / (own + evaluation.residual * growth);
    return evaluation.log_evidence - 0.5 * (evaluation.freedom * std::log(growth) + square - evaluation.square);
  };
  const double least = range.least / noise, most = range.most / noise;
  if (!(evaluation.square > 0)) return evaluation.log_evidence - 0.5 * evaluation.freedom * std::log(least);
  double best = std::max(above(least), above(most));
  const double b = evaluation.square * evaluation.square / evaluation.freedom - 2 * own, d = b * b - 4 * own * own;
  if (b > 0 && d >= 0) {
    const double growth = (b + std::sqrt(d)) / (2 * evaluation.residual);
    if (growth > least && growth < most) best = std::max(best, above(growth));
  }
  return best;
}

// Secant steps on the imbalance inside [low, high]; bisection when a step would repeat an end that was evaluated
// already.
std::optional<double> best_noise(const std::function<NoiseEvaluation(double)>& evaluate_noise, double first,
                                 NoiseRange range, double min_evidence) {
  double low = std::log(range.least), high = std::log(range.most);
  bool low_seen = false, high_seen = false;
  double x = std::clamp(std::log(first), low, high), before = x, imbalance_before = 0;
  for (int evaluations = 0; evaluations < max_evaluations; ++evaluations) {
    const NoiseEvaluation evaluation = evaluate_noise(std::exp(x));
    const double now = imbalance(evaluation);
    (now > 0 ? low : high) = x;
    (now > 0 ? low_seen : high_seen) = true;
    if (evidence_bound(evaluation, std::exp(x), {std::exp(low), std::exp(high)}) < min_evidence) return std::nullopt;
    const double slope = evaluations > 0 ? (now - imbalance_before) / (x - before) : -1;
    double next = std::clamp(x - now / std::min(slope, -flattest), low, high);
    if ((next == low && low_seen && x != low) || (next == high && high_seen && x != high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= log_noise_tolerance) return std::exp(next);
    before = x;
    imbalance_before = now;
    x = next;
  }
  return std::exp(x);
}

}  // namespace tamis
