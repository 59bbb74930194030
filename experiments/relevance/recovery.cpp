// Noiseless recovery of a sparse vector: how often each algorithm finds it.
#include <fmt/format.h>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string narrow = "20 of 100", wide = "15 of 250", success = "recovered";

struct Road {
  std::string label;
  std::string method;
  std::map<std::string, OptionValue> options;
};

std::vector<Road> roads() {
  return {{"annealed", "ard", {{"noise_variance", no_noise}, {"anneal", true}}},
          {"em", "ard", {{"noise_variance", no_noise}, {"algorithm", "em"}}},
          {"reweighted-l1", "ard", {{"noise_variance", no_noise}}},
          {"sequential", "ard", {{"noise_variance", no_noise}, {"algorithm", "sequential"}}},
          {"mackay", "ard", {{"noise_variance", no_noise}, {"algorithm", "mackay"}}},
          {"lasso", "lasso", {{"penalty", 1e-5}}}};
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  for (const Road& road : roads()) {
    const Fit fit = plain_fit(trial, record, drawn, road.label, road.method, road.options);
    record.add(road.label, success, relative_error(fit, drawn.truth) < recovered_error ? 1 : 0);
  }
}

std::vector<Finding> check_claims(const Results& results) {
  const auto share = [&](const std::string& panel, const char* method) {
    return results.value(panel, no_coordinate, method, success);
  };
  std::vector<Finding> findings;
  for (const std::string& panel : {narrow, wide}) {
    findings.push_back(
        {fmt::format("{}: reweighted L1 avoids local minima that trap the greedy sequential updates", panel),
         fmt::format("recovered: annealed {:.2f}, plain {:.2f}, sequential {:.2f}", share(panel, "annealed"),
                     share(panel, "reweighted-l1"), share(panel, "sequential")),
         share(panel, "annealed") > share(panel, "sequential")});
    findings.push_back(
        {fmt::format("{}: ARD recovers what the lasso cannot", panel),
         fmt::format("recovered: annealed {:.2f}, lasso {:.2f}", share(panel, "annealed"), share(panel, "lasso")),
         share(panel, "annealed") > share(panel, "lasso") + 0.1});
  }
  return findings;
}

}  // namespace

Experiment recovery() {
  return {
      .name = "ard.recovery",
      .title = "noiseless recovery of sparse vectors by the algorithms of ARD",
      .source = paper + "sections 1, 3.3 and 5 (announced there without numbers)",
      .shows =
          "fraction of data sets with |x - x0| < 0.01 |x0| from 50 equations: 20 of 100 and 15 of 250 coefficients, "
          "standard normal; the noise variance is fixed at 1e-8; lasso with penalty 1e-5 (basis pursuit)",
      .replicates = 200,
      .settings = {{.panel = narrow, .design = "ard.recovery"}, {.panel = wide, .design = "ard.recovery-wide"}},
      .measure = measure,
      .check_claims = check_claims};
}

}  // namespace tamis::experiments::relevance
