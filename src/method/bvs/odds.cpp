// Conditional odds and flip rates of all features, one vectorized pass each.
//
// Odds       D_k + slab price + gain, D_k the step of the prior of the model size:
//              outside  g-prior      -log(1 + g)/2       - A log(1 - t r^2 / (s R))
//                       independent  -log(v s)/2         - A log(1 - r^2 / (s R)), logistic: + r^2 / (2 s)
//              inside   g-prior      -log(1 + g)/2       + A log(1 + t m^2 / (C R))
//                       independent  -log(v / C)/2       + A log(1 + m^2 / (C R)), logistic: + m^2 / (2 C)
// Rates      out: o + c (1 + o); in: 1 + c (1 + 1/o); c = 1/p. The flow between a model and its neighbor, posterior
//            times rate, is the same both ways.
// Scale      Odds beyond e^600 are scaled down together with all rates: clamped one by one, two rivals with odds e^650
//            and e^700 would share what belongs to one.
// Paper      Zanella & Roberts (2019) JRSS B 81(3); the term c is their exploration.
#include "method/bvs/odds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"

namespace tamis {
namespace {

constexpr double largest_log = 600;
constexpr Index block = 64;
constexpr double least_share = 1e-12;  // of the residual that a feature may leave

template <bool independent, bool gaussian>
void outside(const ActiveModel& model, const OddsTerms& terms, std::span<double> out) {
  const double *r = model.r().data(), *s = model.s().data(), *squares = model.squares().data();
  double* to = out.data();
  const Index p = std::ssize(out);
  const double base = terms.when_out + terms.slab - (independent ? 0.5 * terms.log_slab : 0.0);
  const double ratio = terms.ratio, half_dof = terms.half_dof, limit = terms.flat_limit;
  simd_dispatch([=] {
    for (Index j = 0; j < p; ++j) {
      const bool flat = !(s[j] > limit * squares[j]);
      const double sj = flat ? 1.0 : s[j];
      const double gain = r[j] * r[j] / sj;
      double value = base;
      if (gaussian) {
        const double left = 1 - ratio * gain;
        value -= half_dof * vector_math::log(left > least_share ? left : least_share);
      } else {
        value += 0.5 * gain;
      }
      if (independent) value -= 0.5 * vector_math::log(sj);
      to[j] = flat ? never : value;
    }
  });
}

double inside(const ActiveModel& model, const OddsTerms& terms, Index place) {
  const double c = model.variance(place), m = model.coefficients()[place], gain = m * m / c;
  double value = terms.when_in + terms.slab;
  if (terms.independent) value -= 0.5 * (terms.log_slab - std::log(c));
  return value + (terms.half_dof > 0 ? terms.half_dof * std::log1p(terms.ratio * gain) : 0.5 * gain);
}

}  // namespace

void log_odds(const ActiveModel& model, const OddsTerms& terms, const OwnPriors& own, std::span<double> out) {
  if (terms.when_out == never && own.features.empty()) {
    std::ranges::fill(out, never);
  } else {
    OddsTerms open = terms;
    if (terms.when_out == never) open.when_out = 0;
    const bool gaussian = terms.half_dof > 0;
    if (terms.independent) {
      gaussian ? outside<true, true>(model, open, out) : outside<true, false>(model, open, out);
    } else {
      outside<false, true>(model, open, out);
    }
    if (terms.when_out == never) std::ranges::fill(out, never);
    const bool full = terms.when_out == never;
    for (Index k = 0; k < std::ssize(own.features) && !full; ++k) {
      double& value = out[own.features[k]];
      if (value == never) continue;
      value = std::abs(own.log_odds[k]) >= always ? never : value + own.log_odds[k] - open.when_out;
    }
  }
  for (Index a = 0; a < model.size(); ++a) {
    const Index j = model.features()[a];
    double value = inside(model, terms, a);
    if (!own.counted(j)) {
      const double log_odds = own.log_odds[std::ranges::find(own.features, j) - own.features.begin()];
      value = log_odds >= always ? always : value + log_odds - terms.when_in;
    }
    out[j] = value;
  }
}

double log_sum_of_odds(std::span<const double> log_odds, const ActiveModel& model, std::span<const Index> excluded) {
  // In a copy whose excluded entries cannot be drawn, so that the loops have no branches.
  std::vector<double> open(log_odds.begin(), log_odds.end());
  for (const Index j : model.features()) open[j] = never;
  for (const Index j : excluded) open[j] = never;
  const double largest = std::ranges::max(open);
  if (largest <= never) return -std::numeric_limits<double>::infinity();
  double total = 0;
  simd_dispatch([&] {
    double sums[8] = {};
    const Index p = std::ssize(open);
    Index j = 0;
    for (; j + 8 <= p; j += 8) {
      for (Index l = 0; l < 8; ++l) sums[l] += vector_math::exp(open[j + l] - largest);
    }
    for (; j < p; ++j) sums[0] += vector_math::exp(open[j] - largest);
    for (const double sum : sums) total += sum;
  });
  return largest + std::log(total);
}

Index draw_by_odds(std::span<const double> log_odds, const ActiveModel& model, std::span<const Index> excluded,
                   double uniform) {
  const double whole = log_sum_of_odds(log_odds, model, excluded);
  if (!std::isfinite(whole)) return -1;
  Index last = -1;
  double left = uniform;
  for (Index j = 0; j < std::ssize(log_odds); ++j) {
    if (log_odds[j] < whole - 40 || model.place_of(j) >= 0 || std::ranges::count(excluded, j) > 0) continue;
    last = j;
    left -= std::exp(log_odds[j] - whole);
    if (left < 0) break;
  }
  return last;
}

FlipRates::FlipRates(Index features)
    : explore_(1 / static_cast<double>(features)),
      inclusion_(features),
      rates_(features),
      blocks_((features + block - 1) / block) {}

// Rates of all features as if they were outside, from the log odds in rates_; their sums by blocks.
void FlipRates::fill_outside(double largest) {
  shift_ = std::max(0.0, largest - largest_log);
  const double shift = shift_, explore = explore_, explore_shifted = explore_ * std::exp(-shift);
  double *rates = rates_.data(), *inclusion = inclusion_.data();
  const Index p = std::ssize(rates_);
  simd_dispatch([=, blocks = blocks_.data()] {
    for (Index first = 0; first < p; first += block) {
      const Index count = std::min(block, p - first);
      double* w = rates + first;
      double* q = inclusion + first;
      for (Index j = 0; j < count; ++j) {
        const double o = vector_math::exp(w[j] < largest_log ? w[j] : largest_log);
        const double scaled = shift > 0 ? vector_math::exp(w[j] - shift) : o;
        q[j] = o / (1 + o);
        w[j] = w[j] > never ? scaled + explore_shifted + explore * scaled : 0.0;
      }
      double sums[8] = {};
      Index j = 0;
      for (; j + 8 <= count; j += 8) {
        for (Index l = 0; l < 8; ++l) sums[l] += w[j + l];
      }
      for (; j < count; ++j) sums[0] += w[j];
      blocks[first / block] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }
  });
}

void FlipRates::update(const ActiveModel& model, const OddsTerms& terms, const OwnPriors& own) {
  log_odds(model, terms, own, rates_);
  std::vector<double> of_inside(model.size());
  for (Index a = 0; a < model.size(); ++a) of_inside[a] = std::exchange(rates_[model.features()[a]], never);
  double largest = never;
  simd_dispatch([&] {
    double tops[8];
    for (double& top : tops) top = never;
    const Index p = std::ssize(rates_);
    Index j = 0;
    for (; j + 8 <= p; j += 8) {
      for (Index l = 0; l < 8; ++l) tops[l] = tops[l] > rates_[j + l] ? tops[l] : rates_[j + l];
    }
    for (; j < p; ++j) tops[0] = std::max(tops[0], rates_[j]);
    for (const double top : tops) largest = std::max(largest, top);
  });
  fill_outside(largest);
  for (Index a = 0; a < model.size(); ++a) {
    const Index j = model.features()[a];
    const double o = std::exp(std::clamp(of_inside[a], -largest_log, largest_log));
    inclusion_[j] = of_inside[a] >= always ? 1.0 : o / (1 + o);
    rates_[j] = of_inside[a] >= always ? 0.0 : (1 + explore_ * (1 + 1 / o)) * std::exp(-shift_);
    blocks_[j / block] += rates_[j];
  }
  total_ = 0;
  for (const double sum : blocks_) total_ += sum;
}

Index FlipRates::choose(double uniform) const {
  double left = uniform * total_;
  Index b = 0;
  for (; b + 1 < std::ssize(blocks_) && left >= blocks_[b]; ++b) left -= blocks_[b];
  const Index first = b * block, end = std::min(first + block, std::ssize(rates_));
  Index last = -1;
  for (Index j = first; j < end; ++j) {
    if (rates_[j] <= 0) continue;
    last = j;
    left -= rates_[j];
    if (left < 0) return j;
  }
  // Rounding has led past the end of a block: its last feature, or the last of all.
  for (Index j = first - 1; last < 0 && j >= 0; --j) {
    if (rates_[j] > 0) last = j;
  }
  return last;
}

std::vector<Index> FlipRates::likely(const ActiveModel& model) const {
  constexpr Index few = 2 * GramColumns::width;
  std::vector<Index> best(std::ssize(rates_));
  for (Index j = 0; j < std::ssize(best); ++j) best[j] = j;
  const Index wanted = std::min(few + model.size(), std::ssize(best));
  std::ranges::nth_element(best, best.begin() + (wanted - 1), [&](Index a, Index b) { return rates_[a] > rates_[b]; });
  best.resize(wanted);
  std::ranges::sort(best, [&](Index a, Index b) { return rates_[a] > rates_[b]; });
  std::erase_if(best, [&](Index j) { return model.place_of(j) >= 0; });
  return best;
}

}  // namespace tamis
