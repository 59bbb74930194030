#include <algorithm>
#include <cmath>

#include "method/masking/mask_rows.hpp"
#include "method/masking/mask_steps.hpp"

namespace tamis {
namespace {

// Log odds of the masks less their evidence: logit pi - 1 / (2 N pi), the last terms of Eq. 11.
double shift_at(double log_odds, double samples) { return log_odds - (1 + std::exp(-log_odds)) / (2 * samples); }

// h(u) = log sum sigma(a) - log sum sigma(-a) - u with a = evidence + shift(u): its sign is that of dG/du along the
// masks that are best for u, and its roots are where Eqs. 11 and 14 hold together.
struct Slope {
  double u = 0, h = 0, derivative = 0;
};

class RateClimb {
 public:
  RateClimb(MaskState& state, Index k) : state_(state), rows_(state.rows_of(k)), feature_(state.feature(k)) {}

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
    const double inner = 1 + std::exp(-u) / (2 * state_.samples);
    return {u, std::log(sums.on) - std::log(sums.off) - u, inner * sums.both * (1 / sums.on + 1 / sums.off) - 1};
  }

  MaskState& state_;
  MaskRows rows_;
  MaskFeature& feature_;
};

constexpr double root_tolerance = 1e-10, root_share = 0.1;

// A step along h: Newton's where h falls, but no longer than the walk allows, so that the first root is not jumped.
double stride(const Slope& at, double walk) {
  return at.derivative < 0 ? std::min(-std::abs(at.h) / at.derivative, walk) : walk;
}

// The root between two points where h has different signs: Newton's step, or the middle if that leaves the bracket or
// the bracket shrinks slowly.
double root_between(const RateClimb& climb, Slope near, Slope far, double tolerance) {
  constexpr int most_steps = 60;
  Slope best = std::abs(near.h) < std::abs(far.h) ? near : far;
  for (int step = 0; step < most_steps && std::abs(best.h) > tolerance; ++step) {
    const double low = std::min(near.u, far.u), high = std::max(near.u, far.u);
    double u = best.u - best.h / best.derivative;
    if (!(u > low && u < high) || best.derivative >= 0 || step % 4 == 3) u = 0.5 * (low + high);
    if (u == low || u == high) break;
    best = climb.evaluate(u);
    ((best.h > 0) == (near.h > 0) ? near : far) = best;
  }
  return best.u;
}

}  // namespace

void begin_masks(MaskState& state, Index k) {
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

bool collapse_rate(MaskState& state, Index k, double least_log_odds) {
  RateClimb climb(state, k);
  MaskFeature& f = state.feature(k);
  Slope here = climb.first(f.certain ? certain_log_odds : f.log_odds);
  if (f.certain && here.h >= 0) return true;
  // Where nearly all masks are one h is nearly flat, and steps may be longer.
  constexpr double shortest_walk = 0.02, longest_walk = 0.5, longest_high_walk = 2, high = 4, growth = 1.7;
  double walk = std::max(std::abs(here.h), shortest_walk);
  const double tolerance = std::max(root_tolerance, root_share * std::abs(here.h));
  while (std::abs(here.h) > tolerance) {
    const double u =
        here.u + std::copysign(stride(here, std::min(walk, here.u > high ? longest_high_walk : longest_walk)), here.h);
    if (u < least_log_odds) return false;
    if (u > certain_log_odds) {
      state.make_certain(k);
      return true;
    }
    const Slope there = climb.evaluate(u);
    if ((here.h > 0) != (there.h > 0)) {
      here.u = root_between(climb, here, there, tolerance);
      break;
    }
    here = there;
    walk *= growth;
  }
  climb.set(here.u);
  return true;
}

}  // namespace tamis
