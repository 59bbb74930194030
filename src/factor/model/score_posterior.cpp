// Posterior of one score v given the row's quadratic log likelihood  linear v - curvature v^2 / 2.
//
// Spike and slab   P = tau + curvature, m = (tau mu + linear) / P, and by integrating v out (Eqs. 5 and 6 of Mohamed,
//                  Heller & Ghahramani, which hold up to one factor for both),
//                    logit P(z = 1) = logit pi + 1/2 log(tau / P) + 1/2 m^2 P - 1/2 tau mu^2,  v | z = 1 ~ N(m, 1/P).
//                  Prior gaussian is pi = 1: log odds of +infinity.
// Laplace          b/2 e^(-b |v|), b^2 = 2 tau: a mixture of two normals cut at 0, with linear terms linear - b where
//                  v > 0 and linear + b where v < 0; their masses decide between the signs.
// Exponential      b e^(-b v): the positive half alone; b^2 = tau. On display a factor may have been flipped, and its
//                  scores are then negative: the sign of the stored mean says so.
// l1, none         the minimizer, soft(linear, penalty) / (curvature + ridge), without variance.
// Hazards          Masses of cut normals far in the tail are quotients of tiny numbers: Mills ratios and a continued
//                  fraction. A flat likelihood (curvature 0) has no normal form: the prior's own moments.
#include "factor/model/score_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::factor {
namespace {

// Integral, mean and second moment of exp(linear v - curvature v^2 / 2) over v > 0.
struct HalfLine {
  double log_integral, mean, square;
};

// Beyond a = 5 the quotient phi / Q loses log10 a^2 digits in h - a; 60 terms of the fraction are exact there.
// With s = curvature^-1/2, a = -linear s and the Mills ratio h = phi(a) / Q(a): mean = s (h - a), variance =
// s^2 (1 - h (h - a)). Far out h - a is the continued fraction 1 / (a + 2 / (a + 3 / ...)): no cancellation.
HalfLine over_half_line(double linear, double curvature) {
  const double s = 1 / std::sqrt(curvature), a = -linear * s;
  constexpr double far = 5;
  double excess = 0, log_mills = 0;  // h - a, log h
  if (a > far) {
    constexpr int terms = 60;
    for (int i = terms; i >= 1; --i) excess = i / (a + excess);
    log_mills = std::log(a + excess);
  } else {
    const double tail = 0.5 * std::erfc(a * std::numbers::sqrt2 / 2);
    log_mills = -0.5 * a * a - 0.5 * std::log(2 * std::numbers::pi) - std::log(tail);
    excess = std::exp(log_mills) - a;
  }
  const double mean = s * excess;
  const double variance = std::max(0.0, s * s * (1 - (a + excess) * excess));
  return {std::log(s) - log_mills, mean, mean * mean + variance};
}

// Relative to b^2. Below, the likelihood changes the prior's moments by less than rounding, and over_half_line() would
// divide by its root.
constexpr double least_curvature = 1e-12;

}  // namespace

ScorePrior::ScorePrior(const FactorFit& fit, Index factor) {
  const Index k = factor;
  mean_ = fit.factor_means[k];
  // A factor whose scores were all the same has variance 0: no score of it may differ.
  precision_ = 1 / std::max(fit.factor_variances[k], 1e-300);
  if (fit.prior == "laplace") {
    shape_ = Shape::laplace;
    rate_ = std::sqrt(2 * precision_);
  } else if (fit.prior == "exponential") {
    shape_ = Shape::one_sided;
    rate_ = std::sqrt(precision_);
  } else if (fit.prior == "l1" || fit.prior == "none") {
    shape_ = Shape::point;
    if (!fit.score_penalty) {
      throw InvalidInput("model: the score penalty is missing (written by an older version); fit the model again");
    }
    penalty_ = *fit.score_penalty;
    ridge_ = 1e-3;  // a row without information has scores of zero, not 0 / 0
  } else {
    log_odds_ = fit.prior == "gaussian" ? std::numeric_limits<double>::infinity() : logit(fit.factor_rates[k]);
  }
}

ScorePosterior ScorePrior::posterior(double linear, double curvature) const {
  switch (shape_) {
    case Shape::point: {
      const double size = std::max(std::abs(linear) - penalty_, 0.0) / (curvature + ridge_);
      return {std::copysign(size, linear), 0, size > 0 ? 1.0 : 0.0};
    }
    case Shape::laplace: {
      if (curvature < least_curvature * rate_ * rate_) return {0, 2 / (rate_ * rate_), 1};
      const HalfLine up = over_half_line(linear - rate_, curvature), down = over_half_line(-linear - rate_, curvature);
      const double positive = logistic(up.log_integral - down.log_integral);
      const double mean = positive * up.mean - (1 - positive) * down.mean;
      return {mean, positive * up.square + (1 - positive) * down.square - mean * mean, 1};
    }
    case Shape::one_sided: {
      const double side = mean_ < 0 ? -1 : 1;
      if (curvature < least_curvature * rate_ * rate_) return {side / rate_, 1 / (rate_ * rate_), 1};
      const HalfLine half = over_half_line(side * linear - rate_, curvature);
      return {side * half.mean, half.square - half.mean * half.mean, 1};
    }
    case Shape::spike_slab:
      break;
  }
  const double precision = precision_ + curvature;
  const double mean = (precision_ * mean_ + linear) / precision;
  const double log_odds =
      log_odds_ + 0.5 * (std::log(precision_ / precision) + mean * mean * precision - precision_ * mean_ * mean_);
  const double inclusion = logistic(log_odds);
  const double average = inclusion * mean;
  return {average, inclusion * (mean * mean + 1 / precision) - average * average, inclusion};
}

}  // namespace tamis::factor
