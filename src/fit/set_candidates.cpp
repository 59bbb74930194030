// Candidates of credible sets: the features around which a set can exist at all, what the draws say of them, and how
// their columns are correlated. Small enough for a model file, so that sets of another level need neither the draws of
// all features nor the data.
//
// Algorithm  1 equal columns among all features: fingerprints |x_j'u| with one random u, one pass over X; columns of
//              equal fingerprint are compared by their correlation. They are one unit from here on.
//            2 seeds: units of inclusion >= 0.02, largest first; their correlations with all units that were drawn
//            3 a seed counts if the draws that meet it or a unit correlated with it reach lowest_set_level, else no set
//              around it exists; it brings its most frequent correlated units along, those in 0.5 % of the draws or
//              more
//            4 correlations among all of these; draws restricted to them, equal ones merged
// Bounds     500 seeds, 100 units per seed, 2000 features in all: what is beyond them is not in any set
#include "fit/set_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

constexpr double least_seed_inclusion = 0.02;
// A unit in fewer draws is no candidate: it could fill up the last percent of a set at most, and of correlated features
// there are hundreds.
constexpr double least_share = 0.005;
constexpr Index most_seeds = 500, most_around_seed = 100, most_features = 2000;
// 1 - |correlation| of equal columns. Rounding of a column such as 1e6 +- 1e-3 stays a hundred times below.
constexpr double equal_columns = 1e-12;
// Cosines with a random vector; 1e5 different columns of 1000 rows lie 3e-7 apart on average.
constexpr double equal_prints = 1e-9;
// Correlations in files have four digits. What is not equal does not look so.
constexpr double digits_of_correlation = 1e4, most_unequal = 0.9999;

double rounded_correlation(double r) {
  if (1 - std::abs(r) <= equal_columns) return r < 0 ? -1 : 1;
  return std::clamp(std::round(r * digits_of_correlation) / digits_of_correlation, -most_unequal, most_unequal);
}

void check_draws(const ModelDraws& draws, Index features) {
  const Index count = std::ssize(draws.weights);
  bool valid = std::ssize(draws.starts) == count + 1 && draws.starts.front() == 0 &&
               draws.starts.back() == std::ssize(draws.features) && std::ranges::is_sorted(draws.starts);
  valid = valid && std::ranges::all_of(draws.features, [&](Index j) { return j >= 0 && j < features; });
  double total = 0;
  for (const double weight : draws.weights) {
    valid = valid && weight >= 0;
    total += weight;
  }
  if (!valid || !(total > 0) || !std::isfinite(total))
    throw InvalidInput(fmt::format("draws: received {} malformed draws of models of {} features", count, features));
}

// Features whose columns are equal, as one; its column is that of the first.
struct Unit {
  std::vector<Index> features = {};
  std::vector<Index> draws = {};
  double share = 0;
  double inclusion = 0;
};

class CandidateSearch {
 public:
  CandidateSearch(const StandardizedDesign& X, std::span<const double> weights, const ModelDraws& draws,
                  std::span<const double> inclusion)
      : X_(X), draws_(draws), inclusion_(inclusion), weights_(weights.begin(), weights.end()) {
    if (weights_.empty()) weights_.assign(X.rows(), 1.0);
    const double rows = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (double& w : weights_) w /= rows;
    total_ = std::accumulate(draws.weights.begin(), draws.weights.end(), 0.0);
  }

  SetCandidates run();

 private:
  void find_units();
  std::vector<std::pair<double, Index>> fingerprints() const;
  void join_equal(std::span<const Index> suspects, std::vector<Index>& first_of) const;
  std::vector<Index> seeds() const;
  std::vector<Index> around(Index seed, std::span<const double> correlations) const;
  std::vector<Index> candidates() const;
  void add_correlations(const std::vector<Index>& kept, SetCandidates& result) const;
  void add_draws(SetCandidates& result) const;
  Matrix correlations(const std::vector<Index>& a, const std::vector<Index>& b) const;

  const StandardizedDesign& X_;
  const ModelDraws& draws_;
  const std::span<const double> inclusion_;
  std::vector<double> weights_;  // of rows; they sum to one
  double total_ = 0;             // weight of all draws
  std::vector<Unit> units_;      // of the features that were drawn, and what equals them
};

Matrix CandidateSearch::correlations(const std::vector<Index>& a, const std::vector<Index>& b) const {
  Matrix result(std::ssize(a), std::ssize(b));
  X_.cross_gram(Columns(a), Columns(b), weights_, result);
  return result;
}

// By size, constant columns left out.
std::vector<std::pair<double, Index>> CandidateSearch::fingerprints() const {
  std::vector<double> direction(X_.rows()), prints(X_.cols());
  RandomStream(/*seed=*/1).normals(direction);
  double square = 0;
  for (Index i = 0; i < X_.rows(); ++i) {
    square += weights_[i] * direction[i] * direction[i];
    direction[i] *= weights_[i];
  }
  X_.transpose_multiply(X_.all(), std::span<const double>(direction), std::span<double>(prints));
  std::vector<std::pair<double, Index>> sorted;
  for (Index j = 0; j < X_.cols(); ++j) {
    if (X_.scale()[j] > 0) sorted.emplace_back(std::abs(prints[j]) / std::sqrt(square), j);
  }
  std::ranges::sort(sorted);
  return sorted;
}

// Of the suspects, whose fingerprints agree: first_of becomes the first feature of equal columns.
void CandidateSearch::join_equal(std::span<const Index> suspects, std::vector<Index>& first_of) const {
  for (Index a = 0; a < std::ssize(suspects); ++a) {
    if (first_of[suspects[a]] != suspects[a]) continue;
    const std::vector<Index> lead = {suspects[a]};
    const std::vector<Index> rest(suspects.begin() + a + 1, suspects.end());
    if (rest.empty()) return;
    const Matrix r = correlations(rest, lead);
    for (Index k = 0; k < std::ssize(rest); ++k) {
      if (1 - std::abs(r(k, 0)) <= equal_columns && first_of[rest[k]] == rest[k]) first_of[rest[k]] = lead[0];
    }
  }
}

void CandidateSearch::find_units() {
  std::vector<Index> first_of(X_.cols());
  std::iota(first_of.begin(), first_of.end(), Index{0});
  std::vector<char> drawn(X_.cols(), 0);
  for (const Index j : draws_.features) drawn[j] = 1;
  const std::vector<std::pair<double, Index>> prints = fingerprints();
  for (Index from = 0, to = 0; from < std::ssize(prints); from = to) {
    bool any = false;
    for (to = from; to < std::ssize(prints); ++to) {
      if (to > from && prints[to].first - prints[to - 1].first > equal_prints) break;
      any = any || drawn[prints[to].second] != 0;
    }
    if (!any || to - from < 2) continue;
    std::vector<Index> suspects;
    for (Index k = from; k < to; ++k) suspects.push_back(prints[k].second);
    std::ranges::sort(suspects);
    join_equal(suspects, first_of);
  }
  for (Index j = 0; j < X_.cols(); ++j) {
    if (drawn[j] != 0) drawn[first_of[j]] = 1;
  }
  std::vector<Index> unit_of(X_.cols(), -1);
  for (Index j = 0; j < X_.cols(); ++j) {
    const Index first = first_of[j];
    if (drawn[first] == 0 || X_.scale()[j] == 0) continue;
    if (unit_of[first] < 0) {
      unit_of[first] = std::ssize(units_);
      units_.emplace_back();
    }
    unit_of[j] = unit_of[first];
    units_[unit_of[j]].features.push_back(j);
  }
  for (Index d = 0; d < std::ssize(draws_.weights); ++d) {
    for (Index e = draws_.starts[d]; e < draws_.starts[d + 1]; ++e) {
      if (unit_of[draws_.features[e]] < 0) continue;
      Unit& unit = units_[unit_of[draws_.features[e]]];
      if (!unit.draws.empty() && unit.draws.back() == d) continue;
      unit.draws.push_back(d);
      unit.share += draws_.weights[d] / total_;
    }
  }
  for (Unit& unit : units_) {
    for (const Index j : unit.features) unit.inclusion = std::max(unit.inclusion, inclusion_[j]);
    if (unit.features.size() > 1) unit.inclusion = std::max(unit.inclusion, unit.share);
  }
  std::erase_if(units_,
                [](const Unit& unit) { return unit.share < least_share && unit.inclusion < least_seed_inclusion; });
}

std::vector<Index> CandidateSearch::seeds() const {
  std::vector<Index> list;
  for (Index u = 0; u < std::ssize(units_); ++u) {
    if (units_[u].inclusion >= least_seed_inclusion) list.push_back(u);
  }
  std::ranges::stable_sort(list, [&](Index a, Index b) { return units_[a].inclusion > units_[b].inclusion; });
  if (std::ssize(list) > most_seeds) list.resize(most_seeds);
  return list;
}

// The seed and what a set around it may hold; nothing if no set around it reaches the lowest level.
std::vector<Index> CandidateSearch::around(Index seed, std::span<const double> correlations) const {
  std::vector<Index> list;
  for (Index u = 0; u < std::ssize(units_); ++u) {
    if (u != seed && std::abs(correlations[u]) >= least_purity) list.push_back(u);
  }
  std::ranges::stable_sort(list, [&](Index a, Index b) { return units_[a].share > units_[b].share; });
  if (std::ssize(list) > most_around_seed) list.resize(most_around_seed);
  list.push_back(seed);
  std::vector<char> met(draws_.weights.size(), 0);
  for (const Index u : list) {
    for (const Index d : units_[u].draws) met[d] = 1;
  }
  double reach = 0;
  for (Index d = 0; d < std::ssize(met); ++d) reach += met[d] != 0 ? draws_.weights[d] / total_ : 0;
  constexpr double rounding = 1e-12;
  if (reach < lowest_set_level - rounding) list.clear();
  return list;
}

// Units, ascending by their first feature.
std::vector<Index> CandidateSearch::candidates() const {
  const std::vector<Index> starts = seeds();
  std::vector<Index> all, of_seeds;
  for (const Unit& unit : units_) all.push_back(unit.features.front());
  for (const Index u : starts) of_seeds.push_back(all[u]);
  if (starts.empty()) return {};
  const Matrix r = correlations(all, of_seeds);
  std::vector<char> kept(units_.size(), 0);
  Index features = 0;
  for (Index s = 0; s < std::ssize(starts); ++s) {
    Index more = 0;
    std::vector<Index> fresh = around(starts[s], r.column(s));
    std::erase_if(fresh, [&](Index u) { return kept[u] != 0; });
    for (const Index u : fresh) more += std::ssize(units_[u].features);
    if (features + more > most_features) break;
    for (const Index u : fresh) kept[u] = 1;
    features += more;
  }
  std::vector<Index> list;
  for (Index u = 0; u < std::ssize(units_); ++u) {
    if (kept[u] != 0) list.push_back(u);
  }
  return list;
}

void CandidateSearch::add_correlations(const std::vector<Index>& kept, SetCandidates& result) const {
  std::vector<Index> columns;
  columns.reserve(kept.size());
  for (const Index u : kept) columns.push_back(units_[u].features.front());
  const auto place = [&](Index feature) {
    return std::ranges::lower_bound(result.features, feature) - result.features.begin();
  };
  const Matrix r = correlations(columns, columns);
  for (Index a = 0; a < std::ssize(kept); ++a) {
    const std::vector<Index>& equal = units_[kept[a]].features;
    const Index first = place(equal.front());
    for (Index k = 1; k < std::ssize(equal); ++k) result.correlations.push_back({first, place(equal[k]), 1});
    for (Index b = a + 1; b < std::ssize(kept); ++b) {
      if (std::abs(r(b, a)) < least_purity) continue;
      result.correlations.push_back({first, place(columns[b]), rounded_correlation(r(b, a))});
    }
  }
}

// Models that differ outside the candidates only are one.
void CandidateSearch::add_draws(SetCandidates& result) const {
  std::vector<Index> place_of(X_.cols(), -1);
  for (Index k = 0; k < std::ssize(result.features); ++k) place_of[result.features[k]] = k;
  std::map<std::vector<Index>, double> models;
  for (Index d = 0; d < std::ssize(draws_.weights); ++d) {
    std::vector<Index> model;
    for (Index e = draws_.starts[d]; e < draws_.starts[d + 1]; ++e) {
      if (place_of[draws_.features[e]] >= 0) model.push_back(place_of[draws_.features[e]]);
    }
    if (model.empty() || draws_.weights[d] == 0) continue;
    std::ranges::sort(model);
    model.erase(std::unique(model.begin(), model.end()), model.end());
    models[std::move(model)] += draws_.weights[d];
  }
  ModelDraws& out = result.draws;
  out.starts = {0};
  for (const auto& [model, weight] : models) {
    out.weights.push_back(std::min(1.0, weight / total_));
    out.features.insert(out.features.end(), model.begin(), model.end());
    out.starts.push_back(std::ssize(out.features));
  }
}

SetCandidates CandidateSearch::run() {
  find_units();
  const std::vector<Index> kept = candidates();
  SetCandidates result;
  if (kept.empty()) return result;
  for (const Index u : kept)
    result.features.insert(result.features.end(), units_[u].features.begin(), units_[u].features.end());
  std::ranges::sort(result.features);
  for (const Index j : result.features) result.inclusion.push_back(inclusion_[j]);
  add_correlations(kept, result);
  add_draws(result);
  return result;
}

}  // namespace

SetCandidates set_candidates(const StandardizedDesign& X, std::span<const double> weights, const ModelDraws& draws,
                             std::span<const double> inclusion) {
  check_draws(draws, X.cols());
  if (std::ssize(inclusion) != X.cols()) {
    throw InvalidInput(fmt::format("inclusion: received {} probabilities for {} columns", inclusion.size(), X.cols()));
  }
  return CandidateSearch(X, weights, draws, inclusion).run();
}

}  // namespace tamis
