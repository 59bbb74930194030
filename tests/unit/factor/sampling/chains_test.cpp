// Chains that stop and go on.
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>

#include "tamis/base/error.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

// Wants to stop after so many sweeps.
class Impatient final : public Observer {
 public:
  explicit Impatient(int sweeps) : left_(sweeps) {}
  void progress(double, std::string_view) override { --left_; }
  bool cancelled() override { return left_ <= 0; }

 private:
  int left_;
};

class FactorChains : public testing::TestWithParam<const char*> {
 protected:
  FactorChains()
      : data_(two_factor_table("bernoulli", 20, 6, 5)),
        file_(testing::TempDir() + "factor.checkpoint." + std::to_string(::getpid())) {
    problem_.dense = data_;
    problem_.family = "bernoulli";
    problem_.factors = 2;
    problem_.test_cells = draw_test_cells(problem_, 0.1, 1);
    std::filesystem::remove(file_);
  }
  ~FactorChains() override { std::filesystem::remove(file_); }
  FactorFit fit(const FactorControl& control) const {
    return factor_prior(GetParam()).fit(problem_, {{"chains", 3.0}, {"samples", 20.0}, {"burn_in", 10.0}}, control).fit;
  }

  Matrix data_;
  FactorProblem problem_;
  std::string file_;
};

TEST_P(FactorChains, GoOnAfterAStopAsIfNothingHadHappened) {
  const FactorFit whole = fit({.threads = 1});
  Impatient observer(35);  // in the second of three chains
  const FactorFit part = fit({.threads = 1, .checkpoint = file_, .checkpoint_seconds = 0, .observer = &observer});
  EXPECT_EQ(part.status, Status::cancelled);
  EXPECT_GT(part.nlp_bits, 0) << "what was drawn is kept";
  const FactorFit rest = fit({.threads = 2, .checkpoint = file_, .checkpoint_seconds = 0});
  EXPECT_EQ(rest.nlp_bits, whole.nlp_bits);
  EXPECT_EQ(rest.rhat, whole.rhat);
  EXPECT_EQ(rest.trace.size(), whole.trace.size());
  for (Index k = 0; k < 2; ++k) EXPECT_EQ(rest.loadings(k, 0), whole.loadings(k, 0));
}

TEST_P(FactorChains, RefuseTheCheckpointOfAnotherRun) {
  Impatient observer(35);
  fit({.threads = 1, .checkpoint = file_, .checkpoint_seconds = 0, .observer = &observer});
  EXPECT_THROW(fit({.seed = 2, .threads = 1, .checkpoint = file_}), InvalidInput);
}

TEST_P(FactorChains, RefuseTheCheckpointOfARunThatScoresOtherValues) {
  Impatient observer(35);
  fit({.threads = 1, .checkpoint = file_, .checkpoint_seconds = 0, .observer = &observer});
  problem_.test_cells[0].value = 1 - problem_.test_cells[0].value;
  EXPECT_THROW(fit({.threads = 1, .checkpoint = file_}), InvalidInput);
}

// Laplace and gaussian have the same options.
TEST_P(FactorChains, RefuseTheCheckpointOfAnotherPrior) {
  Impatient observer(35);
  fit({.threads = 1, .checkpoint = file_, .checkpoint_seconds = 0, .observer = &observer});
  const std::map<std::string, OptionValue> options = {{"chains", 3.0}, {"samples", 20.0}, {"burn_in", 10.0}};
  EXPECT_THROW(factor_prior("gaussian").fit(problem_, options, {.threads = 1, .checkpoint = file_}), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(Samplers, FactorChains, testing::Values("spike-slab", "laplace"),
                         [](const auto& info) { return info.param[0] == 's' ? "spike_slab" : "laplace"; });

// More than a million numbers: chains run one after the other, and each adds its draws to those of the ones before.
class ChainsOfALargeTable : public testing::Test {
 protected:
  ChainsOfALargeTable()
      : data_(two_factor_table("gaussian", 9000, 120, 2)),
        file_(testing::TempDir() + "large.checkpoint." + std::to_string(::getpid())) {
    problem_.dense = data_;
    problem_.test_cells = draw_test_cells(problem_, 0.001, 1);
    std::filesystem::remove(file_);
  }
  ~ChainsOfALargeTable() override { std::filesystem::remove(file_); }
  FactorFit fit(const FactorControl& control) const {
    const std::map<std::string, OptionValue> options = {{"chains", 2.0}, {"samples", 4.0}, {"burn_in", 2.0}};
    return factor_prior("spike-slab").fit(problem_, options, control).fit;
  }

  Matrix data_;
  FactorProblem problem_;
  std::string file_;
};

TEST_F(ChainsOfALargeTable, GoOnAfterAStopInTheSecondAsIfNothingHadHappened) {
  const FactorFit whole = fit({});
  EXPECT_THAT(whole.message, testing::StartsWith("8 draws of 2 chains"));
  Impatient observer(10);
  const FactorFit part = fit({.checkpoint = file_, .checkpoint_seconds = 0, .observer = &observer});
  EXPECT_THAT(part.message, testing::HasSubstr(": 6 draws of 2 chains"));
  const FactorFit rest = fit({.checkpoint = file_, .checkpoint_seconds = 0});
  EXPECT_EQ(rest.message, whole.message);
  EXPECT_EQ(rest.nlp_bits, whole.nlp_bits);
  EXPECT_EQ(rest.rmse, whole.rmse);
}

TEST_F(ChainsOfALargeTable, KeepTheFirstOnesDrawsWhenTheSecondIsStoppedInItsBurnIn) {
  Impatient observer(7);
  const FactorFit part = fit({.observer = &observer});
  EXPECT_THAT(part.message, testing::HasSubstr(": 4 draws of 1 chain after"));
  EXPECT_GT(*part.nlp_bits, 0);
}

TEST(ChainLengths, AreLongByDefaultWhereSweepsAreCheap) {
  const Matrix data = two_factor_table("gaussian", 60, 40, 1);
  FactorProblem problem;
  problem.dense = data;
  problem.factors = 9;  // 24,000 cells times factors
  const auto words = [&](const char* prior, const std::map<std::string, OptionValue>& options) {
    return factor_prior(prior).fit(problem, options).fit.message;
  };
  EXPECT_THAT(words("spike-slab", {{"chains", 1.0}}),
              testing::StartsWith("1250 draws of 1 chain after 416 burn-in sweeps"));
  EXPECT_THAT(words("laplace", {{"chains", 1.0}}), testing::StartsWith("300 draws of 1 chain after 200 burn-in sweeps"))
      << "trajectories of ten steps are not cheap";
  EXPECT_THAT(words("spike-slab", {{"chains", 1.0}, {"samples", 7.0}, {"burn_in", 0.0}}),
              testing::StartsWith("7 draws of 1 chain after 0 burn-in sweeps"));
}

TEST(FactorCheckpoint, IsRefusedByAPriorThatDoesNotSample) {
  const Matrix data = two_factor_table("gaussian", 10, 4, 1);
  FactorProblem problem;
  problem.dense = data;
  EXPECT_THROW(factor_prior("vb").fit(problem, {}, {.checkpoint = "somewhere"}), InvalidOption);
}

}  // namespace
}  // namespace tamis
