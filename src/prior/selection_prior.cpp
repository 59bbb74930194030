// The prior of selection probabilities: moments given z, and the density of a coefficient maximized over s.
//
// Moments    s | z ~ Beta(a + z, b + 1 - z): for a = b = 1 the integrals of Naqvi et al., Section 3.3
// Maximum    with the ratio e of slab to spike density, c = e - 1, A = a - 1, B = b - 1, the derivative in s of
//              log(1 + c s) + A log s + B log(1 - s)
//            is 0 where c (1 + A + B) s^2 - (c (1 + A) - A - B) s - A = 0. For c <= 0 the smaller root is the maximum
//            in [0, 1]; c > 0 is the same with slab and spike exchanged.
// Majorizer  the logarithm of a sum of exponentials of lines is convex in w^2 for every s, and so is its maximum over
//            s: -log density is concave in w^2, and its tangent lies above it.
#include "prior/selection_prior.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// Maximum over s of log(s e + 1 - s) + A log s + B log(1 - s) for e <= 1. Ties are broken in favor of the spike.
double smaller_root(double e, double A, double B) {
  const double c = 1 - e, middle = c * (1 + A) + A + B;
  if (A <= 0) return 0;
  const double root = std::sqrt(std::max(0.0, middle * middle - 4 * c * (1 + A + B) * A));
  return std::min(1.0, 2 * A / (middle + root));
}

double times_log(double factor, double x) { return factor > 0 ? factor * std::log(x) : 0; }

}  // namespace

SelectionPrior::Moments SelectionPrior::posterior(double inclusion) const {
  const double total = a + b + 1, mean = (a + inclusion) / total;
  // Mean of the variances given z, and variance of the means.
  const double in = (a + 1) * b / (total * total * (total + 1)), out = a * (b + 1) / (total * total * (total + 1));
  return {mean, inclusion * in + (1 - inclusion) * out + inclusion * (1 - inclusion) / (total * total)};
}

BestSelection::BestSelection(const TwoNormal& components, const SelectionPrior& selection)
    : components_(0.5, components.spike_variance(), components.slab_variance()),
      selection_(selection),
      log_beta_(std::lgamma(selection.a) + std::lgamma(selection.b) - std::lgamma(selection.a + selection.b)) {
  if (slab_log_odds(0) >= 0) return;
  // The odds rise with |w|: bisection from where the likelihood ratio alone is decisive.
  double low = 0, high = components_.threshold() + std::sqrt(components_.spike_variance());
  while (slab_log_odds(high) < 0) high *= 2;
  while (high - low > 1e-15 * high) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (slab_log_odds(middle) < 0 ? low : high) = middle;
  }
  threshold_ = high;
}

double BestSelection::selection(double w) const {
  const double ratio = log_ratio(w);
  const double A = selection_.a - 1, B = selection_.b - 1;
  return ratio <= 0 ? smaller_root(std::exp(ratio), A, B) : 1 - smaller_root(std::exp(-ratio), B, A);
}

double BestSelection::slab_log_odds(double w) const {
  const double s = selection(w);
  return s <= 0 ? -HUGE_VAL : s >= 1 ? HUGE_VAL : logit(s) + log_ratio(w);
}

double BestSelection::log_density(double w) const {
  const double s = selection(w), ratio = log_ratio(w), A = selection_.a - 1, B = selection_.b - 1;
  const double prior = times_log(A, s) + times_log(B, 1 - s) - log_beta_;
  // TwoNormal at even odds is log((slab + spike) / 2): what s changes of it.
  const double even = components_.log_density(w) + std::log(2.0) + prior;
  return ratio <= 0 ? even + std::log1p(s * std::expm1(ratio)) - log1pexp(ratio)
                    : even + std::log1p((1 - s) * std::expm1(-ratio)) - log1pexp(-ratio);
}

double BestSelection::precision(double w) const {
  const double q = logistic(slab_log_odds(w));
  return q / components_.slab_variance() + (1 - q) / components_.spike_variance();
}

}  // namespace tamis
