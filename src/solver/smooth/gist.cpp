// GIST: proximal gradient with Barzilai-Borwein curvature and a descent line search, for non-convex penalties.
//
// Model      min_b  F(b) + sum_j strength_j min(|b_j|, cap),  F smooth
// Algorithm  1 proximal step: b_j <- argmin_z curvature/2 (z - (b_j + g_j / curvature))^2 + penalty_j(z), g = -F'
//            2 accept if F + penalty decreases by 1e-5 curvature/2 |step|^2, else double the curvature
//            3 next curvature: step'(g_old - g_new) / |step|^2 (Barzilai & Borwein 1988), not below a least one
//            until every coordinate is stationary within the tolerance.
// Proximal   the capped penalty has two candidate minimizers, beyond the cap max(|z|, cap) and below it the soft
//            threshold cut at the cap; the cheaper one is taken, of equals the smaller.
// Hazard     A long BB step may jump to the basin of another local minimum; least_curvature bounds its length.
// Paper      Gong, Zhang, Lu, Huang & Ye (2013), ICML.
#include "solver/smooth/gist.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

// Sufficient decrease, as a share of curvature/2 |step|^2; the value of Gong et al.
constexpr double sufficient_decrease = 1e-5;

double largest_distance(const SmoothLoss& loss, std::span<const double> b, const CappedPenalty& penalty) {
  double largest = 0;
  for (Index j = 0; j < std::ssize(b); ++j) {
    largest = std::max(largest, penalty.distance(j, b[j], loss.negative_gradient()[j]));
  }
  return largest;
}

// One proximal step of the given curvature: fills `step`, returns the change of the penalty; 0 steps stay 0.
double propose(std::span<const double> b, std::span<const double> negative_gradient, double curvature,
               const CappedPenalty& penalty, std::span<double> step) {
  double change = 0;
  for (Index j = 0; j < std::ssize(b); ++j) {
    const double next = penalty.minimizer(j, b[j] + negative_gradient[j] / curvature, curvature);
    step[j] = next - b[j];
    if (step[j] != 0) change += penalty.value(j, next) - penalty.value(j, b[j]);
  }
  return change;
}

double squared_length(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

}  // namespace

double CappedPenalty::value(std::size_t j, double b) const { return strength[j] * std::min(std::abs(b), cap); }

double CappedPenalty::minimizer(std::size_t j, double z, double curvature) const {
  if (nonnegative && z <= 0) return 0;
  const double size = std::abs(z);
  const double beyond = std::max(size, cap);
  const double below = std::min(cap, std::max(0.0, size - strength[j] / curvature));
  const auto cost = [&](double b) { return 0.5 * curvature * (b - size) * (b - size) + value(j, b); };
  return std::copysign(cost(beyond) < cost(below) ? beyond : below, z);
}

double CappedPenalty::distance(std::size_t j, double b, double negative_gradient) const {
  if (b == 0) return std::max(0.0, (nonnegative ? negative_gradient : std::abs(negative_gradient)) - strength[j]);
  const double slope = std::copysign(strength[j], b);
  if (std::abs(b) < cap) return std::abs(negative_gradient - slope);
  return std::abs(b) > cap ? std::abs(negative_gradient)
                           : std::min(std::abs(negative_gradient), std::abs(negative_gradient - slope));
}

GistResult gist(SmoothLoss& loss, std::span<double> b, const CappedPenalty& penalty, const GistSettings& settings) {
  GistResult result;
  std::vector<double> step(b.size()), before(b.size());
  double& curvature = result.curvature = settings.first_curvature;
  const double steepest = 1e100 * settings.first_curvature;  // relative: curvature has the unit of X squared
  for (; result.steps < settings.max_steps; ++result.steps) {
    if (largest_distance(loss, b, penalty) <= settings.tolerance * settings.unit) {
      result.converged = true;
      return result;
    }
    std::ranges::copy(loss.negative_gradient(), before.begin());
    double length = 0;
    while (true) {
      const double penalty_change = propose(b, before, curvature, penalty, step);
      length = squared_length(step);
      const double change = length > 0 ? loss.try_step(step) + penalty_change : 0.0;
      if (length > 0 && change <= loss.resolution() - 0.5 * sufficient_decrease * curvature * length) break;
      // No step left: a fixed point of the proximal map up to rounding, though the tolerance was not reached.
      if (length == 0 || !(curvature < steepest)) {
        curvature = settings.first_curvature;
        return result;
      }
      curvature *= 2;
    }
    loss.accept();
    double step_curvature = 0;
    for (Index j = 0; j < std::ssize(b); ++j) {
      b[j] += step[j];
      step_curvature += step[j] * (before[j] - loss.negative_gradient()[j]);
    }
    // Barzilai-Borwein; where the loss is flat or concave along the step, the old curvature is kept.
    if (step_curvature > 0) curvature = std::max(step_curvature / length, settings.least_curvature);
  }
  return result;
}

}  // namespace tamis
