#include "tamis/base/logarithm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamis {

double logistic(double x) {
  // e^-|x| never overflows, and the small side is a product: no cancellation on either.
  const double e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double logit(double probability) { return std::log(probability) - std::log1p(-probability); }

double log1pexp(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double log_logistic(double x) { return -log1pexp(-x); }

double log1mexp(double x) {
  // Each form loses digits on the other's side of -log 2 (Maechler 2012).
  return x > -0.6931471805599453 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

double log_sum_exp(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;  // both absent, or one without bound
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

double log_sum_exp(std::span<const double> x) {
  if (x.empty()) return -std::numeric_limits<double>::infinity();
  const double largest = *std::max_element(x.begin(), x.end());
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (const double value : x) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

double x_log_x(double p) { return p > 0 ? p * std::log(p) : 0; }

double bernoulli_entropy(double logit) {
  // With p the smaller side, H = log(1 + e^-a) + a p for a = |logit|: both terms are positive.
  const double a = std::abs(logit);
  if (std::isinf(a)) return 0;
  return log1pexp(-a) + a * logistic(-a);
}

}  // namespace tamis
