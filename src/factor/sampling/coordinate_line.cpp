// One coordinate of a model without a known conditional, such as counts: exact Metropolis with Laplace's proposal.
//
// Target     of t = v_nk (with its indicator) or t = theta_kd:  sum_i log p(x_i | base_i + slope_i t) + log prior(t)
// Proposal   t5 with mode and curvature of the target, found by Newton; for scores first z with the odds of Laplace's
//            approximation of Eq. 6 of Mohamed, Heller & Ghahramani,
//              logit P(z = 1) = logit pi + l(mode) + log prior(mode) + 1/2 log(2 pi / curvature) - l(0).
//            The pair (z, v) is accepted as one. The paper takes the approximate odds as if they were exact, which
//            biases P(z); here they only propose.
// Validity   Mode and curvature are functions of everything but t itself: Newton begins at 0, never at the present
//            value, so this is an independence sampler and forward and backward proposals have the same density.
// Tails      t5 is heavier than the target's tails, normal or exponential: target / proposal is bounded, and no state
//            holds the chain for long. A normal proposal has no such bound where the target has an exponential tail.
// Odds       of the proposal are clipped at e^+-30, so that a state which Laplace misjudges can still be left.
// Cost       of a coordinate about 10 evaluations of its cells, in blocks of 256 that stay in the first-level cache.
#include "factor/sampling/coordinate_line.hpp"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numbers>

#include "base/simd_dispatch.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::factor {
namespace {

constexpr double freedom = 5;        // of the proposal
constexpr double largest_odds = 30;  // of the proposal, in logs: neither state is ever out of reach
constexpr int newton_steps = 6;
constexpr double largest_move = 3;  // of any predictor in one step

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

// Cells are read in blocks that stay in the first-level cache; their terms are added up afterwards.
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

// visit(first, predictors of a piece at t, missing places in it counted from its first cell).
template <class Visit>
void visit_pieces(const CoordinateLine& line, double t, const Visit& visit) {
  double psi[piece];
  auto missing = line.missing.begin();
  for (Index from = 0; from < line.count; from += piece) {
    const Index some = std::min(piece, line.count - from);
    simd_dispatch([&] {
      const double *slope = line.slope + from, *base = line.base + from;
      for (Index i = 0; i < some; ++i) psi[i] = base[i] + slope[i] * t;
    });
    const auto first_missing = missing;
    while (missing != line.missing.end() && *missing < from + some) ++missing;
    visit(from, std::span<const double>(psi, some), std::span(first_missing, missing));
  }
}

// sum slope_i (x_i - mean_i) and sum slope_i^2 curvature_i, by the family, and the prior's part.
Derivatives derivatives(const CoordinateLine& line, double t) {
  const QuadraticModel prior = line.loading_prior != nullptr ? line.loading_prior->quadratic(t) : QuadraticModel{};
  Derivatives out{prior.residual - line.prior_precision * (t - line.prior_mean), line.prior_precision + prior.weight};
  visit_pieces(line, t, [&](Index from, std::span<const double> psi, std::span<const std::int32_t> missing) {
    double first[piece], second[piece];
    const Index some = std::ssize(psi);
    line.family.derivatives(span_of(line.x + from, some), psi, span_of(first, some), span_of(second, some));
    for (const std::int32_t i : missing) first[i - from] = second[i - from] = 0;
    simd_dispatch([&] {
      const double* slope = line.slope + from;
      for (Index i = 0; i < some; ++i) {
        first[i] *= slope[i];
        second[i] *= slope[i] * slope[i];
      }
      out.first += sum_of(first, some);
      out.second += sum_of(second, some);
    });
  });
  return out;
}

double largest_slope(const CoordinateLine& line) {
  double largest = 0;
  for (Index i = 0; i < line.count; ++i) largest = std::max(largest, std::abs(line.slope[i]));
  return largest;
}

}  // namespace

double CoordinateLine::log_likelihood(double t) const {
  double loss = 0;
  visit_pieces(*this, t, [&](Index from, std::span<const double> psi, std::span<const std::int32_t> holes) {
    double terms[piece];
    const Index some = std::ssize(psi);
    family.losses(span_of(x + from, some), psi, span_of(terms, some));
    for (const std::int32_t i : holes) terms[i - from] = 0;
    loss += sum_of(terms, some);
  });
  return -loss;
}

double CoordinateLine::log_prior(double t) const {
  const double conjugate = loading_prior != nullptr ? loading_prior->log_density(t) : 0;
  return conjugate - 0.5 * prior_precision * (t - prior_mean) * (t - prior_mean);
}

// Newton's steps are clipped to 3 in any predictor: from a rate of 1e-6 an unclipped step to a count of 5 is 5e6 long,
// and the exponential there infinite. A mode that is not reached in six steps makes a poor proposal, not a wrong draw.
LaplaceFit fit_laplace(const CoordinateLine& line) {
  // Curvature of the prior alone may be 0: then something small beside that of one cell.
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

double draw_continuous(const CoordinateLine& line, double current, RandomStream& random) {
  const LaplaceFit fit = fit_laplace(line);
  const auto weight = [&](double t) { return line.log_likelihood(t) + line.log_prior(t) - log_t(t, fit); };
  const double proposal = draw_t(fit, random);
  return accept(weight(proposal) - weight(current), random) ? proposal : current;
}

// Weights target / proposal of the two kinds of state have different measures: a mass at 0 in the spike, a density in
// the slab. The constants of both densities must therefore be kept, unlike in draw_continuous().
double draw_with_spike(const CoordinateLine& line, double log_odds, double current, RandomStream& random) {
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
  // From spike to spike: nothing to decide, ratio 1.
  if (!active && current == 0) return 0;
  return accept(weight(proposal) - weight(current), random) ? proposal : current;
}

}  // namespace tamis::factor
