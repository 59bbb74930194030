#include "method/masking/mask_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

constexpr double least_rate = 1e-12;
// 1 / beta of Eq. 20 is held where beta is this share of its own standard deviation.
constexpr double least_weight = 1e-3;

double guarded(double beta, double least) { return std::abs(beta) >= least ? beta : std::copysign(least, beta); }

std::vector<double> image_of(const MaskState& state, std::span<const double> weights) {
  std::vector<double> image(state.residual.size(), 0.0);
  DenseDesign(state.masked).multiply_add(state.active, weights, std::span(image));
  return image;
}

// How far G rises along the gradient of the weights: it is quadratic there.
double maximum_along(const MaskState& state, const MaskGradient& gradient) {
  const std::vector<double> image = image_of(state, gradient.weights);
  double slope = 0, curvature = 0;
  for (Index i = 0; i < std::ssize(image); ++i) curvature += state.row_weights[i] * image[i] * image[i];
  for (Index a = 0; a < std::ssize(state.active); ++a) {
    const double square = gradient.weights[a] * gradient.weights[a];
    slope += square;
    curvature += square * (state.feature(state.active[a]).sums.spread + state.prior_precision / state.noise_precision);
  }
  return curvature > 0 ? slope / (state.noise_precision * curvature) : 0.0;
}

// Eq. 20, or the plain gradient.
MaskGradient move_of(const MaskState& state, const GradientStep& step) {
  MaskGradient move = gradient_of(state);
  const double eta = std::min(step.weights, maximum_along(state, move));
  const double doubt = least_weight / std::sqrt(state.noise_precision * state.samples);
  for (Index a = 0; a < std::ssize(state.active); ++a) {
    const MaskFeature& f = state.feature(state.active[a]);
    const double slope = move.weights[a], rate_slope = move.rates[a], rate = f.rate();
    move.weights[a] = eta * slope;
    move.rates[a] = step.rates * rate_slope;
    if (f.certain) continue;
    if (step.reparametrized) {
      const double beta = guarded(f.beta, doubt / f.size);
      move.weights[a] -= step.weights * rate / beta * rate_slope;
      move.rates[a] = step.weights * (-rate / beta * slope + (1 + rate * rate) / (beta * beta) * rate_slope);
    }
    const double share = f.pace * std::min(1.0, step.longest_rate / std::abs(move.rates[a]));
    if (!std::isfinite(share)) continue;  // no slope, no move
    move.weights[a] *= share;
    move.rates[a] *= share;
  }
  return move;
}

// A rate that jumps back and forth over its maximum slows down.
void keep_pace(MaskFeature& f, double move) {
  constexpr double slower = 0.5, faster = 1.05;
  f.pace = move * f.last_move < 0 ? f.pace * slower : std::min(1.0, f.pace * faster);
  f.last_move = move;
}

}  // namespace

MaskGradient gradient_of(const MaskState& state) {
  MaskGradient gradient;
  gradient.weights.resize(state.active.size());
  gradient.rates.assign(state.active.size(), 0.0);
  std::vector<double> weighted(state.residual.size());
  for (Index i = 0; i < std::ssize(weighted); ++i) weighted[i] = state.row_weights[i] * state.residual[i];
  DenseDesign(state.masked)
      .transpose_multiply(state.active, std::span<const double>(weighted), std::span(gradient.weights));
  const double n = state.samples;
  for (Index a = 0; a < std::ssize(state.active); ++a) {
    const MaskFeature& f = state.feature(state.active[a]);
    double& slope = gradient.weights[a];
    slope = state.noise_precision * (slope - f.sums.spread * f.beta) - state.prior_precision * f.beta;
    if (f.certain) continue;
    const double rate = f.rate(), skip_sweeps = logistic(-f.log_odds);
    gradient.rates[a] = (f.sums.on - n * rate) * (1 / (rate * skip_sweeps) + 1 / (2 * n * rate * rate));
  }
  return gradient;
}

void gradient_step(MaskState& state, const GradientStep& step) {
  if (!state.active.empty()) {
    const MaskGradient move = move_of(state, step);
    const std::vector<double> image = image_of(state, move.weights);
    for (Index i = 0; i < std::ssize(image); ++i) state.residual[i] -= image[i];
    for (Index a = 0; a < std::ssize(state.active); ++a) {
      MaskFeature& f = state.feature(state.active[a]);
      f.beta += move.weights[a];
      if (f.certain) continue;
      keep_pace(f, move.rates[a]);
      const double rate = f.rate() + move.rates[a];
      if (rate >= 1) {
        state.make_certain(state.active[a]);
      } else {
        f.log_odds = logit(std::max(least_rate, rate));
      }
    }
  }
  if (state.data.intercept) state.center_residual();
}

}  // namespace tamis
