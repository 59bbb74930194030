// Credible sets from weighted draws of models: few features, at least one of which is in the model.
//
// Claim      P(some member is in the model) >= level, by the share of the draws that meet the set; any two members have
//            |correlation| >= 0.5. Wang, Sarkar, Carbonetto & Stephens (2020) JRSS B 82(5) for what such a set says;
//            theirs come from a variational fit, these from draws.
// Algorithm  for each free feature j with inclusion >= 0.02, largest first
//              1 set = {j}; candidates = free features with |correlation| >= 0.5 to j
//              2 while P < level: add the candidate that meets the largest share of the draws that the set does not
//                meet yet (a substitute of j, not a feature of another signal), and drop the candidates that are not
//                correlated with it; give up if none meets any
//              3 remove members, smallest inclusion first, as long as P stays at the level; the rest is taken
// Equal      columns that are equal up to sign and scale are one candidate, and all their names are listed.
#include "tamis/fit/credible_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr double least_seed_inclusion = 0.02;
constexpr double rounding = 1e-12;  // of sums of shares

// A candidate: one feature, or several whose columns are equal.
struct Unit {
  std::vector<Index> places;  // in SetCandidates::features, by falling inclusion
  std::vector<Index> models;  // draws that hold it, ascending
  double inclusion = 0;
};

class SetSearch {
 public:
  SetSearch(const SetCandidates& candidates, double level);
  std::vector<CredibleSet> run();

 private:
  struct Neighbor {
    Index unit;
    double correlation;  // absolute
  };

  void group_equal_columns();
  void find_models();
  void find_neighbors();
  double correlation(Index a, Index b) const;
  double unmet_share(Index unit) const;
  void meet(Index unit, int by);
  double met_share() const;
  std::optional<std::vector<Index>> grow(Index seed);
  void shrink(std::vector<Index>& members);
  CredibleSet described(const std::vector<Index>& members) const;

  const SetCandidates& given_;
  const double level_;
  std::vector<Unit> units_;
  std::vector<Index> unit_of_;  // by place
  std::vector<std::vector<Neighbor>> neighbors_;
  std::vector<Index> met_;  // members that each draw holds
  std::vector<bool> free_;
};

SetSearch::SetSearch(const SetCandidates& candidates, double level)
    : given_(candidates), level_(level), met_(candidates.draws.weights.size(), 0) {
  group_equal_columns();
  find_models();
  find_neighbors();
  free_.assign(units_.size(), true);
}

void SetSearch::group_equal_columns() {
  const Index count = std::ssize(given_.features);
  std::vector<Index> root(count);
  std::iota(root.begin(), root.end(), Index{0});
  const auto root_of = [&](Index k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  for (const CandidateCorrelation& pair : given_.correlations) {
    if (std::abs(pair.correlation) != 1) continue;
    const Index a = root_of(pair.first), b = root_of(pair.second);
    root[std::max(a, b)] = std::min(a, b);
  }
  unit_of_.assign(count, -1);
  for (Index k = 0; k < count; ++k) {
    const Index first = root_of(k);
    if (first == k) {
      unit_of_[k] = std::ssize(units_);
      units_.emplace_back();
    }
    unit_of_[k] = unit_of_[first];
    units_[unit_of_[k]].places.push_back(k);
  }
  for (Unit& unit : units_) {
    std::ranges::stable_sort(unit.places, [&](Index a, Index b) { return given_.inclusion[a] > given_.inclusion[b]; });
  }
}

// The inclusion of equal columns is that of any of them: each may be in few draws and one of them in all.
void SetSearch::find_models() {
  const ModelDraws& draws = given_.draws;
  for (Index d = 0; d < std::ssize(draws.weights); ++d) {
    for (Index e = draws.starts[d]; e < draws.starts[d + 1]; ++e) {
      std::vector<Index>& models = units_[unit_of_[draws.features[e]]].models;
      if (models.empty() || models.back() != d) models.push_back(d);
    }
  }
  for (Unit& unit : units_) {
    unit.inclusion = given_.inclusion[unit.places.front()];
    if (unit.places.size() == 1) continue;
    double share = 0;
    for (const Index d : unit.models) share += draws.weights[d];
    unit.inclusion = std::clamp(share, unit.inclusion, 1.0);
  }
}

void SetSearch::find_neighbors() {
  neighbors_.resize(units_.size());
  for (const CandidateCorrelation& pair : given_.correlations) {
    const Index a = unit_of_[pair.first], b = unit_of_[pair.second];
    if (a == b || std::abs(pair.correlation) < least_purity) continue;
    neighbors_[a].push_back({b, std::abs(pair.correlation)});
    neighbors_[b].push_back({a, std::abs(pair.correlation)});
  }
  for (std::vector<Neighbor>& list : neighbors_) {
    std::ranges::stable_sort(list, {}, &Neighbor::unit);
    const auto is_same = [](const Neighbor& x, const Neighbor& y) { return x.unit == y.unit; };
    list.erase(std::unique(list.begin(), list.end(), is_same), list.end());
  }
}

// 0 for a pair that is not listed.
double SetSearch::correlation(Index a, Index b) const {
  if (a == b) return 1;
  const std::vector<Neighbor>& list = neighbors_[a];
  const auto at = std::ranges::lower_bound(list, b, {}, &Neighbor::unit);
  return at != list.end() && at->unit == b ? at->correlation : 0;
}

double SetSearch::unmet_share(Index unit) const {
  double share = 0;
  for (const Index d : units_[unit].models) share += met_[d] == 0 ? given_.draws.weights[d] : 0;
  return share;
}

void SetSearch::meet(Index unit, int by) {
  for (const Index d : units_[unit].models) met_[d] += by;
}

double SetSearch::met_share() const {
  double share = 0;
  for (Index d = 0; d < std::ssize(met_); ++d) share += met_[d] > 0 ? given_.draws.weights[d] : 0;
  return std::min(share, 1.0);
}

// The members of a set around this feature, met_ counting them; nothing if no set reaches the level.
std::optional<std::vector<Index>> SetSearch::grow(Index seed) {
  std::ranges::fill(met_, 0);
  std::vector<Index> members = {seed};
  std::vector<Index> candidates;
  for (const Neighbor& neighbor : neighbors_[seed]) {
    if (free_[neighbor.unit]) candidates.push_back(neighbor.unit);
  }
  meet(seed, 1);
  while (met_share() < level_ - rounding) {
    Index best = -1;
    double largest = 0;
    for (const Index unit : candidates) {
      const double share = unmet_share(unit);
      if (share > largest) largest = share, best = unit;
    }
    if (best < 0) return std::nullopt;
    members.push_back(best);
    meet(best, 1);
    std::erase_if(candidates, [&](Index unit) { return unit == best || correlation(unit, best) == 0; });
  }
  return members;
}

void SetSearch::shrink(std::vector<Index>& members) {
  std::ranges::stable_sort(members, [&](Index a, Index b) { return units_[a].inclusion > units_[b].inclusion; });
  for (Index k = std::ssize(members) - 1; k >= 0 && members.size() > 1; --k) {
    meet(members[k], -1);
    if (met_share() >= level_ - rounding) {
      members.erase(members.begin() + k);
    } else {
      meet(members[k], 1);
    }
  }
}

CredibleSet SetSearch::described(const std::vector<Index>& members) const {
  CredibleSet set;
  // Sums of thousands of shares have rounding errors, which no reader should see.
  constexpr double digits = 1e12;
  set.probability = std::round(met_share() * digits) / digits;
  for (const Index unit : members) {
    for (const Index place : units_[unit].places) {
      set.features.push_back(given_.features[place]);
      set.inclusion.push_back(given_.inclusion[place]);
      set.correlation.push_back(correlation(members.front(), unit));
    }
    for (const Index other : members) set.purity = std::min(set.purity, correlation(unit, other));
  }
  return set;
}

std::vector<CredibleSet> SetSearch::run() {
  std::vector<Index> order(units_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return units_[a].inclusion > units_[b].inclusion; });
  std::vector<CredibleSet> sets;
  for (const Index seed : order) {
    if (units_[seed].inclusion < least_seed_inclusion) break;
    if (!free_[seed]) continue;
    std::optional<std::vector<Index>> members = grow(seed);
    if (!members) continue;
    shrink(*members);
    for (const Index unit : *members) free_[unit] = false;
    sets.push_back(described(*members));
  }
  return sets;
}

}  // namespace

std::vector<CredibleSet> credible_sets(const SetCandidates& candidates, double level) {
  if (!(level >= lowest_set_level && level <= 1)) {
    throw InvalidOption(fmt::format("level: received {}; expected a number between {} and 1", level, lowest_set_level));
  }
  return SetSearch(candidates, level).run();
}

}  // namespace tamis
