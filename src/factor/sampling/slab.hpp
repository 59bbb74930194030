// Hyperparameters of the spike and slab on the scores, and their conditional draws:
//   v_nk ~ pi_k N(mu_k, 1 / tau_k) + (1 - pi_k) delta_0, pi_k ~ Beta(e, f), (mu_k, tau_k) ~ Normal-Gamma(m0, k0, a0,
//   b0).
#pragma once

#include <functional>
#include <vector>

#include "factor/sampling/sampler.hpp"

namespace tamis::factor {

struct SlabPrior {
  double active = 1;         ///< e
  double inactive = 1;       ///< f
  double mean = 0;           ///< m0
  double mean_weight = 0.1;  ///< k0
  double shape = 1;          ///< a0
  double rate = 1;           ///< b0
};

/// What the conditional of one score needs of the slab, per factor.
struct SlabTerms {
  explicit SlabTerms(const FactorState& state);
  std::vector<double> linear;    ///< tau mu
  std::vector<double> log_odds;  ///< logit pi + 1/2 log tau - 1/2 tau mu^2
};

/// Draws pi, mu and tau of every factor from its active scores.
void draw_slab(const SlabPrior& prior, RandomStream random, FactorState& state);

/// log p(c mu, tau / c^2) times its share of the Jacobian over dlog c, up to a constant; the rest of a scale move is
/// the same for all priors on the scores.
using HyperScaleDensity = std::function<double(double mean, double precision, double log_scale)>;

/// Moves each factor along (v, mu, sigma, theta) -> (c v, c mu, c sigma, theta / c), where the likelihood is flat, by
/// Metropolis steps in log c.
void draw_scales(const SlabPrior& prior, const Family& family, RandomStream random, FactorState& state);
void draw_scales(const HyperScaleDensity& hyper, const Family& family, RandomStream random, FactorState& state);

/// One draw of Gamma(shape, rate).
double draw_gamma(double shape, double rate, RandomStream& random);

/// sigma^2 ~ InvGamma(1, 0.1) given the residuals; nothing if the family has no noise.
void draw_noise(const Cells& cells, RandomStream random, FactorState& state);

}  // namespace tamis::factor
