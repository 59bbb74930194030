// Time of a whole fit with unknown noise against the number of features and of samples, and what it finds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string features = "features, 1000 samples", samples = "samples, 2000 features";
const std::string seconds = "seconds", missed = "true features missed", false_ones = "false features";
constexpr double true_features = 20;

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign X(drawn.train.X);
  const Problem problem{.X = X, .y = drawn.train.y.column(0), .likelihood = family("gaussian")};
  const Fit fit = tamis::fit(problem, "ard", {}, {.threads = 1, .observer = trial.observer});
  record.ended("ard", fit.status == Status::converged);
  double found = 0;
  const std::vector<Selected> selected = select_by_threshold(fit);
  for (const Selected& one : selected) found += std::ranges::binary_search(drawn.truth.support, one.feature) ? 1 : 0;
  record.add("ard", seconds, fit.seconds);
  record.add("ard", missed, true_features - found);
  record.add("ard", false_ones, static_cast<double>(selected.size()) - found);
}

// Slope of log seconds against log x.
double exponent(const Results& results, const std::string& panel) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Row* row : results.curve(panel, "ard", seconds)) {
    const double x = std::log(row->place.x), y = std::log(row->ours.median);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::vector<Finding> check_claims(const Results& results) {
  const double p = exponent(results, features), n = exponent(results, samples);
  return {{"large problems (features around 100,000) are within reach: time grows no faster than the data",
           fmt::format("seconds grow as features^{:.2f} and as samples^{:.2f}", p, n), p <= 1.05 && n <= 1.10}};
}

Picture picture(const Results& results) {
  Picture out{.title = "Time of a fit with unknown noise", .panels = {}};
  for (const std::string& panel : {features, samples}) {
    Panel drawn{.title = panel,
                .x = {.label = panel.substr(0, panel.find(',')), .logarithmic = true},
                .y = {.label = "seconds, one thread", .logarithmic = true}};
    drawn.series = {curve(results, panel, "ard", seconds, {.mark = Mark::line_and_points}, Shown::median)};
    drawn.series[0].name = "";
    out.panels.push_back(std::move(drawn));
  }
  return out;
}

}  // namespace

Experiment scaling() {
  Experiment made{
      .name = "ard.scaling",
      .title = "time against the number of features and of samples",
      .source = paper + "section 5 (announced there without numbers)",
      .shows =
          "seconds of a fit in one thread, 20 true features with standard normal coefficients, noise variance 1 and "
          "unknown; true features missed and false features selected (coefficients near zero cannot be detected)",
      .replicates = 3,
      .settings = {},
      .measure = measure,
      .shown = {{seconds, Shown::median}},
      .check_claims = check_claims,
      .picture = picture};
  const auto add = [&](const std::string& panel, double x, double n, double p) {
    made.settings.push_back({.panel = panel,
                             .x = x,
                             .design = "ard.noisy",
                             .parameters = {{"n", n}, {"p", p}, {"active", true_features}, {"test", 0}}});
  };
  for (const double p : {1250.0, 2500.0, 5000.0, 10000.0, 20000.0, 40000.0}) add(features, p, 1000, p);
  for (const double n : {250.0, 500.0, 1000.0, 2000.0, 4000.0}) add(samples, n, n, 2000);
  return made;
}

}  // namespace tamis::experiments::relevance
