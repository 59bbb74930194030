#include "factor/sampling/count_line.hpp"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numbers>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::factor {
namespace {

constexpr double freedom = 5;        // of the proposal
constexpr double largest_odds = 30;  // of the proposal, in logs: neither state is ever out of reach
constexpr int newton_steps = 6;
constexpr double largest_move = 3;  // of any log rate in one step

// log of the t density with scale 1/sqrt(curvature), without what all t densities share.
double log_t(double t, const LaplaceFit& at) {
  const double z = (t - at.mode) * (t - at.mode) * at.curvature;
  return 0.5 * std::log(at.curvature) - 0.5 * (freedom + 1) * std::log1p(z / freedom);
}

// lgamma(3) - lgamma(5/2) - 1/2 log(5 pi): what they share.
const double log_t_constant =
    std::log(2.0) - std::log(0.75 * std::sqrt(std::numbers::pi)) - 0.5 * std::log(freedom * std::numbers::pi);

double draw_t(const LaplaceFit& at, RandomStream& random) {
  const double chi_square = 2 * boost::random::gamma_distribution<double>(0.5 * freedom)(random);
  return at.mode + random.normal() / std::sqrt(at.curvature * chi_square / freedom);
}

bool accept(double log_ratio, RandomStream& random) { return std::log(random.uniform01() + 0x1p-54) < log_ratio; }

struct Derivatives {
  double first = 0;
  double second = 0;  // minus the second derivative
};

// Terms are computed in pieces, so that the loop over exp becomes vector code, and added up afterwards.
constexpr Index piece = 256;

double sum_of(const double* terms, Index count) {
  double sums[4] = {};
  const Index whole = count - count % 4;
  for (Index i = 0; i < whole; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += terms[i + lane];
  }
  for (Index i = whole; i < count; ++i) sums[0] += terms[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Derivatives derivatives(const CountLine& line, double t) {
  const double rate_of_prior = line.prior_count > 0 ? line.prior_count * std::exp(t) : 0;
  Derivatives out{line.prior_linear - rate_of_prior - line.prior_precision * (t - line.prior_mean),
                  line.prior_precision + rate_of_prior};
  simd_dispatch([&] {
    double first[piece], second[piece];
    for (Index from = 0; from < line.count; from += piece) {
      const Index some = line.count - from < piece ? line.count - from : piece;
      const double *x = line.x + from, *slope = line.slope + from, *base = line.base + from;
      const double limit = line.largest_log_rate;
      for (Index i = 0; i < some; ++i) {
        const double psi = base[i] + slope[i] * t;
        const double rate = vector_math::exp(psi < limit ? psi : limit);
        const double weight = psi < limit ? slope[i] : 0.0;
        first[i] = weight * (x[i] - rate);
        second[i] = weight * weight * rate;
      }
      out.first += sum_of(first, some);
      out.second += sum_of(second, some);
    }
  });
  return out;
}

double largest_slope(const CountLine& line) {
  double largest = 0;
  for (Index i = 0; i < line.count; ++i) largest = std::max(largest, std::abs(line.slope[i]));
  return largest;
}

}  // namespace

double CountLine::log_likelihood(double t) const {
  double sum = 0;
  simd_dispatch([&] {
    double terms[piece];
    for (Index from = 0; from < count; from += piece) {
      const Index some = count - from < piece ? count - from : piece;
      for (Index i = 0; i < some; ++i) {
        const double free = base[from + i] + slope[from + i] * t;
        const double psi = free < largest_log_rate ? free : largest_log_rate;
        terms[i] = x[from + i] * psi - vector_math::exp(psi);
      }
      sum += sum_of(terms, some);
    }
  });
  return sum;
}

double CountLine::log_prior(double t) const {
  const double rate = prior_count > 0 ? prior_count * std::exp(t) : 0;
  return prior_linear * t - rate - 0.5 * prior_precision * (t - prior_mean) * (t - prior_mean);
}

LaplaceFit fit_laplace(const CountLine& line) {
  // Curvature of the prior alone may be 0: then something of the size of one count.
  constexpr double least_curvature = 1e-3;
  const double clip = largest_move / std::max(largest_slope(line), 1e-3);
  LaplaceFit fit;
  for (int step = 0; step < newton_steps; ++step) {
    const Derivatives at = derivatives(line, fit.mode);
    fit.curvature = std::max(at.second, least_curvature);
    const double move = std::clamp(at.first / fit.curvature, -clip, clip);
    fit.mode += move;
    if (std::abs(move) * std::sqrt(fit.curvature) < 1e-2) break;
  }
  fit.curvature = std::max(derivatives(line, fit.mode).second, least_curvature);
  fit.log_height = line.log_likelihood(fit.mode) + line.log_prior(fit.mode);
  return fit;
}

double draw_continuous(const CountLine& line, double current, RandomStream& random) {
  const LaplaceFit fit = fit_laplace(line);
  const auto weight = [&](double t) { return line.log_likelihood(t) + line.log_prior(t) - log_t(t, fit); };
  const double proposal = draw_t(fit, random);
  return accept(weight(proposal) - weight(current), random) ? proposal : current;
}

double draw_with_spike(const CountLine& line, double log_odds, double current, RandomStream& random) {
  const LaplaceFit fit = fit_laplace(line);
  const double spike = line.log_likelihood(0);
  const double slab_constant = 0.5 * std::log(line.prior_precision) - 0.5 * std::log(2 * std::numbers::pi);
  const double laplace = fit.log_height + 0.5 * std::log(line.prior_precision / fit.curvature) - spike;
  const double proposal_odds = std::clamp(log_odds + laplace, -largest_odds, largest_odds);
  // log of target over proposal, for a state in the spike (0) or in the slab.
  const auto weight = [&](double t) {
    if (t == 0) return spike - log_logistic(-proposal_odds);
    return log_odds + slab_constant + line.log_likelihood(t) + line.log_prior(t) - log_logistic(proposal_odds) -
           (log_t_constant + log_t(t, fit));
  };
  const bool active = random.uniform01() < logistic(proposal_odds);
  const double proposal = active ? draw_t(fit, random) : 0;
  if (!active && current == 0) return 0;
  return accept(weight(proposal) - weight(current), random) ? proposal : current;
}

}  // namespace tamis::factor
