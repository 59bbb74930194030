// The gradient step of FAB-EG: weights and rates along the gradient of G, plain or reparametrized.
//
// Model      with X~ = X o M, S_k = sum_n mu_nk, Omega = X~'X~ + diag(sum_n x^2 mu (1 - mu))
//              dG/dbeta = lambda (X~'y - Omega beta)
//              dG/dpi_k = (S_k - N pi_k) (1 / (pi_k (1 - pi_k)) + 1 / (2 N pi_k^2))
// Step       (beta, pi) += eta J (dG/dbeta, dG/dpi),  J = [1, -pi/beta; -pi/beta, (1 + pi^2)/beta^2]
//            Kondo, Maeda & Hayashi (2015), Eq. 20: the metric of (beta, s = beta pi), Eqs. 18 and 19
// Hazards    J divides by beta^2: beta is held away from 0, and the step of a rate is bounded per feature. Appendix C
//            bounds the common eta instead, so that one weight near zero stops all others. Not scale invariant: columns
//            are standardized first.
#include "method/masking/mask_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

// A step leaves this share of a rate, at least. A rate that would pass 0 falls by as much, and so do its masks in the
// next sweep, which prune it within a few steps: set to 0 at once, S_k / (N pi_k) in G would be -1e11 until then.
constexpr double least_left = 0.1;
// |beta| in the denominators of Eq. 20 is at least this share of its standard deviation.
constexpr double min_weight = 1e-3;

double guarded(double beta, double least) { return std::abs(beta) >= least ? beta : std::copysign(least, beta); }

std::vector<double> image_of(const MaskState& state, std::span<const double> weights) {
  std::vector<double> image(state.residual.size(), 0.0);
  DenseDesign(state.masked).multiply_add(state.active, weights, std::span(image));
  return image;
}

// Exact line search along the gradient of the weights, in which G is quadratic: slope'slope / (slope'Omega slope).
double line_maximum(const MaskState& state, const MaskGradient& gradient) {
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

// Eq. 20, or the plain gradient. The step of the weights never passes the line maximum, so that no eta diverges.
MaskGradient move_of(const MaskState& state, const GradientStep& step) {
  MaskGradient move = gradient_of(state);
  const double eta = std::min(step.weights, line_maximum(state, move));
  const double doubt = min_weight / std::sqrt(state.noise_precision * state.samples);
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

// Step control per rate: halved when the rate reverses its direction (it oscillates around its maximum), else +5 %.
void adapt_pace(MaskFeature& f, double move) {
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
    // X~'W residual is X~'(y - X~ beta); the diagonal part of Omega is the spread, and families with a weak prior add
    // theirs.
    slope = state.noise_precision * (slope - f.sums.spread * f.beta) - state.prior_precision * f.beta;
    if (f.certain) continue;
    const double rate = f.rate(), off_rate = logistic(-f.log_odds);
    gradient.rates[a] = (f.sums.on - n * rate) * (1 / (rate * off_rate) + 1 / (2 * n * rate * rate));
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
      adapt_pace(f, move.rates[a]);
      const double rate = f.rate() + move.rates[a];
      if (rate >= 1) {
        state.make_certain(state.active[a]);
      } else {
        f.log_odds = logit(std::max(least_left * f.rate(), rate));
      }
    }
  }
  if (state.data.intercept) state.center_residual();
}

}  // namespace tamis
