// Conditional draws of the hyperparameters of the scores and of the noise, and the scale move.
//
// pi_k       ~ Beta(e + n_k, f + N - n_k), n_k active scores of N
// (mu, tau)  ~ Normal-Gamma from the n_k active scores only: zeros of the spike would pull mu and 1 / tau to 0
// s^2        ~ InvGamma(1 + cells / 2, 0.1 + squares / 2)
// Scale      (v_k, mu_k, sigma_k, theta_k) -> (c v_k, c mu_k, c sigma_k, theta_k / c) leaves the likelihood as it is.
//            V given Theta and Theta given V move along this ridge in small steps; a Metropolis step in log c moves
//            along it at once, at the cost of a pass over one row of Theta, none over the data.
// Priors     Mohamed, Heller & Ghahramani give no numbers for the slab's prior and no prior of the noise. These are
//            proper, so that a factor without active scores and the noise of a table with few cells have a posterior.
#include "factor/sampling/slab.hpp"

#include <algorithm>
#include <boost/random/beta_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>

#include "factor/model/sums_over_rows.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

// InvGamma(1, 0.1) on standardized columns: mode 0.05, no mean, a tail that admits noise of the data's own size.
constexpr double noise_shape = 1, noise_rate = 0.1;
constexpr Index rows_per_task = 256;
// A probability of exactly 0 or 1 would never change again.
constexpr double least_probability = 1e-12;

// log of p(theta_k / c) p(hyperparameters at c) times the Jacobian over dlog c. The densities of the active scores and
// their part of the Jacobian cancel; the loadings contribute c^-D.
double log_scale_density(const HyperScaleDensity& hyper, const LoadingPrior& loading, const FactorState& state, Index k,
                         double log_scale) {
  const double c = std::exp(log_scale);
  double sum = 0;
  const double* theta = state.loading_row(k);
  for (Index d = 0; d < state.cols; ++d) sum += loading.log_density(theta[d] / c);
  const Index f = k;
  sum += hyper(c * state.means[f], state.precisions[f] / (c * c), log_scale);
  return sum - static_cast<double>(state.cols) * log_scale;
}

// All factors at once: one pass over the scores.
void rescale(FactorState& state, const std::vector<double>& scales) {
  parallel_for(state.rows, rows_per_task, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) {
      double* v = state.score_row(n);
      for (Index k = 0; k < std::ssize(scales); ++k) v[k] *= scales[k];
    }
  });
  for (Index k = 0; k < std::ssize(scales); ++k) {
    double* theta = state.loading_row(k);
    for (Index d = 0; d < state.cols; ++d) theta[d] /= scales[k];
    state.means[k] *= scales[k];
    state.precisions[k] /= scales[k] * scales[k];
  }
}

}  // namespace

double draw_gamma(double shape, double rate, RandomStream& random) {
  return boost::random::gamma_distribution<double>(shape, 1 / rate)(random);
}

SlabTerms::SlabTerms(const FactorState& state) {
  for (Index k = 0; k < std::ssize(state.means); ++k) {
    const double tau = state.precisions[k], mu = state.means[k];
    linear.push_back(tau * mu);
    log_odds.push_back(logit(state.inclusion[k]) + 0.5 * std::log(tau) - 0.5 * tau * mu * mu);
  }
}

void draw_slab(const SlabPrior& prior, RandomStream random, FactorState& state) {
  const Index factors = state.factors;
  const std::vector<double> sums = sums_over_rows(state.rows, 3 * factors, [&](Index first, Index last, double* s) {
    for (Index n = first; n < last; ++n) {
      const double* v = state.score_row(n);
      for (Index k = 0; k < factors; ++k) {
        s[k] += v[k] != 0 ? 1 : 0;
        s[factors + k] += v[k];
        s[2 * factors + k] += v[k] * v[k];
      }
    }
  });
  const double* count = sums.data();
  const double* sum = count + factors;
  const double* squares = sum + factors;
  for (Index k = 0; k < std::ssize(state.means); ++k) {
    const double rest = static_cast<double>(state.rows) - count[k];
    const double share =
        boost::random::beta_distribution<double>(prior.active + count[k], prior.inactive + rest)(random);
    state.inclusion[k] = std::clamp(share, least_probability, 1 - least_probability);
    // Normal-Gamma: k0 + n, (k0 m0 + sum v) / (k0 + n), a0 + n / 2, b0 + (sum v^2 + k0 m0^2 - (k0 + n) mean^2) / 2 from
    // the active scores only. The scatter is a difference and may come out slightly negative.
    const double weight = prior.mean_weight + count[k];
    const double mean = (prior.mean_weight * prior.mean + sum[k]) / weight;
    const double scatter = squares[k] + prior.mean_weight * prior.mean * prior.mean - weight * mean * mean;
    state.precisions[k] = draw_gamma(prior.shape + 0.5 * count[k], prior.rate + 0.5 * std::max(scatter, 0.0), random);
    state.means[k] = mean + random.normal() / std::sqrt(weight * state.precisions[k]);
  }
}

void draw_scales(const SlabPrior& prior, const Family& family, RandomStream random, FactorState& state) {
  const auto normal_gamma = [&](double mean, double precision, double log_scale) {
    const double deviation = mean - prior.mean;
    return (prior.shape - 0.5) * std::log(precision) - prior.rate * precision -
           0.5 * prior.mean_weight * precision * deviation * deviation - log_scale;  // dmu is c, dtau is c^-2
  };
  draw_scales(normal_gamma, family, random, state);
}

void draw_scales(const HyperScaleDensity& hyper, const Family& family, RandomStream random, FactorState& state) {
  // Under the loadings' prior log c has a deviation of 1 / sqrt(2 D), .1 for 50 columns: steps of .3 serve the
  // beginning, where scales are far off, and are accepted now and then afterwards.
  constexpr int steps = 2;
  constexpr double step_size = 0.3;
  const std::unique_ptr<const LoadingPrior> loading = family.loading_prior();
  std::vector<double> scales;
  for (Index k = 0; k < state.factors; ++k) {
    double log_scale = 0;
    double density = log_scale_density(hyper, *loading, state, k, 0);
    for (int step = 0; step < steps; ++step) {
      const double proposal = log_scale + step_size * random.normal();
      const double proposed = log_scale_density(hyper, *loading, state, k, proposal);
      if (std::log(random.uniform01() + 0x1p-54) >= proposed - density) continue;
      log_scale = proposal;
      density = proposed;
    }
    scales.push_back(std::exp(log_scale));
  }
  rescale(state, scales);
}

void draw_noise(const Cells& cells, RandomStream random, FactorState& state) {
  if (!cells.family().has_noise()) return;
  const double shape = noise_shape + 0.5 * static_cast<double>(cells.observed());
  const double rate = noise_rate + 0.5 * residual_squares(cells, state);
  state.noise_variance = 1 / draw_gamma(shape, rate, random);
}

}  // namespace tamis::factor
