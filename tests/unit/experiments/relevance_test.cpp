// The experiments of the relevance papers, as far as a second allows.
#include <gmock/gmock.h>

#include <cmath>

#include "experiments/relevance/experiments.hpp"

namespace tamis::experiments {
namespace {

// Runs it and expects that every claim holds.
Results run_and_check_claims(const char* name, Index replicates = 0) {
  const Experiment& chosen = experiment(name);
  RunSettings settings;
  if (replicates > 0) settings.replicates = replicates;
  const Results results = run(chosen, settings);
  EXPECT_TRUE(results.complete());
  for (const Finding& finding : chosen.check_claims(results))
    EXPECT_TRUE(finding.holds) << finding.claim << ": " << finding.ours;
  return results;
}

TEST(RelevanceExperiments, TheImplicitPriorHasFewerMinimaThanAFactorialOne) { run_and_check_claims("ard.fig1"); }

TEST(RelevanceExperiments, AZeroStopsEmAndMacKayButNotReweightedL1) { run_and_check_claims("ard.convergence"); }

TEST(RelevanceExperiments, OneFeatureIsShrunkByTheFormulas) { run_and_check_claims("bm.fig1"); }

TEST(RelevanceExperiments, SeveralResponsesAreWorthMoreToArdThanToTheGroupLasso) {
  const Results results = run_and_check_claims("ard.mmv", 3);
  EXPECT_EQ(results.value("", 4, "ard", "recovered"), 1);
}

TEST(RelevanceExperiments, NonnegativeVectorsAreRecoveredBeyondTheLasso) { run_and_check_claims("ard.nonnegative", 3); }

TEST(RelevanceExperiments, ErrorsAreRelativeToTheTruthOfAllTargets) {
  Truth truth;
  truth.coefficients = Matrix(2, 2);
  truth.coefficients(0, 0) = 3;
  truth.coefficients(1, 1) = 4;
  Fit fit;
  fit.coefficients = {3, 0};
  fit.more_targets = {{"b", 0, {0, 3}, {}}};
  EXPECT_NEAR(relevance::relative_error(fit, truth), 0.2, 1e-15);
}

}  // namespace
}  // namespace tamis::experiments
