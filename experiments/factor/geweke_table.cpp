// Not in the paper: do the samplers draw from the posterior at all?
#include <fmt/format.h>

#include <cmath>

#include "experiments/factor/experiments.hpp"
#include "experiments/factor/geweke.hpp"

namespace tamis::experiments::factor_models {
namespace {

const std::vector<std::string> families = {"gaussian", "bernoulli", "poisson"};
const std::vector<std::string> priors = {"spike-slab", "laplace", "exponential", "gaussian"};
const std::string p_value = "log10 p", planted = "injected errors (gaussian)";
const std::string determinant = "missing determinant", zeros = "slab update includes zeros";

// log10, bounded: erfc underflows beyond z = 38.
double logarithm(const GewekeOutcome& outcome) { return std::log10(std::max(outcome.p_value, 1e-300)); }

void measure(const Trial& trial, Recorder& record) {
  if (trial.setting.panel == planted) {
    record.add(determinant, p_value,
               logarithm(geweke_test({.seed = trial.seed, .bug = PlantedBug::missing_determinant})));
    record.add(zeros, p_value, logarithm(geweke_test({.seed = trial.seed, .bug = PlantedBug::hyper_over_all_rows})));
    return;
  }
  for (const std::string& prior : priors) {
    record.add(prior, p_value,
               logarithm(geweke_test({.family = trial.setting.panel, .prior = prior, .seed = trial.seed})));
  }
}

std::vector<Finding> check_claims(const Results& results) {
  double least = 0, most = -400;
  for (const Observation& each : results.observations) {
    if (each.place.panel == planted) {
      most = std::max(most, each.value);
    } else {
      least = std::min(least, each.value);
    }
  }
  return {{"no sampler differs from the joint distribution (p above 0.001)",
           fmt::format("smallest p {:.2g}", std::pow(10, least)), least > -3},
          {"both injected errors are detected (p below 1e-20)", fmt::format("largest p 1e{:.0f}", most), most < -20}};
}

}  // namespace

Experiment geweke() {
  Experiment experiment{
      .name = "factor.geweke",
      .title = "Geweke's joint distribution test of every sampler",
      .source = "J. Geweke, Getting it right, JASA 99 (2004); the models of " + paper + "sections 3 and 4",
      .shows =
          "log10 of the Bonferroni-adjusted p value of 8 to 14 statistics: 400 chains that redraw the data after each "
          "of 100 sweeps, compared with draws from the prior; 4 x 3 cells, one missing, 2 factors and an intercept",
      .replicates = 2,
      .settings = {},
      .measure = measure,
      .check_claims = check_claims};
  for (const std::string& family : families) experiment.settings.push_back({.panel = family});
  experiment.settings.push_back({.panel = planted});
  return experiment;
}

}  // namespace tamis::experiments::factor_models
