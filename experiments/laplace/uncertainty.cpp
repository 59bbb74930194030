// Figure 1 c, d: how near the inclusion probabilities are to those of a long Gibbs run, 100 features.
#include <fmt/format.h>

#include <cmath>

#include "experiments/laplace/experiments.hpp"
#include "experiments/laplace/reference_methods.hpp"
#include "experiments/reproduce/curves.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {
namespace {

const std::string distance = "RMSE of E[z]";

// All at the same hyperparameters, so that they approximate the same posterior (pmf: a point mass instead of the
// spike).
constexpr double inclusion = 0.5, slab = 5, spike = 1e-3, noise = 1;

std::vector<ReferenceMethod> contenders() {
  using Options = std::map<std::string, OptionValue>;
  const auto with = [](Options options) {
    options.insert({{"prior_inclusion", inclusion}, {"slab_variance", slab}});
    return options;
  };
  const auto flas = [&](const std::string& label, Options options) {
    options.insert({{"noise_precision", 1 / noise}, {"spike_variance", spike}});
    return reference_method(label, "flas", with(std::move(options)));
  };
  return {
      flas("flas", {}),
      flas("flas*", {{"variant", std::string("joint")}}),
      flas("flas, collapsed", {{"inclusion", std::string("collapsed")}}),
      reference_method("ep", "ep", with({{"noise_variance", noise}, {"spike_variance", spike}})),
      reference_method("ep, factorized", "ep",
                       with({{"noise_variance", noise}, {"spike_variance", spike}, {"factorised", true}})),
      reference_method(
          "vb", "vb", with({{"noise_variance", noise}, {"spike_variance", spike}, {"start", std::string("annealed")}})),
      reference_method("pmf", "pmf", with({{"noise_variance", noise}}))};
}

ReferenceMethod sampler() {
  return reference_method("gibbs", "gibbs",
                          {{"noise_variance", noise},
                           {"spike_variance", spike},
                           {"prior_inclusion", inclusion},
                           {"slab_variance", slab},
                           {"samples", 20000.0},
                           {"burn_in", 2000.0}});
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign X(drawn.train.X);
  const Problem problem{.X = X, .y = drawn.train.y.column(0), .likelihood = family("gaussian"), .standardize = false};
  const Control control{.seed = trial.seed, .threads = 1, .observer = trial.observer};
  const auto fit = [&](const ReferenceMethod& contender) {
    Fit result = contender.fit(problem, control);
    record.ended(contender.label, result.status == Status::converged);
    return result;
  };
  const Fit reference = fit(sampler());
  for (const ReferenceMethod& contender : contenders()) {
    const Fit found = fit(contender);
    double square = 0;
    for (Index j = 0; j < std::ssize(found.inclusion); ++j) {
      square += std::pow(found.inclusion[j] - reference.inclusion[j], 2);
    }
    record.add(contender.label, distance, std::sqrt(square / static_cast<double>(found.inclusion.size())));
  }
}

std::vector<Finding> check_claims(const Results& results) {
  const auto at = [&](const char* method, double n) { return results.value("", n, method, distance); };
  std::vector<Finding> findings;
  for (const double n : {60.0, 120.0}) {
    findings.push_back(
        {fmt::format("{:g} samples: FLAS estimates inclusion better than factorized VB, or comparably", n),
         fmt::format("flas {:.3f}, flas* {:.3f}, collapsed {:.3f}, pmf {:.3f}", at("flas", n), at("flas*", n),
                     at("flas, collapsed", n), at("pmf", n)),
         at("flas", n) <= at("pmf", n)});
    findings.push_back({fmt::format("{:g} samples: FLAS estimates inclusion better than VB, or comparably", n),
                        fmt::format("flas {:.3f}, vb {:.3f}", at("flas", n), at("vb", n)),
                        at("flas", n) <= at("vb", n)});
    findings.push_back({fmt::format("{:g} samples: FLAS estimates inclusion better than EP, or comparably", n),
                        fmt::format("flas {:.3f}, ep {:.4f}, ep factorized {:.3f}", at("flas", n), at("ep", n),
                                    at("ep, factorized", n)),
                        at("flas", n) <= at("ep", n)});
  }
  return findings;
}

Picture picture(const Results& results) {
  Panel panel{.x = {.label = "training samples"}, .y = {.label = distance + " from Gibbs", .logarithmic = true}};
  Index color = 0;
  for (const ReferenceMethod& contender : contenders()) {
    panel.series.push_back(
        curve(results, "", contender.label, distance, {.mark = Mark::line_and_points, .color = color++}));
  }
  return {.title = "Inclusion probabilities, 100 features", .panels = {panel}, .columns = 1};
}

}  // namespace

Experiment figure1_uncertainty() {
  std::vector<Setting> settings;
  for (const double n : {60.0, 80.0, 100.0, 120.0}) {
    settings.push_back({"", n, fmt::format("flas.regression-n{:g}", n), {{"p", 100.0}, {"test", 0.0}}});
  }
  return {.name = "flas.fig1-uncertainty",
          .title = "regression: error of inclusion probabilities against the posterior",
          .source = paper + "Fig. 1",
          .shows =
              "root mean squared difference of E[z] from four Gibbs chains of 20,000 draws, 100 features of which 20 "
              "are relevant; spike variance 0.001, slab variance 5, noise variance 1, prior inclusion 1/2; E[s] is (1 "
              "+ E[z]) / 3, so its error is a third",
          .replicates = 20,
          .coordinate = "samples",
          .settings = settings,
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::laplace
