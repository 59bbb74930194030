#include "experiments/factor/geweke.hpp"

#include <gtest/gtest.h>

namespace tamis::experiments::factor_models {
namespace {

std::string words(const GewekeOutcome& outcome) {
  std::string text;
  for (const GewekeStatistic& each : outcome.statistics) {
    text += each.name + ": prior " + std::to_string(each.prior_mean) + ", chain " + std::to_string(each.chain_mean) +
            ", z " + std::to_string(each.z) + "\n";
  }
  return text;
}

struct GewekeCase {
  const char* prior;
  const char* family;
};

class JointDistribution : public testing::TestWithParam<GewekeCase> {};

TEST_P(JointDistribution, OfPriorAndChainIsTheSameOnTwoSeeds) {
  for (const std::uint64_t seed : {1, 2}) {
    const GewekeOutcome outcome = geweke_test({.family = GetParam().family, .prior = GetParam().prior, .seed = seed});
    EXPECT_GT(outcome.p_value, 1e-3) << words(outcome);
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, JointDistribution,
                         testing::Values(GewekeCase{"spike-slab", "gaussian"}, GewekeCase{"spike-slab", "bernoulli"},
                                         GewekeCase{"spike-slab", "poisson"}, GewekeCase{"laplace", "gaussian"},
                                         GewekeCase{"exponential", "bernoulli"}, GewekeCase{"gaussian", "bernoulli"}),
                         [](const auto& info) {
                           const std::string prior = info.param.prior;
                           return (prior == "spike-slab" ? "spike_slab" : prior) + "_" + info.param.family;
                         });

TEST(JointDistribution, TellsAMissingDeterminant) {
  EXPECT_LT(geweke_test({.bug = PlantedBug::missing_determinant}).p_value, 1e-20);
}

TEST(JointDistribution, TellsASlabThatLearnsFromZeros) {
  EXPECT_LT(geweke_test({.bug = PlantedBug::hyper_over_all_rows}).p_value, 1e-20);
}

}  // namespace
}  // namespace tamis::experiments::factor_models
