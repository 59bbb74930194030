#include "fit/chain_diagnostics.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/random.hpp"

namespace tamis {
namespace {

constexpr std::size_t length = 4000;
constexpr std::size_t count = 4;

// Stationary chains of unit variance whose draws have correlation `memory` with the one before.
std::vector<std::vector<double>> autoregressive(double memory) {
  std::vector<std::vector<double>> chains(count, std::vector<double>(length));
  for (std::size_t c = 0; c < count; ++c) {
    RandomStream(3, c).normals(chains[c]);
    for (std::size_t i = 1; i < length; ++i) {
      chains[c][i] = memory * chains[c][i - 1] + std::sqrt(1 - memory * memory) * chains[c][i];
    }
  }
  return chains;
}

TEST(ChainDiagnostics, IndependentDrawsCountOneEach) {
  const auto chains = autoregressive(0);
  EXPECT_NEAR(split_rhat(chains), 1, 0.002);
  EXPECT_NEAR(effective_sample_size(chains) / (count * length), 1, 0.06);
}

TEST(ChainDiagnostics, MemoryLowersTheEffectiveSizeByItsTheory) {
  for (const double memory : {-0.4, 0.5, 0.9}) {
    const double expected = count * length * (1 - memory) / (1 + memory);
    EXPECT_NEAR(effective_sample_size(autoregressive(memory)) / expected, 1, 0.25) << memory;
  }
}

TEST(ChainDiagnostics, ChainsInDifferentPlacesAreTold) {
  auto chains = autoregressive(0);
  for (double& x : chains[2]) x += 2;
  EXPECT_GT(split_rhat(chains), 1.1);
  EXPECT_LT(effective_sample_size(chains), 100);
}

TEST(ChainDiagnostics, ATrendWithinEveryChainIsTold) {
  auto chains = autoregressive(0);
  for (auto& chain : chains) {
    for (std::size_t i = 0; i < length; ++i) chain[i] += 4.0 * static_cast<double>(i) / length;
  }
  EXPECT_GT(split_rhat(chains), 1.3);
}

TEST(ChainDiagnostics, WhatDoesNotVaryIsSettled) {
  const std::vector<std::vector<double>> chains(count, std::vector<double>(length, 0.1));
  EXPECT_EQ(split_rhat(chains), 1);
  EXPECT_EQ(effective_sample_size(chains), count * length);
}

TEST(ChainDiagnostics, StuckChainsAreNeverSettled) {
  std::vector<std::vector<double>> chains(count, std::vector<double>(length, 0.0));
  chains[1].assign(length, 1.0);
  EXPECT_TRUE(std::isinf(split_rhat(chains)));
}

TEST(ChainDiagnostics, TooFewDrawsSayNothing) {
  EXPECT_EQ(split_rhat(std::vector<std::vector<double>>{{1.0}, {2.0}}), 1);
  EXPECT_EQ(potential_scale_reduction(std::vector<PieceMoments>{{1, 0, 0}, {1, 1, 0}}), 1);
}

}  // namespace
}  // namespace tamis
