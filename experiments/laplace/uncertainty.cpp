// Figure 1 c, d: how near the inclusion probabilities are to those of a long Gibbs run, 100 features.
#include <fmt/format.h>

#include <cmath>

#include "experiments/laplace/experiments.hpp"
#include "experiments/reproduce/curves.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {
namespace {

const std::string distance = "RMSE of E[z]";

struct Rival {
  std::string label, method;
  std::map<std::string, OptionValue> more;
};

// All at the same hyper-parameters, so that they approximate the same posterior (pmf: a point mass instead of the
// spike).
std::vector<Rival> rivals() {
  const std::map<std::string, OptionValue> precision{{"noise_precision", 1.0}, {"spike_variance", 1e-3}};
  const auto with = [&](const char* name, const char* value) {
    std::map<std::string, OptionValue> options = precision;
    options[name] = std::string(value);
    return options;
  };
  return {{"flas", "flas", precision},
          {"flas*", "flas", with("variant", "joint")},
          {"flas, collapsed", "flas", with("inclusion", "collapsed")},
          {"ep", "ep", {{"noise_variance", 1.0}, {"spike_variance", 1e-3}}},
          {"ep, factorised", "ep", {{"noise_variance", 1.0}, {"spike_variance", 1e-3}, {"factorised", true}}},
          {"pmf", "pmf", {{"noise_variance", 1.0}}}};
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign X(drawn.train.X);
  const Problem problem{
      .X = X, .y = drawn.train.y.column(0), .likelihood = likelihood("gaussian"), .standardize = false};
  const Control control{.seed = trial.seed, .threads = 1, .observer = trial.observer};
  const auto fit = [&](const std::string& label, const std::string& method,
                       std::map<std::string, OptionValue> options) {
    options["prior_inclusion"] = 0.5;
    options["slab_variance"] = 5.0;
    Fit result = tamis::fit(problem, method, options, control);
    record.ended(label, result.status == Status::converged);
    return result;
  };
  const Fit reference = fit(
      "gibbs", "gibbs", {{"noise_variance", 1.0}, {"spike_variance", 1e-3}, {"samples", 20000.0}, {"burn_in", 2000.0}});
  for (const Rival& rival : rivals()) {
    const Fit found = fit(rival.label, rival.method, rival.more);
    double square = 0;
    for (std::size_t j = 0; j < found.inclusion.size(); ++j) {
      square += std::pow(found.inclusion[j] - reference.inclusion[j], 2);
    }
    record.add(rival.label, distance, std::sqrt(square / static_cast<double>(found.inclusion.size())));
  }
}

std::vector<Finding> judge(const Results& results) {
  const auto at = [&](const char* method, double n) { return results.value("", n, method, distance); };
  std::vector<Finding> findings;
  for (const double n : {60.0, 120.0}) {
    findings.push_back(
        {fmt::format("{:g} samples: FLAS estimates inclusion better than factorised VB, or comparably", n),
         fmt::format("flas {:.3f}, flas* {:.3f}, collapsed {:.3f}, pmf {:.3f}", at("flas", n), at("flas*", n),
                     at("flas, collapsed", n), at("pmf", n)),
         at("flas", n) <= at("pmf", n)});
    findings.push_back({fmt::format("{:g} samples: FLAS estimates inclusion better than EP, or comparably", n),
                        fmt::format("flas {:.3f}, ep {:.4f}, ep factorised {:.3f}", at("flas", n), at("ep", n),
                                    at("ep, factorised", n)),
                        at("flas", n) <= at("ep", n)});
  }
  return findings;
}

Picture picture(const Results& results) {
  Panel panel{.x = {.label = "training samples"}, .y = {.label = distance + " against Gibbs", .minimum = 0}};
  Index colour = 0;
  for (const Rival& rival : rivals()) {
    panel.series.push_back(
        curve(results, "", rival.label, distance, {.mark = Mark::line_and_points, .colour = colour++}));
  }
  return {.title = "Inclusion probabilities, 100 features", .panels = {panel}, .columns = 1};
}

}  // namespace

Experiment figure1_uncertainty() {
  std::vector<Setting> settings;
  for (const double n : {60.0, 80.0, 100.0, 120.0}) {
    settings.push_back({"", n, fmt::format("flas.regression-n{:g}", n), {{"p", 100.0}, {"test", 0.0}}});
  }
  return {
      .name = "flas.fig1-uncertainty",
      .title = "regression: how far inclusion probabilities are from the posterior's",
      .source = paper + "Fig. 1",
      .shows =
          "root mean squared difference of E[z] from four Gibbs chains of 20,000 draws, 100 features of which 20 are "
          "relevant; spike variance 0.001, slab variance 5, noise variance 1, even odds for all; E[s] is "
          "(1 + E[z]) / 3, so its error is a third",
      .replicates = 20,
      .coordinate = "samples",
      .settings = settings,
      .measure = measure,
      .judge = judge,
      .picture = picture};
}

}  // namespace tamis::experiments::laplace
