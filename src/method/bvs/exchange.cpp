// Two features for one: a Metropolis step between {i, j} + B and {l} + B.
//
// Why        If l imitates the sum of i and j, the two models may be equally good, and every way between them by single
//            flips leads through models that are exp(-7) or less as probable: chains agree on one of them by accident.
// Merge      a pair (i, j) inside, uniformly; both leave; l from outside by its odds given B, i and j excepted
// Split      l inside, uniformly; it leaves; i by its odds given B, then j by its odds given B and i, both without l:
//            next to l no other feature would ever be drawn
// Target     posterior times the sum of the rates, as for every move beside the flips
#include "method/bvs/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {

Index counted_inside(const ActiveModel& model, const OwnPriors& own) {
  if (own.features.empty()) return model.size();
  return std::ranges::count_if(model.features(), [&](Index j) { return own.counted(j); });
}

PairExchange::PairExchange(const NormalEquations& data, Index features)
    : work_(data), rates_(features), base_(features), first_(features), second_(features) {}

void PairExchange::odds(const Target& target, const BvsPrior& prior, std::vector<double>& out) const {
  log_odds(work_, target.terms(work_, counted_inside(work_, prior.own)), prior.own, out);
}

// Log probability that a split of l draws i and j, in either order.
double PairExchange::log_pair(Index i, Index j, Index single) const {
  const Index without_single[] = {single};
  const auto share = [&](const std::vector<double>& of, Index feature, Index also) {
    const Index excluded[] = {single, also};
    return of[feature] - log_sum_of_odds(of, work_, std::span<const Index>(excluded).first(also < 0 ? 1 : 2));
  };
  const double base = log_sum_of_odds(base_, work_, without_single);
  return log_sum_exp(base_[i] - base + share(first_, j, i), base_[j] - base + share(second_, i, j));
}

bool PairExchange::merge(const Target& target, const BvsPrior& prior, RandomStream& random, Proposal& proposal) {
  const Index k = work_.size();
  if (k < 2) return false;
  const std::vector<Index> pair = random.sample(k, 2);
  const Index i = work_.features()[pair[0]], j = work_.features()[pair[1]];
  work_.drop(work_.place_of(j));
  odds(target, prior, first_);  // given B and i
  work_.drop(work_.place_of(i));
  odds(target, prior, base_);
  if (std::max({std::abs(first_[j]), std::abs(base_[i]), std::abs(base_[j])}) >= always) return false;
  const Index excluded[] = {i, j};
  const Index single = draw_by_odds(base_, work_, excluded, random.uniform01());
  if (single < 0) return false;
  const double log_single = base_[single] - log_sum_of_odds(base_, work_, excluded);
  work_.add(j);
  odds(target, prior, second_);
  work_.drop(work_.place_of(j));
  const auto size = static_cast<double>(k);
  proposal.log_target = base_[single] - base_[i] - first_[j];
  proposal.log_forward = log_single - std::log(size * (size - 1) / 2);
  proposal.log_backward = log_pair(i, j, single) - std::log(size - 1);
  work_.add(single);
  return true;
}

bool PairExchange::split(const Target& target, const BvsPrior& prior, RandomStream& random, Proposal& proposal) {
  const Index k = work_.size();
  if (k < 1 || k + 1 > prior.size.most()) return false;
  const Index single = work_.features()[random.index(k)];
  work_.drop(work_.place_of(single));
  odds(target, prior, base_);
  if (std::abs(base_[single]) >= always) return false;
  const Index without_single[] = {single};
  const Index i = draw_by_odds(base_, work_, without_single, random.uniform01());
  if (i < 0) return false;
  work_.add(i);
  odds(target, prior, first_);
  const Index j = draw_by_odds(first_, work_, without_single, random.uniform01());
  if (j < 0 || std::abs(base_[j]) >= always) return false;
  work_.drop(work_.place_of(i));
  work_.add(j);
  odds(target, prior, second_);
  work_.drop(work_.place_of(j));
  if (std::abs(second_[i]) >= always) return false;
  const auto size = static_cast<double>(k);
  const Index excluded[] = {i, j};
  proposal.log_target = base_[i] + first_[j] - base_[single];
  proposal.log_forward = log_pair(i, j, single) - std::log(size);
  proposal.log_backward = base_[single] - log_sum_of_odds(base_, work_, excluded) - std::log((size + 1) * size / 2);
  work_.add(i);
  work_.add(j);
  return true;
}

bool PairExchange::propose(const ActiveModel& model, double log_total, double log_refresh_rate, const Target& target,
                           const BvsPrior& prior, RandomStream& random) {
  work_.copy_from(model);
  Proposal proposal;
  const bool merging = random.uniform01() < 0.5;
  if (!(merging ? merge(target, prior, random, proposal) : split(target, prior, random, proposal))) return false;
  if (work_.in_trouble()) return false;
  rates_.update(work_, target.terms(work_, counted_inside(work_, prior.own)), prior.own);
  const double log_ratio = proposal.log_target + proposal.log_backward - proposal.log_forward +
                           log_sum_exp(rates_.log_total(), log_refresh_rate) - log_total;
  return std::log(1 - random.uniform01()) < log_ratio;
}

}  // namespace tamis
