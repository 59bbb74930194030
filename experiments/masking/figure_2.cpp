// Figure 2: two features of which the first is irrelevant. How often is it pruned, and what becomes of the other?
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "experiments/masking/experiments.hpp"

namespace tamis::experiments::masking {
namespace {

constexpr std::array<const char*, 5> methods = {"bm (em)", "bm (collapsed)", "ard", "lasso", "BIC elimination"};
const std::string pruned = "irrelevant feature pruned", lost = "relevant feature pruned",
                  weight = "beta_2 where the other is pruned";

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const double noise = drawn.truth.noise_variance;
  const auto evaluate = [&](const std::string& label, const std::vector<double>& b) {
    record.add(label, pruned, b[0] == 0 ? 1 : 0);
    record.add(label, lost, b[1] == 0 ? 1 : 0);
    if (b[0] == 0) record.add(label, weight, b[1]);
  };
  const auto fit = [&](const char* label, const char* method, const std::map<std::string, OptionValue>& options) {
    constexpr int folds = 2;
    evaluate(label, plain_coefficients(trial, record, drawn, label, method, options, folds));
  };
  // "Zero tolerance for model pruning": below machine epsilon.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  fit(methods[0], "bm", {{"algorithm", std::string("em")}, {"noise_variance", noise}, {"delta", epsilon}});
  fit(methods[1], "bm", {{"noise_variance", noise}});
  fit(methods[2], "ard", {{"noise_variance", noise}});
  fit(methods[3], "lasso", {{"rule", std::string("min")}});
  evaluate(methods[4], backward_elimination(drawn.train, noise));
}

std::vector<Finding> check_claims(const Results& results) {
  const auto share = [&](std::size_t m) { return results.value("", no_coordinate, methods[m], pruned); };
  const auto median = [&](std::size_t m) { return results.value("", no_coordinate, methods[m], weight); };
  double losses = 0;
  for (const char* method : methods) losses += results.value("", no_coordinate, method, lost);
  return {{"BM prunes the irrelevant feature most often, then ARD, the lasso least",
           fmt::format("bm (em) {:.3f}, ard {:.3f}, lasso {:.3f}; bm (collapsed) {:.3f}, BIC elimination {:.3f}",
                       share(0), share(2), share(3), share(1), share(4)),
           share(0) > share(2) && share(2) > share(3)},
          {"BM and ARD do not shrink beta_2, the lasso does",
           fmt::format("median where the other is pruned: bm (em) {:.4f}, ard {:.4f}, lasso {:.4f}", median(0),
                       median(2), median(3)),
           std::abs(median(0) - 1) < 0.004 && std::abs(median(2) - 1) < 0.004 && median(3) < 0.996},
          {"the relevant feature is never pruned",
           fmt::format("mean number of wrong prunings over the methods {:g}", losses), losses == 0}};
}

Picture picture(const Results& results) {
  Panel frequency{.title = "how often the irrelevant feature is pruned", .y = {.label = "frequency", .minimum = 0.0}};
  Panel weights{.title = "beta_2 where beta_1 is pruned: median and central 95%", .y = {.label = "beta_2"}};
  Series bars{.mark = Mark::bars};
  for (Index m = 0; m < std::ssize(methods); ++m) {
    const Row* share = results.find("", no_coordinate, methods[m], pruned);
    const Row* value = results.find("", no_coordinate, methods[m], weight);
    const double x = static_cast<double>(m + 1);
    for (Panel* panel : {&frequency, &weights}) panel->x.names.emplace_back(methods[m]);
    if (share != nullptr) {
      const double half = 1.96 * share->ours.standard_error;
      bars.x.push_back(x);
      bars.y.push_back(share->ours.mean);
      bars.lower.push_back(share->ours.mean - half);
      bars.upper.push_back(share->ours.mean + half);
    }
    if (value != nullptr) {
      weights.series.push_back({.x = {x},
                                .y = {value->ours.median},
                                .lower = {value->ours.low},
                                .upper = {value->ours.high},
                                .mark = Mark::points,
                                .color = m});
    }
  }
  frequency.series.push_back(std::move(bars));
  return {.title = "Sparsity and shrinkage with two features", .panels = {weights, frequency}, .panel_width = 480};
}

}  // namespace

Experiment figure2() {
  return {.name = "bm.fig2",
          .title = "sparsity and shrinkage with two features",
          .source = paper + "Fig. 2",
          .shows =
              "how often each method prunes the irrelevant one of two features (40 samples, noise variance .005, known "
              "except to the lasso, which uses 2-fold cross-validation), and the other coefficient where it does; the "
              "paper prints no numbers; collapsed and BIC elimination are not in the paper",
          .replicates = 500,
          .settings = {{.design = "bm.k2", .parameters = {{"test_pairs", 0}}}},
          .measure = measure,
          .shown = {{weight, Shown::median}},
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::masking
