// Credible sets of bvs: what its weighted draws say of features that cannot be told apart.
#include <gmock/gmock.h>

#include <algorithm>

#include "contract/method_cases.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using contract::Example;

// y = 2 x0 + 1.5 x3 + noise; x4 is x3 and `difference` times noise.
Example with_imitator(double difference) {
  Example data{.family = &family("gaussian"), .X = Matrix(80, 8), .y = std::vector<double>(80)};
  for (Index j = 0; j < 8; ++j) RandomStream(5, static_cast<std::uint64_t>(j)).normals(data.X.column(j));
  RandomStream(6).normals(data.y);
  for (Index i = 0; i < 80; ++i) {
    data.y[i] += 2 * data.X(i, 0) + 1.5 * data.X(i, 3);
    data.X(i, 4) = data.X(i, 3) + difference * data.X(i, 4);
  }
  return data;
}

Fit solve(const Example& data, Control control = {}) {
  const DenseDesign design(data.X);
  return fit(data.problem(design), "bvs", {}, control);
}

bool has_set(const Fit& fit, std::vector<Index> features) {
  return std::ranges::any_of(fit.credible_sets, [&](const CredibleSet& set) {
    std::vector<Index> sorted = set.features;
    std::ranges::sort(sorted);
    return sorted == features;
  });
}

TEST(BvsSets, PutEqualColumnsTogetherAndAStrongFeatureAlone) {
  const Fit found = solve(with_imitator(0));
  EXPECT_EQ(found.inclusion_kind, InclusionKind::posterior);
  EXPECT_TRUE(has_set(found, {0}));
  EXPECT_TRUE(has_set(found, {3, 4}));
  for (const CredibleSet& set : found.credible_sets) EXPECT_GE(set.probability, 0.95);
}

TEST(BvsSets, HoldTheFeatureThatMattersBesideANearCopy) {
  const Fit found = solve(with_imitator(0.05));
  EXPECT_TRUE(has_set(found, {3}) || has_set(found, {3, 4}));
}

TEST(BvsSets, AreTheSameForAnyNumberOfThreads) {
  const Example data = with_imitator(0.05);
  const Fit one = solve(data, {.threads = 1}), two = solve(data, {.threads = 2});
  ASSERT_EQ(one.credible_sets.size(), two.credible_sets.size());
  for (std::size_t s = 0; s < one.credible_sets.size(); ++s) {
    EXPECT_EQ(one.credible_sets[s].features, two.credible_sets[s].features);
    EXPECT_EQ(one.credible_sets[s].probability, two.credible_sets[s].probability);
  }
}

TEST(BvsSets, OfPureNoiseDoNotExist) {
  Example data = with_imitator(1);
  RandomStream(9).normals(data.y);
  EXPECT_TRUE(solve(data).credible_sets.empty());
}

}  // namespace
}  // namespace tamis
