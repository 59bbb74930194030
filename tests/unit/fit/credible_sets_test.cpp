// Credible sets against the definition, written down once more without any index or shortcut.
#include "tamis/fit/credible_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "fit/set_candidates.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// Draws as a table, correlations as a matrix.
struct Plain {
  std::vector<std::vector<bool>> draws;  // by draw, by feature
  std::vector<double> weights;           // they sum to one
  Matrix correlation;
  std::vector<double> inclusion;

  double share(const std::vector<Index>& set) const {
    double sum = 0;
    for (Index d = 0; d < std::ssize(draws); ++d) {
      const bool meets = std::ranges::any_of(set, [&](Index j) { return draws[d][j]; });
      sum += meets ? weights[d] : 0;
    }
    return sum;
  }
  bool close(Index a, Index b) const { return std::abs(correlation(a, b)) >= 0.5; }
};

std::vector<Index> by_inclusion(const Plain& plain, std::vector<Index> list) {
  std::ranges::stable_sort(list, [&](Index a, Index b) { return plain.inclusion[a] > plain.inclusion[b]; });
  return list;
}

std::vector<std::vector<Index>> sets_by_definition(const Plain& plain, double level) {
  std::vector<Index> order(plain.inclusion.size());
  for (Index j = 0; j < std::ssize(order); ++j) order[j] = j;
  std::set<Index> taken;
  std::vector<std::vector<Index>> sets;
  for (const Index seed : by_inclusion(plain, order)) {
    if (plain.inclusion[seed] < 0.02) break;
    if (taken.contains(seed)) continue;
    std::vector<Index> set = {seed};
    bool grown = true;
    while (plain.share(set) < level - 1e-12 && grown) {
      grown = false;
      double best = plain.share(set);
      std::vector<Index> larger;
      for (Index j = 0; j < std::ssize(order); ++j) {
        const bool in_set = std::ranges::count(set, j) > 0;
        if (taken.contains(j) || in_set || !std::ranges::all_of(set, [&](Index k) { return plain.close(j, k); }))
          continue;
        std::vector<Index> trial = set;
        trial.push_back(j);
        if (plain.share(trial) > best + 1e-12) best = plain.share(trial), larger = trial;
      }
      if (!larger.empty()) set = larger, grown = true;
    }
    if (plain.share(set) < level - 1e-12) continue;
    set = by_inclusion(plain, set);
    for (Index k = std::ssize(set) - 1; k >= 0 && set.size() > 1; --k) {
      std::vector<Index> smaller = set;
      smaller.erase(smaller.begin() + k);
      if (plain.share(smaller) >= level - 1e-12) set = smaller;
    }
    taken.insert(set.begin(), set.end());
    sets.push_back(set);
  }
  return sets;
}

// Columns in correlated blocks; draws that hold one feature of some blocks each, and noise.
struct Simulated {
  Matrix X;
  std::vector<double> row_weights;
  ModelDraws draws;
  Plain plain;
};

Simulated simulated(std::uint64_t seed) {
  constexpr Index rows = 40, features = 18, block = 6, draws = 120;
  RandomStream random(seed);
  Simulated data{.X = Matrix(rows, features), .row_weights = {}, .draws = {}, .plain = {}};
  for (Index i = 0; i < rows; ++i) {
    data.row_weights.push_back(0.5 + random.uniform01());
    double shared = 0;
    for (Index j = 0; j < features; ++j) {
      if (j % block == 0) shared = random.normal();
      data.X(i, j) = 3 + shared + 0.7 * random.normal();
    }
  }
  Plain& plain = data.plain;
  plain.inclusion.assign(features, 0);
  data.draws.starts = {0};
  std::vector<double> strength;
  for (Index b = 0; b < features / block; ++b) strength.push_back(0.6 + 0.4 * random.uniform01());
  double total = 0;
  for (Index d = 0; d < draws; ++d) {
    std::vector<bool> model(features, false);
    for (Index b = 0; b < features / block; ++b) {
      if (random.uniform01() < strength[b]) model[b * block + random.index(4)] = true;
    }
    if (random.uniform01() < 0.2) model[random.index(features)] = true;
    const double weight = random.uniform01();
    total += weight;
    data.draws.weights.push_back(7 * weight);  // any unit
    plain.weights.push_back(weight);
    plain.draws.push_back(model);
    for (Index j = 0; j < features; ++j) {
      if (model[j]) data.draws.features.push_back(j), plain.inclusion[j] += weight;
    }
    data.draws.starts.push_back(std::ssize(data.draws.features));
  }
  for (double& w : plain.weights) w /= total;
  for (double& q : plain.inclusion) q = std::min(1.0, q / total);
  double sum = 0;
  for (const double w : data.row_weights) sum += w;
  std::vector<double> shares = data.row_weights;
  for (double& w : shares) w /= sum;
  plain.correlation = Matrix(features, features);
  const DenseDesign dense(data.X);
  const StandardizedDesign again(dense, std::make_shared<ColumnMoments>(column_moments(dense, data.row_weights)));
  again.gram(again.all(), shares, plain.correlation);
  return data;
}

SetCandidates candidates_of(const Simulated& data) {
  const DenseDesign dense(data.X);
  const StandardizedDesign X(dense, std::make_shared<ColumnMoments>(column_moments(dense, data.row_weights)));
  return set_candidates(X, data.row_weights, data.draws, data.plain.inclusion);
}

TEST(CredibleSets, AreThoseOfTheDefinitionAtAnyLevel) {
  Index sets_seen = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Simulated data = simulated(seed);
    const SetCandidates candidates = candidates_of(data);
    for (const double level : {0.5, 0.7, 0.9, 0.95}) {
      const std::vector<std::vector<Index>> expected = sets_by_definition(data.plain, level);
      const std::vector<CredibleSet> found = credible_sets(candidates, level);
      ASSERT_EQ(found.size(), expected.size()) << "seed " << seed << ", level " << level;
      for (Index s = 0; s < std::ssize(found); ++s) {
        EXPECT_EQ(found[s].features, expected[s]) << "seed " << seed << ", level " << level;
        EXPECT_NEAR(found[s].probability, data.plain.share(expected[s]), 1e-9);
        double purity = 1;
        for (const Index a : expected[s]) {
          for (const Index b : expected[s]) purity = std::min(purity, std::abs(data.plain.correlation(a, b)));
        }
        EXPECT_NEAR(found[s].purity, purity, 1e-4) << "correlations are kept to four digits";
        ++sets_seen;
        large += found[s].features.size() > 2 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(sets_seen, 200);
  EXPECT_GT(large, 50) << "sets of several features are what this is about";
}

TEST(CredibleSets, AreDisjointReachTheirLevelAndHoldNothingInVain) {
  for (std::uint64_t seed = 101; seed <= 120; ++seed) {
    const Simulated data = simulated(seed);
    std::set<Index> seen;
    for (const CredibleSet& set : credible_sets(candidates_of(data), 0.9)) {
      EXPECT_GE(set.probability, 0.9 - 1e-12);
      EXPECT_GE(set.purity, least_purity);
      EXPECT_EQ(set.correlation.front(), 1);
      EXPECT_TRUE(std::ranges::is_sorted(set.inclusion, std::greater<>()));
      for (const Index j : set.features) {
        EXPECT_TRUE(seen.insert(j).second) << "feature " << j << " is in two sets";
        std::vector<Index> rest = set.features;
        std::erase(rest, j);
        if (!rest.empty()) {
          EXPECT_LT(data.plain.share(rest), 0.9) << "feature " << j << " is not needed";
        }
      }
    }
  }
}

// Two draws of three hold x0 or its equal x1 (other unit, other sign); no single one is in every draw.
struct EqualColumns : testing::Test {
  EqualColumns() : X(30, 4) {
    RandomStream random(5);
    for (Index i = 0; i < 30; ++i) {
      X(i, 0) = random.normal();
      X(i, 1) = 10 - 3 * X(i, 0);
      X(i, 2) = random.normal();
      X(i, 3) = 10 - 3 * X(i, 0);
    }
  }
  SetCandidates candidates(const ModelDraws& draws, const std::vector<double>& inclusion) const {
    const DenseDesign dense(X);
    const StandardizedDesign standardized(dense, std::make_shared<ColumnMoments>(column_moments(dense, {})));
    return set_candidates(standardized, {}, draws, inclusion);
  }
  Matrix X;
};

TEST_F(EqualColumns, AreOneCandidateWithAllNames) {
  const ModelDraws draws{.weights = {1, 1, 1}, .starts = {0, 1, 2, 3}, .features = {0, 1, 0}};
  const std::vector<CredibleSet> sets = credible_sets(candidates(draws, {0.6, 0.4, 0.0, 0.0}));
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].features, (std::vector<Index>{0, 1, 3})) << "x3 was never drawn, but equals the others";
  EXPECT_DOUBLE_EQ(sets[0].probability, 1);
  EXPECT_EQ(sets[0].purity, 1);
}

TEST_F(EqualColumns, ShareWhatEachIsTooSeldomFor) {
  // Each of the two is in 1.5 % of the draws, below what a set begins with; together they are in 3 %.
  ModelDraws draws{.weights = {0.015, 0.015, 0.97}, .starts = {0, 1, 2, 2}, .features = {0, 1}};
  EXPECT_TRUE(credible_sets(candidates(draws, {0.015, 0.015, 0.0, 0.0}), 0.5).empty());
  draws.weights = {0.6, 0.6, 0.01};
  EXPECT_EQ(credible_sets(candidates(draws, {0.015, 0.015, 0.0, 0.0}), 0.5).size(), 1u);
}

TEST(CredibleSets, OfDrawsWithoutFeaturesAreNone) {
  Matrix X(5, 2);
  for (Index i = 0; i < 5; ++i) X(i, 0) = static_cast<double>(i), X(i, 1) = 7;  // x1 is constant
  const DenseDesign dense(X);
  const StandardizedDesign standardized(dense, std::make_shared<ColumnMoments>(column_moments(dense, {})));
  const ModelDraws none{.weights = {1, 1}, .starts = {0, 0, 0}, .features = {}};
  EXPECT_TRUE(credible_sets(set_candidates(standardized, {}, none, std::vector<double>{0, 0})).empty());
  const ModelDraws constant{.weights = {1}, .starts = {0, 1}, .features = {1}};
  EXPECT_TRUE(credible_sets(set_candidates(standardized, {}, constant, std::vector<double>{0, 1})).empty());
  EXPECT_TRUE(credible_sets({}).empty());
}

TEST(CredibleSets, RefuseMalformedDrawsAndLevels) {
  Matrix X(3, 1);
  for (Index i = 0; i < 3; ++i) X(i, 0) = static_cast<double>(i);
  const DenseDesign dense(X);
  const StandardizedDesign standardized(dense, std::make_shared<ColumnMoments>(column_moments(dense, {})));
  const std::vector<double> inclusion = {1};
  for (const ModelDraws& bad :
       {ModelDraws{{1}, {0, 1}, {1}}, ModelDraws{{1}, {0, 2}, {0}}, ModelDraws{{-1}, {0, 1}, {0}},
        ModelDraws{{0}, {0, 1}, {0}}, ModelDraws{{1, 1}, {0, 1}, {0}}, ModelDraws{{1}, {}, {}}}) {
    EXPECT_THROW(set_candidates(standardized, {}, bad, inclusion), InvalidInput);
  }
  for (const double level : {0.49, 1.01, std::nan("")}) EXPECT_THROW(credible_sets({}, level), InvalidOption);
}

}  // namespace
}  // namespace tamis
