#include "family/poisson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "family/response.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr double largest_log_rate = 300;
constexpr double largest_rate = 0x1.c05c0a7166b4ap+432;  // e^300
// A quadratic needs some curvature for its working response to be finite.
constexpr double least_weight = 1 / largest_rate;

// The rate function and its two derivatives: e^eta, and its Taylor polynomial beyond the largest log rate.
struct Rate {
  double integral;  // what e^eta is in the loss
  double value;     // its derivative: the mean
  double slope;     // the curvature of the loss
};

inline Rate rate(double eta) {
  const double excess = std::max(eta - largest_log_rate, 0.0);
  const double slope = vector_math::exp(std::min(eta, largest_log_rate));
  return {slope * (1 + excess * (1 + 0.5 * excess)), slope * (1 + excess), slope};
}

// The sup over eta of u eta - integral(eta), for u >= 0.
double rate_conjugate(double u) {
  if (u <= largest_rate) return x_log_x(u) - u;
  const double excess = u / largest_rate - 1;
  return u * (largest_log_rate + excess) - largest_rate * (1 + excess * (1 + 0.5 * excess));
}

}  // namespace

void Poisson::check(std::span<const double> y, std::span<const double> weights) const {
  check_response_is_finite(y, weights);
  bool any = false;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (y[i] < 0 || y[i] != std::floor(y[i])) {
      throw InvalidInput(fmt::format(
          "response: row {} is {}; poisson needs whole numbers from 0; use --family gaussian for measurements", i + 1,
          y[i]));
    }
    any = any || (y[i] > 0 && counts(weights, i));
  }
  if (!any) {
    throw InvalidInput(
        "response: every count is 0; poisson needs at least one positive count; choose another target or more rows");
  }
}

double Poisson::quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double>,
                          std::span<double> weights, std::span<double> working) const {
  double constant = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    const Rate at = rate(eta_mean[i]);
    weights[i] = std::max(at.slope, least_weight);
    const double step = (y[i] - at.value) / weights[i];
    working[i] = eta_mean[i] + step;
    constant += log_density(y[i], eta_mean[i]) + 0.5 * (y[i] - at.value) * step;
  }
  return constant;
}

double Poisson::log_density(double y, double eta) const {
  return -loss(y, eta) - boost::math::lgamma(y + 1);  // std::lgamma writes a global: not for threads
}

double Poisson::loss(double y, double eta) const { return rate(eta).integral - y * eta; }

void Poisson::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                          std::span<double> curvature) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) {
      const Rate at = rate(eta[i]);
      residual[i] = y[i] - at.value;
      curvature[i] = at.slope;
    }
  });
}

double Poisson::conjugate(double y, double residual) const {
  const double u = y - residual;
  return u < 0 ? std::numeric_limits<double>::infinity() : rate_conjugate(u);
}

double Poisson::mean(double eta) const { return rate(eta).value; }

double Poisson::link(double mean) const {
  return mean <= largest_rate ? std::log(mean) : largest_log_rate + (mean / largest_rate - 1);
}

double Poisson::deviance(double y, double eta) const {
  if (y == 0) return 2 * rate(eta).integral;
  if (eta > largest_log_rate) return 2 * std::max(0.0, loss(y, eta) + rate_conjugate(y));
  // y (e^d - 1 - d) with d the distance from the saturated predictor: exactly 0 there, never below.
  const double distance = eta - std::log(y);
  return 2 * y * std::max(0.0, std::expm1(distance) - distance);
}

void Poisson::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) out[i] = rate(eta[i]).integral - y[i] * eta[i];
  });
}

}  // namespace tamis
