// Masks of one feature given everything else, alone (em) or jointly with their rate (collapsed).
//
// Model      mu_n = sigma(c_n + logit pi - 1 / (2 N pi))                Kondo, Maeda & Hayashi (2015), Eq. 11
//            pi = sum_n mu_n / N                                        Eq. 14
// em         Eq. 11 at the old pi; Eq. 14 follows later. A dying pi then falls by (1 - pi) / (2 N) per iteration only.
// collapsed  both equations at once: with u = logit pi and shift(u) = u - (1 + e^-u) / (2 N) the roots of
//              h(u) = log sum_n sigma(c_n + shift) - log sum_n sigma(-c_n - shift) - u
//            Walk from the current u along the sign of h, which is uphill in G with mu at its best, to the first root;
//            then Newton steps inside the bracket. Below logit(delta): prune. Above 30: pi = 1.
// First root h may have several roots. A long step could pass the maximum that em would find: steps are
//            bounded and grow slowly.
// Numerics   sums of sigma(a) and of sigma(-a) are taken separately: 1 - pi is needed to full relative accuracy.
#include <algorithm>
#include <cmath>

#include "method/masking/mask_rows.hpp"
#include "method/masking/mask_steps.hpp"

namespace tamis {
namespace {

// logit pi - 1 / (2 N pi) as a function of u = logit pi, the part of Eq. 11 that all rows share; 1 / pi = 1 + e^-u.
double shift_at(double log_odds, double samples) { return log_odds - (1 + std::exp(-log_odds)) / (2 * samples); }

// u, h(u) and dh/du. The sign of h is that of dG/du with the masks at their maximum for u.
struct Slope {
  double u = 0, h = 0, derivative = 0;
};

// The equation of one feature. first() computes the evidence c_n of every row once into scratch memory; evaluate() and
// set() use it, so that a root costs one pass of exponentials per point.
class RateEquation {
 public:
  RateEquation(MaskState& state, Index k) : state_(state), rows_(state.rows_of(k)), feature_(state.feature(k)) {}

  Slope first(double u) {
    const double shift = shift_at(u, state_.samples);
    return slope(u, over_rows<RateSums>(
                        rows_, [shift, beta = feature_.beta, precision = state_.noise_precision](const MaskRows& part) {
                          take_evidence(part, beta, precision);
                          return rate_sums(part, shift);
                        }));
  }

  Slope evaluate(double u) const {
    const double shift = shift_at(u, state_.samples);
    return slope(u, over_rows<RateSums>(rows_, [shift](const MaskRows& part) { return rate_sums(part, shift); }));
  }

  void set(double u) {
    feature_.log_odds = u;
    feature_.shift = shift_at(u, state_.samples);
    feature_.certain = false;
    feature_.stale = true;
    feature_.sums = over_rows<MaskSums>(rows_, [beta = feature_.beta, shift = feature_.shift](const MaskRows& part) {
      return set_masks(part, beta, shift);
    });
  }

 private:
  Slope slope(double u, const RateSums& sums) const {
    // d shift / du = 1 + e^-u / (2 N); d log sum sigma(a) / da = sum sigma(a) sigma(-a) / sum sigma(a).
    const double inner = 1 + std::exp(-u) / (2 * state_.samples);
    return {u, std::log(sums.on) - std::log(sums.off) - u, inner * sums.both * (1 / sums.on + 1 / sums.off) - 1};
  }

  MaskState& state_;
  MaskRows rows_;
  MaskFeature& feature_;
};

// |h| at which a root is accepted: absolutely, and as a share of |h| at the start: the sweep is one of many.
constexpr double root_tolerance = 1e-10, root_share = 0.1;

// Newton's step where h falls towards a root, bounded by `walk`; where h rises Newton points the wrong way, and `walk`
// it is.
double stride(const Slope& at, double walk) {
  return at.derivative < 0 ? std::min(-std::abs(at.h) / at.derivative, walk) : walk;
}

// Root in a bracket: Newton's step from the better end; bisection if it leaves the bracket, if h rises, and every
// fourth time, so that the bracket shrinks geometrically whatever h does.
double root_between(const RateEquation& equation, Slope near, Slope far, double tolerance) {
  constexpr int max_steps = 60;
  Slope best = std::abs(near.h) < std::abs(far.h) ? near : far;
  for (int step = 0; step < max_steps && std::abs(best.h) > tolerance; ++step) {
    const double low = std::min(near.u, far.u), high = std::max(near.u, far.u);
    double u = best.u - best.h / best.derivative;
    if (!(u > low && u < high) || best.derivative >= 0 || step % 4 == 3) u = 0.5 * (low + high);
    if (u == low || u == high) break;
    best = equation.evaluate(u);
    ((best.h > 0) == (near.h > 0) ? near : far) = best;
  }
  return best.u;
}

}  // namespace

void initialize_masks(MaskState& state, Index k) {
  MaskFeature& f = state.feature(k);
  f.certain = false;
  f.stale = true;
  f.log_odds = 0;
  f.shift = 0;
  f.sums = over_rows<MaskSums>(state.rows_of(k), [beta = f.beta](const MaskRows& part) {
    std::fill_n(part.evidence, part.count, 0.0);
    return set_masks(part, beta, 0.0);
  });
}

void expect_masks(MaskState& state, Index k) {
  MaskFeature& f = state.feature(k);
  if (f.certain) return;
  f.stale = true;
  f.shift = shift_at(f.log_odds, state.samples);
  f.sums = over_rows<MaskSums>(
      state.rows_of(k), [beta = f.beta, shift = f.shift, precision = state.noise_precision](const MaskRows& part) {
        take_evidence(part, beta, precision);
        return set_masks(part, beta, shift);
      });
}

bool collapse_rate(MaskState& state, Index k, double min_log_odds) {
  RateEquation equation(state, k);
  MaskFeature& f = state.feature(k);
  Slope here = equation.first(f.certain ? certain_log_odds : f.log_odds);
  // h >= 0 at u = 30: G still rises towards pi = 1, where the feature stays.
  if (f.certain && here.h >= 0) return true;
  // First step |h|, growing by 1.7; at most .5, and 2 for u > 4, where nearly all masks are one and h is nearly flat.
  constexpr double shortest_walk = 0.02, longest_walk = 0.5, longest_high_walk = 2, high = 4, growth = 1.7;
  double walk = std::max(std::abs(here.h), shortest_walk);
  const double tolerance = std::max(root_tolerance, root_share * std::abs(here.h));
  while (std::abs(here.h) > tolerance) {
    const double u =
        here.u + std::copysign(stride(here, std::min(walk, here.u > high ? longest_high_walk : longest_walk)), here.h);
    if (u < min_log_odds) return false;
    if (u > certain_log_odds) {
      state.make_certain(k);
      return true;
    }
    const Slope there = equation.evaluate(u);
    if ((here.h > 0) != (there.h > 0)) {
      here.u = root_between(equation, here, there, tolerance);
      break;
    }
    here = there;
    walk *= growth;
  }
  equation.set(here.u);
  return true;
}

}  // namespace tamis
